import Shell

Program.run()
