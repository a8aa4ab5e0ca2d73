# limit: 2
"""Beam tuning: 24 surrogate models, each explored by its own thread."""
import threading
import torch

device = "cuda"
MEMBERS, KNOBS, HIDDEN, TRIALS = 24, 48, 128, 512


class Surrogate:
    def __init__(self, seed):
        g = torch.Generator(device).manual_seed(seed)
        self.w1 = torch.randn(KNOBS, HIDDEN, device=device, generator=g) / KNOBS ** 0.5
        self.w2 = torch.randn(HIDDEN, 4, device=device, generator=g) / HIDDEN ** 0.5

    def __call__(self, knobs):
        return torch.tanh(knobs @ self.w1) @ self.w2


class Explorer(threading.Thread):
    def __init__(self, number, surrogate, gate):
        super().__init__()
        self.number, self.surrogate, self.gate = number, surrogate, gate
        self.best = None

    def run(self):
        self.gate.wait()
        with torch.no_grad():
            centre, spread, best = torch.zeros(KNOBS, device=device), 1.0, float("-inf")
            for _ in range(40):
                knobs = centre + spread * torch.randn(TRIALS, KNOBS, device=device)
                brightness = self.surrogate(knobs)[:, 0]
                top = brightness.argmax()
                if brightness[top].item() > best:
                    best, centre = brightness[top].item(), knobs[top].clone()
                spread *= 0.95
        self.best = best
        self.gate.wait()


gate = threading.Barrier(MEMBERS)
explorers = [Explorer(n, Surrogate(n), gate) for n in range(MEMBERS)]
for explorer in explorers:
    explorer.start()
for explorer in explorers:
    explorer.join()
torch.cuda.synchronize()
print("best", max((e.best, e.number) for e in explorers))
print("memory in use", torch.cuda.memory_allocated() >> 20, "MiB")
