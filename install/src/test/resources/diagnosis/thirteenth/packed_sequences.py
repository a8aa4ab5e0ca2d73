# limit: 1.2
"""Holds the encoded state of open documents; editors close and open documents of all lengths."""
import random
import torch

D = 1024


class Workspace:
    def __init__(self, capacity_bytes):
        self.docs = {}
        self.capacity = capacity_bytes
        self.proj = torch.randn(D, D, device="cuda") / D**0.5
        self.rng = random.Random(8)

    def used(self):
        return sum(t.nbytes for t in self.docs.values())

    @torch.no_grad()
    def open(self, key, length):
        # make room first: close random documents
        while self.docs and self.used() + length * D * 4 > self.capacity:
            self.docs.pop(self.rng.choice(sorted(self.docs)))
        state = torch.empty(length, D, device="cuda")
        for s in range(0, length, 512):
            x = torch.randn(min(512, length - s), D, device="cuda")
            torch.matmul(x, self.proj, out=state[s:s + 512])
        self.docs[key] = state


def length_of(i, rng):
    """documents grow over the working day"""
    if i < 40:
        return 9000 + rng.randrange(4000)
    if i < 260:
        return 1400 + rng.randrange(3000)
    return 14000 + 37 * (i - 260) + rng.randrange(5000)


def main():
    torch.manual_seed(8)
    rng = random.Random(80)
    ws = Workspace(capacity_bytes=int(0.9 * 2**30))
    for i in range(400):
        ws.open(i, length_of(i, rng))
        if i % 20 == 0:
            print(f"{i}: {len(ws.docs)} open, {ws.used() / 2**20:.0f} MiB of documents")


if __name__ == "__main__":
    main()
