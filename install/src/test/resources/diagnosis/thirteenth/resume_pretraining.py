# limit: 2.1
import os
import tempfile
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ln = nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        return x + self.ff(self.ln(x))


def build(d=1024, depth=12):
    return nn.Sequential(*[Block(d) for _ in range(depth)]).to("cuda")


def train(model, opt, steps, d=1024, rows=1024):
    for s in range(steps):
        x = torch.randn(rows, d, device="cuda")
        loss = (model(x) - x.roll(1, 0)).square().mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
        print(f"  step {s}: {loss.item():.4f}")


def first_leg(path):
    model = build()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    train(model, opt, 3)
    torch.save({"model": model.state_dict(), "opt": opt.state_dict(), "step": 3}, path)


def second_leg(path):
    model = build()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    ckpt = torch.load(path, map_location="cuda")
    model.load_state_dict(ckpt["model"])
    opt.load_state_dict(ckpt["opt"])
    print("resumed at", ckpt["step"], f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    train(model, opt, 20)


if __name__ == "__main__":
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "last.pt")
        print("first leg")
        first_leg(path)
        print("second leg")
        second_leg(path)
