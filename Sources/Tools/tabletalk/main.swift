print("tabletalk")
