"""What is no script to record: a notebook, another kind of file, or the very file that the recording would be written to."""
import os

KIB = 1024


def refusal(script, path):
    """Why a script that is there cannot be recorded into a file, and what to do; None where it can."""
    stem = os.path.splitext(os.path.basename(script))[0]
    if script.endswith(".ipynb"):
        return (f"{script} was to be recorded; it is a notebook, not a script. Write its cells as one: jupyter nbconvert --to script {script}, leave out lines that begin with % or !, "
                f"and record {stem}.py.")
    if os.path.realpath(script) == os.path.realpath(path):
        return f"{script} was to be recorded into itself. Name another file with -o."
    with open(script, "rb") as file:
        begin = file.read(KIB)
    # Python runs archives, too
    if b"\0" in begin and not begin.startswith(b"PK"):
        return f"{script} was to be recorded; it is no text, so no script of Python's. Give the script that you would start with python."
    return None
