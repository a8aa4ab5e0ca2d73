# limit: 1.2
"""Mean teacher whose weights live in host memory."""
import torch
from torch import nn


class HostAverage:
    def __init__(self, model, decay=0.9):
        self.decay = decay
        self.state = {k: v.detach().cpu().clone() for k, v in model.state_dict().items()}

    def update(self, model):
        for k, v in model.state_dict().items():
            self.state[k].lerp_(v.detach().cpu(), 1 - self.decay)


def make():
    torch.manual_seed(6)
    mods = []
    for _ in range(8):
        mods += [nn.Linear(2048, 2048), nn.LayerNorm(2048), nn.SiLU()]
    return nn.Sequential(*mods, nn.Linear(2048, 16))


def train(model, avg, epochs=4, steps=20):
    opt = torch.optim.Adam(model.parameters(), lr=1e-4)
    snapshots = []
    for e in range(epochs):
        for _ in range(steps):
            x = torch.randn(256, 2048, device="cuda")
            loss = nn.functional.cross_entropy(model(x), x[:, :16].argmax(1))
            opt.zero_grad()
            loss.backward()
            opt.step()
        avg.update(model)
        snapshots.append({k: v.cpu() for k, v in model.state_dict().items()})
        print("epoch", e, loss.item(), "snapshots", len(snapshots))
    return snapshots


def main():
    model = make().to("cuda")
    avg = HostAverage(model)
    snaps = train(model, avg)
    model.load_state_dict(avg.state)
    with torch.no_grad():
        print("mean logit", model(torch.randn(64, 2048, device="cuda")).mean().item(), len(snaps))


main()
