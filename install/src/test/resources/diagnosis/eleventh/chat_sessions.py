# limit: 2.3
"""Keep per-session state on the card while users come and go."""
import random

import torch

WIDTH = 4096          # floats per position: 16 KiB


class SessionStore:
    def __init__(self, slots):
        self.states = [None] * slots

    def open(self, slot, length):
        state = torch.zeros(length, WIDTH, device="cuda")
        state[0] = 1.0
        self.states[slot] = state

    def close(self, slot):
        self.states[slot] = None

    def tick(self):
        for s in self.states:
            if s is not None:
                s.mul_(0.99)

    def bytes(self):
        return sum(s.numel() * 4 for s in self.states if s is not None)


def merged(store, how_many):
    live = [s for s in store.states if s is not None]
    length = 400
    batch = torch.zeros(how_many, length, WIDTH, device="cuda")
    for i in range(how_many):
        s = live[i % len(live)][:length]
        batch[i, :len(s)] = s
    return batch.mean().item()


def simulate(rounds=400, slots=20, seed=12):
    rng = random.Random(seed)
    store = SessionStore(slots)
    for slot in range(slots):
        store.open(slot, rng.randint(800, 8000))
    for r in range(rounds):
        slot = rng.randrange(slots)
        store.close(slot)
        store.open(slot, int(800 * 10 ** rng.random()))
        if r % 50 == 0:
            store.tick()
            print("round", r, "live MiB", store.bytes() >> 20)
        if r >= 200 and r % 100 == 0:
            print("merged mean", merged(store, 130))


torch.manual_seed(0)
simulate()
