"""A JupyterHub with real users, each lesson by all of them at once, on the kernel of a prefix that is root's: what .ci/try-hub runs in its chroot, as root.

    hub.py COURSE USER...         prints a line for each check, a table, and ends with 1 if a check failed
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid

import nbformat
import websocket

HUB = "http://127.0.0.1:8000"
TOKEN = "a" * 32
IDLE_SECONDS = 40  # a kernel gives its heap back after 30
CULL_SECONDS = 150
CONFIG = """
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.Spawner.cmd = ["/opt/hub/bin/jupyterhub-singleuser"]
c.Spawner.environment = {"JUPYTERHUB_ACTIVITY_INTERVAL": "15"}
c.Spawner.start_timeout = 300
c.Spawner.http_timeout = 300
c.ConfigurableHTTPProxy.command = ["node", "/opt/proxy/node_modules/configurable-http-proxy/bin/configurable-http-proxy"]
c.JupyterHub.services = [
    {"name": "tester", "api_token": "%s"},
    {"name": "culler", "command": ["/opt/hub/bin/python", "-m", "jupyterhub_idle_culler", "--timeout=%d", "--cull-every=5"]},
]
c.JupyterHub.load_roles = [
    {"name": "test", "services": ["tester"], "scopes": ["admin:users", "admin:servers", "access:servers"]},
    {"name": "cull", "services": ["culler"], "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"]},
]
""" % (TOKEN, CULL_SECONDS)


def ask(method, path, content=None):
    request = urllib.request.Request(HUB + path, method=method, data=None if content is None else json.dumps(content).encode(),
                                     headers={"Authorization": "token " + TOKEN, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as answer:
        text = answer.read()
    return json.loads(text) if text else None


class Kernel:
    """A kernel of a user's server, through the Hub's proxy."""

    def __init__(self, user, path):
        self.base = "/user/%s/api/kernels" % user
        self.id = ask("POST", self.base, {"name": "vramlab", "path": path})["id"]
        self.socket = websocket.create_connection("ws" + HUB[4:] + "%s/%s/channels" % (self.base, self.id), timeout=300,
                                                  header=["Authorization: token " + TOKEN])

    def run(self, source):
        """The error that a cell ended with, or nothing."""
        header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "username": "", "session": "", "version": "5.3"}
        content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
        self.socket.send(json.dumps({"channel": "shell", "header": header, "parent_header": {}, "metadata": {}, "content": content}))
        while True:
            message = json.loads(self.socket.recv())
            if message["msg_type"] == "execute_reply" and message["parent_header"].get("msg_id") == header["msg_id"]:
                return "" if message["content"]["status"] == "ok" else message["content"]["evalue"]

    def end(self):
        self.socket.close()
        ask("DELETE", "%s/%s" % (self.base, self.id))


def processes(uid, word):
    """The processes of a user with a word in their command line, and what each has of memory, in MiB (shared pages divided among those that share)."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if folder.stat().st_uid == uid and word in (folder / "cmdline").read_bytes():
                rollup = (folder / "smaps_rollup").read_text()
                found[int(folder.name)] = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) / 1024
        except (FileNotFoundError, ProcessLookupError):
            pass  # it ended meanwhile
    return found


def kernels(users):
    return {user: list(processes(pwd.getpwnam(user).pw_uid, b"vramlab.jar").values()) for user in users}


def until(what, condition, seconds=300):
    begin = time.time()
    while not condition():
        if time.time() - begin > seconds:
            raise AssertionError("not in %d s: %s" % (seconds, what))
        time.sleep(0.5)
    print("ok   %6.1f s  %s" % (time.time() - begin, what), flush=True)


def answers():
    try:
        return ask("GET", "/hub/api/") is not None
    except (urllib.error.URLError, ConnectionError):
        return False


def start_servers(users):
    for user in users:
        ask("POST", "/hub/api/users/%s/server" % user)
    until("%d servers run, each as its own user" % len(users), lambda: all(
        ask("GET", "/hub/api/users/%s" % user)["servers"].get("", {}).get("ready") for user in users))


def lesson(user, file):
    kernel = Kernel(user, "course/" + file.name)
    begin = time.time()
    failed = []
    for cell in nbformat.read(file, 4).cells:
        if cell.cell_type == "code":
            error = kernel.run(cell.source)
            if bool(error) != ("raises-exception" in cell.metadata.get("tags", [])):
                failed.append(error or "no error where one was to be shown")
    return kernel, time.time() - begin, failed


def run_lessons(course, users, pool):
    print("     lesson | seconds for all %d at once | kernel, PSS in MiB: mean, largest | server, PSS in MiB: mean | cells that did not do as they should" % len(users))
    files = sorted(course.glob("*.ipynb"), key=lambda file: int(file.name.split("-")[0]))
    for file in files:
        begin = time.time()
        ran = list(pool.map(lambda user: lesson(user, file), users))
        seconds = time.time() - begin
        time.sleep(IDLE_SECONDS)
        took = [sum(each) for each in kernels(users).values()]
        servers = [sum(processes(pwd.getpwnam(user).pw_uid, b"jupyterhub-singleuser").values()) for user in users]
        failed = collections.Counter(error for _, _, errors in ran for error in errors)
        print("     %s | %.0f | %.0f, %.0f | %.0f | %s" % (file.name.split("-")[0], seconds, sum(took) / len(took), max(took), sum(servers) / len(servers), sum(failed.values())),
              flush=True)
        assert not failed, failed
        if file == files[-1]:
            return [kernel for kernel, _, _ in ran]
        for kernel, _, _ in ran:
            kernel.end()


def main(course, users):
    for user in users:
        home = pathlib.Path(pwd.getpwnam(user).pw_dir)
        shutil.copytree(course, home / "course", dirs_exist_ok=True)
        subprocess.run(["chown", "-R", "%s:%s" % (user, user), str(home)], check=True)
    begun = time.time()
    work = pathlib.Path("/srv/hub")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "jupyterhub_config.py").write_text(CONFIG)

    def start_hub():
        log = open(work / "hub.log", "ab")
        hub = subprocess.Popen(["/opt/hub/bin/jupyterhub", "--ip=127.0.0.1"], cwd=work, stdout=log, stderr=log, start_new_session=True)
        until("the hub answers", answers)
        return hub

    hub = start_hub()
    try:
        for user in users:
            try:
                ask("POST", "/hub/api/users/" + user)
            except urllib.error.HTTPError as known:
                if known.code != 409:
                    raise
        start_servers(users)
        with concurrent.futures.ThreadPoolExecutor(len(users)) as pool:
            left = run_lessons(course, users, pool)
        # a message counts as activity, and a kernel that computes is not idle
        before = ask("GET", "/hub/api/users/" + users[0])["last_activity"]
        begin = time.time()
        assert left[0].run("Thread.sleep(%d);" % (1000 * (CULL_SECONDS // 3))) == ""
        until("last_activity moves on", lambda: ask("GET", "/hub/api/users/" + users[0])["last_activity"] > before)
        assert len(kernels(users[:1])[users[0]]) == 1
        for kernel in left:
            kernel.socket.close()
        until("idle servers are culled, and their kernels with them", lambda: not any(kernels(users).values()), 4 * CULL_SECONDS)
        start_servers(users[:2])
        for user in users[:2]:
            assert Kernel(user, "course").run("1 + 1") == ""
        assert all(map(len, kernels(users[:2]).values()))
        ask("DELETE", "/hub/api/users/%s/server" % users[0])
        until("a server is stopped: its kernel is gone, the others' stay", lambda: not kernels(users)[users[0]] and kernels(users)[users[1]])
        server = next(iter(processes(pwd.getpwnam(users[1]).pw_uid, b"jupyterhub-singleuser")))
        os.kill(server, 9)
        until("a server is killed: its kernel is gone", lambda: not kernels(users)[users[1]])
        start_servers(users[2:3])
        assert Kernel(users[2], "course").run("1 + 1") == ""
    finally:
        hub.terminate()
        hub.wait(120)
    until("the hub is stopped: no process of a user is left", lambda: not any(processes(pwd.getpwnam(user).pw_uid, b"") for user in users))
    written = [str(file) for file in pathlib.Path(sys.prefix).rglob("*") if file.lstat().st_mtime > begun and "__pycache__" not in str(file)]
    assert not written, written[:5]
    print("ok            nothing was written where the kernel is installed", flush=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
