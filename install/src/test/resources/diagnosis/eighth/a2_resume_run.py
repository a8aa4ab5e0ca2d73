# limit: 2
# "Starting from scratch works, resuming the very same model from its checkpoint is OOM"
import os
import tempfile

import torch
import torch.nn as nn

torch.manual_seed(13)


def build():
    dim = 2048
    return nn.ModuleDict({
        "blocks": nn.ModuleList(
            nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 12 * dim), nn.GELU(), nn.Linear(12 * dim, dim))
            for _ in range(3)
        ),
        "head": nn.Linear(dim, 100),
    })


class Run:
    def __init__(self, folder):
        self.path = os.path.join(folder, "last.pt")
        with torch.device("cuda"):
            self.model = build()
        self.epoch = 0

    def save(self):
        state = {k: v.cpu() for k, v in self.model.state_dict().items()}
        torch.save({"model": state, "epoch": self.epoch}, self.path)

    def resume(self):
        ckpt = torch.load(self.path, map_location="cuda")
        self.model.load_state_dict(ckpt["model"])
        self.epoch = ckpt["epoch"] + 1

    @torch.no_grad()
    def evaluate(self):
        x = torch.randn(8, 2048, device="cuda")
        for b in self.model["blocks"]:
            x = x + b(x)
        return self.model["head"](x).softmax(-1).max().item()


with tempfile.TemporaryDirectory() as folder:
    run = Run(folder)
    print("score", run.evaluate())
    run.save()
    run.resume()
    print("resumed at", run.epoch, "score", run.evaluate())
