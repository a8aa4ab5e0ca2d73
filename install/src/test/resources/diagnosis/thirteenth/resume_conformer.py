# limit: 1.22
import gc
import os
import tempfile

import torch
import torch.nn as nn

torch.manual_seed(13)
device = "cuda"


def build():
    layer = nn.TransformerEncoderLayer(768, 12, 3072, dropout=0.0, batch_first=True)
    net = nn.Sequential(nn.Linear(80, 768), nn.TransformerEncoder(layer, 8), nn.Linear(768, 80))
    return net.to(device)


def make_opt(net):
    return torch.optim.AdamW(net.parameters(), lr=1e-4)


class Session:
    def __init__(self, path):
        self.path = path
        self.net = build()
        self.opt = make_opt(self.net)
        self.step, self.ckpt = 0, None

    def save(self):
        torch.save({"model": self.net.state_dict(), "opt": self.opt.state_dict(), "step": self.step},
                   self.path)

    def resume(self):
        self.ckpt = torch.load(self.path, map_location=device)
        self.net.load_state_dict(self.ckpt["model"])
        self.opt.load_state_dict(self.ckpt["opt"])
        self.step = self.ckpt["step"]
        print("resumed at step", self.step, flush=True)

    def run(self, n):
        for _ in range(n):
            x = torch.randn(4, 100, 80, device=device)
            mask = torch.rand(4, 100, 1, device=device) < 0.3
            loss = (self.net(x * ~mask) - x).pow(2).mul(mask).mean()
            loss.backward()
            self.opt.step()
            self.opt.zero_grad(set_to_none=True)
            self.step += 1
            if self.step % 5 == 0:
                print("step", self.step, "loss", loss.item(), flush=True)


def first_part(path):
    s = Session(path)
    s.run(10)
    s.save()


def second_part(path):
    s = Session(path)
    s.resume()
    s.run(10)


with tempfile.TemporaryDirectory() as d:
    p = os.path.join(d, "last.pt")
    first_part(p)
    gc.collect()
    second_part(p)
print("done")
