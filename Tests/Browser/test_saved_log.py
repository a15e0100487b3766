"""A game's log is saved from its page, and proves itself."""

import subprocess

from node import PROGRAM


def test_the_log_of_a_table_is_saved_by_keyboard_and_proven(room, tmp_path):
    ana = room.person("Ana")
    code = ana.set_table(title="Monday stand-up")
    ana.page.get_by_text("Details", exact=True).click()
    save = ana.button("Save this game’s log")
    save.focus()
    with ana.page.expect_download() as saving:
        ana.key("Enter")
    name = saving.value.suggested_filename
    assert name.startswith(f"tabletalk-{code}-") and name.endswith(".ttlog")
    path = tmp_path / name
    saving.value.save_as(path)
    done = subprocess.run([PROGRAM, "verify", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert f"This log is proven: table {code}, Monday stand-up." in done.stdout
