"""Hostile messages by the hundred thousand, through real sockets, to a kernel in a process of its own.

    python fuzz.py [KERNELSPEC] [MESSAGES] [SEED]

Nine of ten have damaged frames (cut, doubled, swapped, bits flipped, dropped, replayed); one of ten is signed rightly and has
a content that no frontend sends. Twenty times on the way, and at the end, shell and control must answer and a cell must run;
then threads and heap after a collection are told. Exits with 1 if the kernel is deaf, or threads grow, or the heap by more
than HEAP_BYTES a message. Needs jupyter_client (PyPI, or Debian's python3-jupyter-client).
"""
import json
import random
import subprocess
import sys
import time
import uuid

import zmq
from jupyter_client import KernelManager
from jupyter_client.session import Session

NAME = sys.argv[1] if len(sys.argv) > 1 else "vramlab"
MESSAGES = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
PATIENCE_S = 120
HEAP_BYTES = 20

TYPES = ["kernel_info_request", "comm_info_request", "history_request", "is_complete_request", "comm_open", "comm_msg",
         "comm_close", "input_reply", "no_such_request", "kernel_info_request", "comm_info_request", "", "status"]
VALUES = ["null", "true", "-1", "1e308", "99999999999999999999", '""', '"text"', "[]", "{}", '"\\ud83d"', '[{"a":[]}]',
          '"' + "x" * 300 + '"', "[" * 40 + "]" * 40]
FIELDS = ["code", "cursor_pos", "hist_access_type", "session", "start", "stop", "n", "pattern", "unique", "output",
          "target_name", "comm_id", "data", "value", "raw"]

STATE = """
{
    for (int i = 0; i < 3; i++) System.gc();
    var memory = Runtime.getRuntime();
    System.out.println("STATE " + (memory.totalMemory() - memory.freeMemory()) + " "
            + java.lang.management.ManagementFactory.getThreadMXBean().getThreadCount());
}
"""


class Fuzzer:
    def __init__(self):
        self.random = random.Random(SEED)
        self.manager = KernelManager(kernel_name=NAME)
        self.manager.start_kernel(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = Session(key=self.manager.session.key, signature_scheme=self.manager.session.signature_scheme)
        self.context = zmq.Context()
        self.sockets = {}
        for name, port in (("shell", self.manager.shell_port), ("control", self.manager.control_port),
                           ("stdin", self.manager.stdin_port)):
            self.sockets[name] = self.socket(zmq.DEALER, port)
        self.iopub = self.socket(zmq.SUB, self.manager.iopub_port)
        self.iopub.setsockopt(zmq.SUBSCRIBE, b"")
        if not self.iopub.poll(PATIENCE_S * 1000):
            raise AssertionError("no iopub_welcome: the kernel did not start")

    def socket(self, kind, port):
        socket = self.context.socket(kind)
        socket.linger = 0
        socket.setsockopt(zmq.SNDHWM, 0)
        socket.setsockopt(zmq.RCVHWM, 0)
        socket.connect("tcp://127.0.0.1:%d" % port)
        return socket

    def signed(self, header, content):
        parts = [header, b"{}", b"{}", content]
        return [b"<IDS|MSG>", self.session.sign(parts)] + parts

    def header(self, kind):
        return {"msg_id": uuid.UUID(int=self.random.getrandbits(128)).hex, "session": "fuzz", "username": "fuzz",
                "date": "2026-01-01T00:00:00.000000Z", "msg_type": kind, "version": "5.3"}

    def strange(self):
        """Signed rightly; header or content as no frontend makes them."""
        header = json.dumps(self.header(self.random.choice(TYPES))).encode()
        fields = ",".join('"%s":%s' % (self.random.choice(FIELDS), self.random.choice(VALUES))
                          for _ in range(self.random.randrange(4)))
        content = ("{" + fields + "}").encode()
        which = self.random.randrange(8)
        if which == 0:
            header = self.flipped(header)
        elif which == 1:
            content = content[:self.random.randrange(len(content) + 1)]
        elif which == 2:
            header = self.random.choice(VALUES).encode()
        return self.signed(header, content)

    def flipped(self, frame):
        if not frame:
            return frame
        at = self.random.randrange(len(frame))
        return frame[:at] + bytes([frame[at] ^ (1 + self.random.randrange(255))]) + frame[at + 1:]

    def damaged(self, frames):
        frames = list(frames)
        for _ in range(1 + self.random.randrange(2)):
            if not frames:
                break
            at = self.random.randrange(len(frames))
            which = self.random.randrange(6)
            if which == 0:
                del frames[at]
            elif which == 1:
                frames.insert(at, self.random.randbytes(self.random.randrange(60)))
            elif which == 2:
                frames[at] = self.flipped(frames[at])
            elif which == 3:
                other = self.random.randrange(len(frames))
                frames[at], frames[other] = frames[other], frames[at]
            elif which == 4:
                frames[at] = frames[at][:self.random.randrange(len(frames[at]) + 1)]
            # and once in a while it stays whole: sent again, it is a replay
        return frames or [b""]

    def drain(self):
        for socket in (*self.sockets.values(), self.iopub):
            while socket.poll(0):
                socket.recv_multipart()

    def ask(self, channel, kind, content):
        """The reply's content and what was printed, for a good message."""
        request = self.session.send(self.sockets[channel], kind, content)["header"]["msg_id"]
        reply, idle, printed = None, False, ""
        end = time.monotonic() + PATIENCE_S
        while reply is None or not idle:
            if time.monotonic() > end:
                raise AssertionError("deaf: %s on %s is not answered" % (kind, channel))
            for socket in (self.sockets[channel], self.iopub):
                while socket.poll(5):
                    _, frames = self.session.feed_identities(socket.recv_multipart())
                    if len(frames) < 5:
                        continue
                    parent = json.loads(frames[2])
                    if parent.get("msg_id") != request:
                        continue
                    header, content = json.loads(frames[1]), json.loads(frames[4])
                    if socket is not self.iopub:
                        reply = content
                    elif header["msg_type"] == "stream":
                        printed += content["text"]
                    elif content.get("execution_state") == "idle":
                        idle = True
        return reply, printed

    def check(self):
        for channel in ("control", "shell"):
            assert self.ask(channel, "kernel_info_request", {})[0]["status"] == "ok"
        reply, printed = self.ask("shell", "execute_request", {
            "code": STATE, "silent": False, "store_history": False, "user_expressions": {"two": "1+1"},
            "allow_stdin": False, "stop_on_error": False})
        assert reply["user_expressions"]["two"]["data"]["text/plain"] == "2", reply
        heap, threads = printed.split("STATE ")[1].split()
        return int(heap), int(threads)

    def run(self):
        self.check()
        samples = []
        pool = [self.strange() for _ in range(50)]
        begin = time.monotonic()
        print("%10s %10s %8s" % ("messages", "heap KiB", "threads"))
        for n in range(1, MESSAGES + 1):
            if n % 10 == 0:
                frames = self.strange()
                pool[self.random.randrange(len(pool))] = frames
            else:
                frames = self.damaged(self.random.choice(pool))
            self.sockets[self.random.choice(("shell", "shell", "control", "stdin"))].send_multipart(frames)
            if n % 500 == 0:
                self.drain()
            if n % max(1, MESSAGES // 20) == 0:
                samples.append(self.check())
                print("%10d %10d %8d" % (n, samples[-1][0] // 1024, samples[-1][1]), flush=True)
        print("%d messages in %.0f s" % (MESSAGES, time.monotonic() - begin))
        (heap, threads), (last_heap, last_threads) = samples[1], samples[-1]
        grown = (last_heap - heap) / (MESSAGES * 0.9)
        print("heap %+.1f bytes a message, threads %d then %d" % (grown, threads, last_threads))
        return 1 if last_threads > threads + 1 or grown > HEAP_BYTES else 0

    def close(self):
        self.manager.shutdown_kernel(now=True)
        self.context.destroy(linger=0)


if __name__ == "__main__":
    fuzzer = Fuzzer()
    try:
        sys.exit(fuzzer.run())
    finally:
        fuzzer.close()
