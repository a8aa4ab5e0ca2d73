"""Writes a large snapshot as torch.cuda.memory._dump_snapshot pickles it, without holding it: large_snapshot.py EVENTS FRAMES FILE.

A program of equal steps, 120 blocks each, whose last request fails; EVENTS events or a few more, each with a stack of FRAMES frames. Frames
are memoized once and referred to, as PyTorch writes them.
"""
import io
import random
import struct
import sys

EMPTY_DICT, EMPTY_LIST, MARK, SETITEMS, APPENDS, APPEND, STOP = b"}", b"]", b"(", b"u", b"e", b"a", b"."
BASE, CAPACITY = 0x7F0000000000, 60 << 30
BLOCKS, STACKS, FRAMES = 120, 400, 6000
KEPT_STEPS, FIRST_REPEATED, REPEATED = 3, 5, 8


class Pickle:
    """The opcodes of protocol 4 that a snapshot needs."""

    def __init__(self, file):
        self.out, self.memo, self.known = file, 0, {}

    def memoize(self, key=None):
        self.out.write(b"\x94")
        if key is not None:
            self.known[key] = self.memo
        self.memo += 1

    def recall(self, key):
        if key not in self.known:
            return False
        index = self.known[key]
        self.out.write(b"h" + bytes([index]) if index < 256 else b"j" + struct.pack("<I", index))
        return True

    def text(self, value):
        if not self.recall(value):
            data = value.encode()
            self.out.write(b"\x8c" + bytes([len(data)]) + data)
            self.memoize(value)

    def number(self, value):
        if 0 <= value < 256:
            self.out.write(b"K" + bytes([value]))
        elif -2**31 <= value < 2**31:
            self.out.write(b"J" + struct.pack("<i", value))
        else:
            data = value.to_bytes((value.bit_length() + 8) // 8, "little", signed=True)
            self.out.write(b"\x8a" + bytes([len(data)]) + data)

    def begin(self, opcode, key=None):
        self.out.write(opcode)
        self.memoize(key)
        self.out.write(MARK)

    def items(self, **values):
        for key, value in values.items():
            self.text(key)
            self.text(value) if isinstance(value, str) else self.number(value)

    def frame(self, index):
        if not self.recall(index):
            self.begin(EMPTY_DICT, index)
            self.items(name=f"function_{index % 700}", filename=f"/opt/site-packages/torch/nn/file_{index % 90}.py" if index % 60 else "train.py",
                       line=index % 3000 + 1)
            self.out.write(SETITEMS)

    def event(self, action, address, size, stack):
        self.begin(EMPTY_DICT)
        self.items(action=action, addr=address, device_free=address, size=size, stream=0, time_us=1_795_365_393_703_449)
        self.text("frames")
        self.begin(EMPTY_LIST)
        for index in stack:
            self.frame(index)
        self.out.write(APPENDS + SETITEMS)


def step(pickle, number, stacks):
    """How many events a step has; the first ones keep something."""
    sizes = [512 * (1 + k * 7919 % 40_000) for k in range(BLOCKS)]
    address, blocks = BASE + (1 << 20), []
    for k, size in enumerate(sizes):
        pickle.event("alloc", address, size, stacks[k])
        blocks.append((address, size, stacks[200 + k]))
        address += size
    if number < KEPT_STEPS:
        pickle.event("alloc", BASE + 4096 * number, 4096, stacks[399])
    for address, size, stack in reversed(blocks):
        pickle.event("free_requested", address, size, stack)
        pickle.event("free_completed", address, size, stack)
    return 3 * BLOCKS + (number < KEPT_STEPS)


def main(events, frames, path):
    chance = random.Random(1)
    stacks = [[chance.randrange(FRAMES) for _ in range(frames)] for _ in range(STACKS)]
    with open(path, "wb", buffering=1 << 22) as file:
        pickle = Pickle(file)
        file.write(b"\x80\x04")
        pickle.begin(EMPTY_DICT)
        pickle.text("segments")
        file.write(EMPTY_LIST)
        pickle.memoize()
        pickle.text("device_traces")
        file.write(EMPTY_LIST)
        pickle.memoize()
        pickle.begin(EMPTY_LIST)
        pickle.event("segment_alloc", BASE, CAPACITY, stacks[0])
        done = 1
        for number in range(FIRST_REPEATED):
            done += step(pickle, number, stacks)
        # all that these steps name is memoized by now, so their bytes may be written again and again
        pickle.out = io.BytesIO()
        more = sum(step(pickle, FIRST_REPEATED + number, stacks) for number in range(REPEATED))
        while done < events:
            file.write(pickle.out.getvalue())
            done += more
        pickle.out = file
        pickle.event("oom", 1 << 20, 70 << 30, stacks[3])
        file.write(APPENDS + APPEND + SETITEMS + STOP)
    print(f"{done + 1:,} events")


main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
