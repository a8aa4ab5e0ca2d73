"""Finds the JDK that the jars run on, and how it is started."""
import os
import pathlib
import re
import subprocess
import sys

from . import FOLDER, JAR, JARS, Trouble

MISSING = """VramLab was to be started.
{found}
Install the JDK that comes as a wheel beside this one, {pip} install FOLDER/vramlab_jdk-*.whl (install/dist makes both), or a JDK 25 or newer of your own, \
whose folder VRAMLAB_JAVA_HOME names where it is not found."""


def jdk():
    """The folder of a JDK: of VRAMLAB_JAVA_HOME when that is set, else the wheel's, else the one that find-jdk finds."""
    if not os.environ.get("VRAMLAB_JAVA_HOME"):
        try:
            import vramlab_jdk
            return vramlab_jdk.HOME
        except ImportError:
            pass  # then one of the machine's
    pip = "%s -m pip" % (sys.executable or "python")
    try:
        search = subprocess.run(["sh", str(FOLDER / "find-jdk")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                encoding=sys.getfilesystemencoding(), errors="surrogateescape")
    except FileNotFoundError as no_shell:
        raise Trouble(MISSING.format(found="The wheel vramlab-jdk is not there, and without sh no other JDK can be looked for.", pip=pip)) from no_shell
    if search.returncode:
        older = re.search("; older: (.*)[.]$", search.stderr, re.MULTILINE)
        found = "The wheel vramlab-jdk is not there, and no JDK 25 or newer was found%s." % (", only " + older.group(1) if older else "")
        raise Trouble(search.stderr.strip() if os.environ.get("VRAMLAB_JAVA_HOME") else MISSING.format(found=found, pip=pip))
    sys.stderr.write(search.stderr)  # which it takes, where that is another than 25
    return pathlib.Path(search.stdout.rstrip("\n"))


def program(home):
    """The java program of a JDK."""
    return home / "bin" / ("java.exe" if os.name == "nt" else "java")


def flags():
    """The JVM's options, as vramlab install writes them into a kernel.json."""
    lines = (FOLDER / "jvm-flags.txt").read_text(encoding="utf-8").splitlines()
    return [line.replace("{jars}", str(JARS)) for line in lines]


def kernel(home, cache, connection_file):
    """The command line of a kernel."""
    cached = ["-XX:AOTCache=%s" % cache] if cache else []
    return [str(program(home)), *flags(), *cached, "-jar", str(JAR), "kernel", *connection_file]


def command(home, arguments):
    """The command line of something else that VramLab does."""
    return [str(program(home)), "-jar", str(JAR), *arguments]


def typed(home, arguments, caches):
    """The command line of what a user typed; caches: a folder for what makes short commands start quickly, or None."""
    if os.name == "nt":
        return command(home, arguments)
    return ["sh", str(FOLDER / "start"), str(home), str(JAR), str(caches or ""), "vramlab", *arguments]


def become(command_line):
    """Goes on as that program, so that signals and the exit status are its own; where a process cannot, waits for it."""
    if os.name == "nt":
        sys.exit(subprocess.call(command_line))
    sys.stdout.flush()
    sys.stderr.flush()
    os.execvp(command_line[0], command_line)  # sh is looked for on the path
