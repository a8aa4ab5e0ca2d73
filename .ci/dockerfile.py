"""The steps of a Dockerfile without Docker, each in a chroot: for machines where no daemon runs. As root, on Debian or Ubuntu.

    dockerfile.py build DOCKERFILE CONTEXT FOLDER    makes FOLDER/root (the last stage) and FOLDER/image.json
    dockerfile.py run FOLDER COMMAND                 runs a shell command there as the image's user, in its folder and environment

It knows FROM debian:SUITE-slim, ARG, ENV, RUN, COPY, WORKDIR, USER, EXPOSE and CMD, and stops at anything else.
"""
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

MOUNTS = 'mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" && exec /usr/sbin/chroot "$@"'
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}


def instructions(text):
    """(word, rest) of each, lines joined and comments left out."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        if line.strip():
            word, rest = line.split(None, 1)
            yield word.upper(), rest.strip()


class Stage:
    def __init__(self, root):
        self.root, self.environment, self.arguments = root, dict(ENVIRONMENT), {}
        self.user, self.folder, self.command = "root", "/", []

    def expand(self, text):
        known = {**self.arguments, **self.environment}
        return re.sub(r"\$\{?(\w+)\}?", lambda name: known.get(name[1], ""), text)

    def inside(self, path):
        return self.root / os.path.normpath(os.path.join(self.folder, path)).lstrip("/")

    def run(self, command, **options):
        (self.root / "dev/shm").mkdir(parents=True, exist_ok=True)
        user = [] if self.user == "root" else ["--userspec=%s:%s" % (self.user, self.user)]
        return subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--", "sh", "-c",
                               MOUNTS.replace('"$@"', " ".join(user) + ' "$@"'), "sh", str(self.root), "sh", "-c", 'cd "$0" && eval "$1"', self.folder, command],
                              env={**self.arguments, **self.environment}, **options)


def base(image, folder):
    """A Debian as the image's, with what this machine needs to reach the network."""
    suite = re.fullmatch(r"debian:(\w+)-slim", image)[1]
    kept = folder / suite
    if not kept.exists():
        part = folder / (suite + ".part")
        shutil.rmtree(part, ignore_errors=True)
        mirror = subprocess.run(["apt-get", "indextargets", "--format", "$(ORIGIN) $(LABEL) $(SITE)"], check=True, capture_output=True, text=True).stdout
        mirror = sorted({line.split()[2] for line in mirror.splitlines() if line.startswith("Debian Debian ")})[0]
        subprocess.run(["mmdebstrap", "--variant=minbase", "--aptopt=Acquire::Check-Valid-Until \"false\"", "--include=ca-certificates", suite, str(part),
                        "deb [trusted=yes] %s %s main" % (mirror, suite)], check=True, stderr=subprocess.DEVNULL)
        if os.path.ismount(part / "proc"):  # what mmdebstrap may leave; each step mounts its own
            subprocess.run(["umount", str(part / "proc")], check=True)
        shutil.copyfile(os.path.realpath("/etc/resolv.conf"), part / "etc/resolv.conf")
        shutil.copytree("/usr/local/share/ca-certificates", part / "usr/local/share/ca-certificates", dirs_exist_ok=True)
        subprocess.run(["chroot", str(part), "update-ca-certificates"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        part.rename(kept)
    return kept


def copy(stage, stages, context, ignored, rest):
    words = stage.expand(rest).split()
    options = dict(word[2:].split("=") for word in words if word.startswith("--"))
    *sources, target = [word for word in words if not word.startswith("--")]
    origin = stages[options["from"]].root if "from" in options else context
    for source in sources:
        here, there = origin / source.lstrip("/"), stage.inside(target)

        def left_out(at, names):
            paths = {name: os.path.relpath(os.path.join(at, name), context) for name in names} if "from" not in options else {}
            return [name for name, path in paths.items()
                    if any(fnmatch.fnmatch(name if each.startswith("**/") else path, each.removeprefix("**/")) for each in ignored)]

        if here.is_dir():
            shutil.copytree(here, there, symlinks=True, dirs_exist_ok=True, ignore=left_out)
        else:
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(here, there)
        owner = options.get("chown", "0:0").split(":")
        subprocess.run(["chown", "-R", ":".join(owner), str(there)], check=True)


def build(dockerfile, context, folder):
    folder.mkdir(parents=True, exist_ok=True)
    ignored = (context / ".dockerignore").read_text().split()
    stages, stage = {}, None
    for word, rest in instructions(dockerfile.read_text(encoding="utf-8")):
        begin = time.time()
        if word == "FROM":
            image, *name = re.split(r"\s+as\s+", rest, flags=re.I)
            name = name[0] if name else "root"
            root = folder / name
            shutil.rmtree(root, ignore_errors=True)
            subprocess.run(["cp", "-a", str(base(image, folder)), str(root)], check=True)
            stage = stages[name] = Stage(root)
        elif word == "ARG":
            name, _, value = rest.partition("=")
            stage.arguments[name] = stage.expand(value)
        elif word == "ENV":
            for name, value in re.findall(r"(\w+)=(\S+)", rest):
                stage.environment[name] = stage.expand(value)
        elif word == "RUN":
            stage.run(rest, check=True)
        elif word == "COPY":
            copy(stage, stages, context, ignored, rest)
        elif word == "WORKDIR":
            stage.folder = os.path.join(stage.folder, stage.expand(rest))
            stage.inside(".").mkdir(parents=True, exist_ok=True)
        elif word == "USER":
            stage.user = stage.expand(rest)
        elif word == "CMD":
            stage.command = json.loads(rest)
        elif word != "EXPOSE":
            raise SystemExit("dockerfile.py: %s is not known" % word)
        print("step %6.1f s  %s %s" % (time.time() - begin, word, rest[:100]), flush=True)
    said = {"user": stage.user, "folder": stage.folder, "environment": stage.environment, "command": stage.command}
    (folder / "image.json").write_text(json.dumps(said), encoding="utf-8")


def run(folder, command):
    said = json.loads((folder / "image.json").read_text(encoding="utf-8"))
    stage = Stage(folder / "root")
    stage.user, stage.folder, stage.environment = said["user"], said["folder"], said["environment"]
    return stage.run(command.replace("$CMD", " ".join(said["command"]))).returncode


if __name__ == "__main__":
    if sys.argv[1] == "build":
        build(*(pathlib.Path(each).resolve() for each in sys.argv[2:5]))
    else:
        sys.exit(run(pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]))
