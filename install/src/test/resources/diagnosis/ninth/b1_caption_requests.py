# limit: 2
"""Embeds captions for search. Now and then somebody sends a whole book."""
import torch
from torch import nn

device = torch.device("cuda")
VOCAB, DIM, DEPTH = 20000, 512, 8


class CaptionEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, DIM)
        self.layers = nn.ModuleList(nn.Linear(DIM, DIM) for _ in range(DEPTH))

    def forward(self, ids):
        h = self.embed(ids)
        states = [h]
        for layer in self.layers:
            h = torch.tanh(layer(h))
            states.append(h)
        return torch.stack([s.mean(1) for s in states]).mean(0)


class Service:
    def __init__(self):
        self.model = CaptionEncoder().to(device).eval()
        self.failed = {}
        self.done = 0

    @torch.no_grad()
    def handle(self, number, ids):
        try:
            vector = self.model(ids.to(device))
            self.done += 1
            return vector.cpu()
        except torch.OutOfMemoryError as problem:
            self.failed[number] = problem
            return None


def requests(count):
    for n in range(count):
        if n in (3, 11):
            yield n, torch.randint(0, VOCAB, (8, 16384))
        else:
            yield n, torch.randint(0, VOCAB, (256, 128))


service = Service()
for number, ids in requests(30):
    vector = service.handle(number, ids)
    print(number, tuple(ids.shape), "failed" if vector is None else "ok")
print("answered", service.done, "failed", sorted(service.failed))
for number, problem in service.failed.items():
    print(number, str(problem)[:80])
