# limit: 0.75
"""Keyword-spotting service: one session per client, requests replayed from a log."""
import random
import time

import torch
import torch.nn as nn

torch.manual_seed(2)
random.seed(2)
device = torch.device("cuda")


class Spotter(nn.Module):
    def __init__(self, dim=768, layers=6, words=35):
        super().__init__()
        self.inp = nn.Linear(40, dim)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
            for _ in range(layers))
        self.out = nn.Linear(dim, words)

    def forward(self, x):
        h = self.inp(x)
        for b in self.blocks:
            h = h + b(h)
        return self.out(h.mean(1))


class Session:
    def __init__(self, client, model):
        self.client, self.model = client, model
        self.stream = torch.cuda.Stream()
        self.answers = 0

    @torch.inference_mode()
    def handle(self, mel):
        with torch.cuda.stream(self.stream):
            word = self.model(mel.to(device, non_blocking=True)).argmax(-1)
        self.stream.synchronize()
        self.answers += 1
        return int(word[0])


class Service:
    def __init__(self, model):
        self.model, self.sessions = model, {}

    def request(self, client, mel):
        if client not in self.sessions:
            self.sessions[client] = Session(client, self.model)
        return self.sessions[client].handle(mel)


service = Service(Spotter().to(device).eval())
t0 = time.time()
for i in range(3000):
    active = 2 + i // 50
    client = f"client-{random.randrange(active)}"
    frames = random.choice((98, 120, 150))
    service.request(client, torch.randn(4, frames, 40))
    if i % 200 == 0:
        print(f"{i} requests, {len(service.sessions)} sessions, {time.time() - t0:.1f} s", flush=True)
print("total", sum(s.answers for s in service.sessions.values()))
