"""VramLab from a wheel: the jars, what finds a Java for them, and the start-up cache.

    python -m vramlab_kernel CONNECTION_FILE     the kernel; Jupyter starts it so, by share/jupyter/kernels/vramlab
    vramlab ...                                  the command
"""
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
JARS = FOLDER / "jars"
JAR = JARS / "vramlab.jar"


class Trouble(Exception):
    """Something the user can mend; its text has three lines: what was asked, what is true, what to do."""
