"""The command vramlab: what the jars can do, and beside it the start-up cache of this installation."""
import os
import shutil
import subprocess
import sys

from . import Trouble, java, startup

CACHE_HELP = """Usage: vramlab cache [--remove]
Make the start-up cache of this installation now, for all its users, instead of beside the first kernel; --remove takes it away.
"""


def main():
    arguments = sys.argv[1:]
    try:
        if arguments[:1] == ["cache"]:
            return cache(arguments[1:])
        home = java.jdk()
        if arguments[:1] == ["doctor"]:
            look_beside()
        if arguments in ([], ["--help"], ["-h"], ["help"]):
            status = subprocess.call(java.command(home, arguments))
            print("  cache        Make the start-up cache of this installation now.", flush=True)
            return status
        java.become(java.typed(home, arguments, startup.command_caches()))
    except Trouble as trouble:
        return str(trouble)


def look_beside():
    """The Jupyter of this environment is the one to look at, also where the command was called by its path."""
    here = os.path.dirname(sys.executable or "")
    if shutil.which("jupyter", path=here):
        os.environ["PATH"] = os.pathsep.join([here, os.environ.get("PATH", os.defpath)])


def cache(arguments):
    if arguments == ["--remove"]:
        startup.remove()
        return 0
    if arguments:
        print(CACHE_HELP, end="")
        return 0 if arguments == ["--help"] else 2
    home = java.jdk()
    try:
        made = startup.make(home)
    except OSError as refused:
        raise Trouble("The start-up cache was to be made for %s.\n%s: %s.\nKernels run without it, and start a second or two later; XDG_CACHE_HOME names another folder for it."
                      % (home, refused.filename or startup.own_folder(), refused.strerror)) from refused
    print("%s  %.0f MB" % (made, os.path.getsize(made) / 1e6))
    return 0
