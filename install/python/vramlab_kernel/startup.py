"""The start-up cache: classes as the JVM has them after a training run (an ahead-of-time cache of JEP 483 and 514).

One per installation. It belongs to one build of the JDK and to these jars as they were unpacked here, so it cannot come with the wheel: the first
kernel starts without, and has it made in the background. The wheel brings two empty files in its place, which pip therefore takes away with the rest.
Who cannot write there uses what the owner of the installation made (vramlab cache), or else has one in their own cache folder.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from . import FOLDER, JARS, Trouble, java

CACHE = "start-up.aot"
STATE = "start-up.json"
PARTIAL = ".start-up.partial"
QUIET_SECONDS = 20  # which the first cells have for themselves
BELOW_NORMAL, DETACHED = 0x4000, 0x8  # of Windows


def own_folder():
    """Where a user has a cache who cannot write where the jars are."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base, "vramlab", "start-up-" + hashlib.sha256(os.fsencode(FOLDER)).hexdigest()[:16])


def command_caches():
    """Where short commands have their caches, which they make themselves; None where none are wanted."""
    return None if os.environ.get("VRAMLAB_START_UP_CACHE") == "off" else own_folder() / "commands"


def state(home):
    """All that a cache hangs on: the JVM refuses it, with a line in Jupyter's log, when anything of it changed."""
    files = [home / "release", home / "lib" / "modules", *sorted(JARS.rglob("*.jar"))]
    return {"flags": java.flags(), "files": {str(each): [each.stat().st_size, int(each.stat().st_mtime)] for each in files if each.is_file()}}


def cache(home):
    """The file with the cache that serves this JDK, or None."""
    wanted = state(home)
    for folder in (FOLDER, own_folder()):
        if recorded(folder) == {"made": wanted} and (folder / CACHE).is_file():
            return folder / CACHE
    return None


def recorded(folder):
    """What was last made in a folder, or could not be made."""
    try:
        return json.loads((folder / STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # none was ever made here


def make_later(home):
    """Has it made by a process that takes only time that nobody else wants, unless that failed before."""
    try:
        if os.environ.get("VRAMLAB_START_UP_CACHE") == "off" or recorded(writable_folder()) == {"failed": state(home)}:
            return
    except OSError:
        return  # no place for one: the kernel starts without
    maker = [sys.executable, "-m", "vramlab_kernel.startup", str(home)]
    nothing = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": FOLDER.parent}
    if os.name == "nt":
        subprocess.Popen(maker, creationflags=BELOW_NORMAL | DETACHED, **nothing)
        return
    between = os.fork()  # so that it is no child of the JVM, which would not know that it ended
    if between == 0:
        try:
            subprocess.Popen(maker, start_new_session=True, **nothing)
        finally:
            os._exit(0)
    os.waitpid(between, 0)


def writable_folder():
    if os.access(FOLDER / STATE, os.W_OK) and os.access(FOLDER, os.W_OK):
        return FOLDER
    own_folder().mkdir(parents=True, exist_ok=True)
    return own_folder()


def make(home):
    """Makes it and returns the file; another process that makes it meanwhile is waited for. The file appears when it is complete."""
    folder = writable_folder()
    with open(folder / STATE, "a+", encoding="utf-8") as lock:
        alone(lock)
        there = cache(home)
        if there:
            return there
        with tempfile.TemporaryDirectory(prefix="vramlab-start-up-") as work:
            made = os.path.join(work, CACHE)
            # kernel --cache FILE: the training run, and what the JDK leaves beside its result stays in this folder
            run = subprocess.run(java.command(home, ["kernel", "--cache", made]), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if run.returncode or not os.path.exists(made):
                record(lock, {"failed": state(home)})
                raise Trouble("The start-up cache was to be made for %s.\nThat failed: %s\nThe kernel runs without it, and starts a second or two later." % (home, run.stdout.strip()))
            try:
                shutil.copyfile(made, folder / PARTIAL)
                os.chmod(folder / PARTIAL, 0o644)
                os.replace(folder / PARTIAL, folder / CACHE)
            except OSError:
                (folder / PARTIAL).unlink(missing_ok=True)  # which found no room
                raise
        record(lock, {"made": state(home)})
        return folder / CACHE


def record(file, what):
    file.truncate(0)
    json.dump(what, file)
    file.flush()


def alone(file):
    try:
        import fcntl
    except ImportError:
        return  # Windows: two may make it, and the later one stays
    fcntl.flock(file, fcntl.LOCK_EX)


def remove():
    """Empties the installation's cache, so that pip finds what it brought, and deletes one's own."""
    for name in (CACHE, STATE):
        if os.access(FOLDER / name, os.W_OK):
            (FOLDER / name).write_bytes(b"")
    shutil.rmtree(own_folder(), ignore_errors=True)


def in_the_background(home):
    if hasattr(os, "nice"):
        os.nice(19)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    time.sleep(QUIET_SECONDS)
    make(home)


if __name__ == "__main__":
    in_the_background(pathlib.Path(sys.argv[1]))
