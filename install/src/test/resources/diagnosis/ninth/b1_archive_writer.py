# limit: 7
"""Simulate a decaying field and compact every state for the archive."""
import torch

dev = torch.device("cuda")
SIDE, STEPS, PASSES = 8192, 18, 12


class Compactor:
    def __init__(self):
        self.queue = torch.cuda.Stream()
        self.basis = torch.randn(SIDE, SIDE, device=dev) / SIDE ** 0.5
        self.scratch = torch.empty(SIDE, SIDE, device=dev)
        self.other = torch.empty(SIDE, SIDE, device=dev)
        self.norms = torch.zeros(STEPS, device=dev)

    def submit(self, number, field):
        self.queue.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.queue):
            torch.mm(field, self.basis, out=self.scratch)
            for _ in range(PASSES):
                torch.mm(self.scratch, self.basis, out=self.other)
                self.scratch, self.other = self.other, self.scratch
            torch.linalg.vector_norm(self.scratch, out=self.norms[number])
        field.record_stream(self.queue)


def field_at(t):
    field = torch.empty(SIDE, SIDE, device=dev)
    field.normal_().mul_(0.9 ** t)
    return field


def simulate(compactor):
    for t in range(STEPS):
        field = field_at(t)
        compactor.submit(t, field)
        del field
        if t % 6 == 0:
            print("queued", t)


with torch.no_grad():
    compactor = Compactor()
    torch.cuda.synchronize()
    simulate(compactor)
    print("steps done, card memory", torch.cuda.memory_reserved() >> 20, "MiB")
    torch.cuda.synchronize()
    print("norms", compactor.norms[:3].tolist())
