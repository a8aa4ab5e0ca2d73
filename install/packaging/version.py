"""The version of the wheel.

Until a commit carries the tag of the version in the pom, what is built from it is a developmental release of that version (PEP 440): its number
says when the commit was made, so that pip installs a later one over an earlier one, and the release over both.
"""
import pathlib
import re
import subprocess
import time


def of(root):
    """0.1.0 of a commit with the tag v0.1.0, else 0.1.0.dev20261126210300, in UTC."""
    wanted = re.search(r"<version>(.*)</version>", (root / "pom.xml").read_text(encoding="utf-8"))[1]
    changed = git(root, "status", "--porcelain", "--untracked-files=no")
    if changed == "" and "v" + wanted in git(root, "tag", "--points-at", "HEAD").split():
        return wanted
    return "%s.dev%s" % (wanted, time.strftime("%Y%m%d%H%M%S", time.gmtime(moment(root, changed))))


def moment(root, changed):
    """Seconds since 1970: of the last commit, of a file that was changed since, or, of a tree without git, of what was built from it."""
    if changed is None:
        return max(each.stat().st_mtime for each in [root / "pom.xml", *(root / "install/target/vramlab").glob("*.jar")])
    files = [root / line[3:].split(" -> ")[-1].strip('"') for line in changed.splitlines()]
    return max([int(git(root, "log", "-1", "--format=%ct")), *(each.stat().st_mtime for each in files if each.exists())])


def git(root, *arguments):
    """What git prints; None where there is no git, or no repository."""
    if not pathlib.Path(root, ".git").exists():
        return None
    try:
        return subprocess.run(["git", "-C", str(root), *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, encoding="utf-8").stdout
    except (OSError, subprocess.CalledProcessError):
        return None
