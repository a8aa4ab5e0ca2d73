# limit: 1.3
"""Adapt a pretrained speech encoder to children's speech, starting from a checkpoint file."""
import os
import tempfile

import torch
import torch.nn as nn

torch.manual_seed(11)
device = torch.device("cuda")


def encoder():
    layer = nn.TransformerEncoderLayer(512, 8, 2048, dropout=0.1, batch_first=True)
    return nn.Sequential(nn.Linear(80, 512), nn.TransformerEncoder(layer, 10), nn.Linear(512, 80))


def load_weights(net, path):
    blob = torch.load(path, map_location=device)
    net.load_state_dict(blob["model"])
    info = {"step": blob["step"], "n": len(blob["model"])}
    del blob
    print("loaded", info, f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB", flush=True)
    return info["step"]


class Adaptation:
    def __init__(self, path):
        self.net = encoder().to(device)
        self.step = load_weights(self.net, path)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=5e-5)

    def one(self):
        x = torch.randn(4, 200, 80, device=device)
        hide = torch.rand(4, 200, 1, device=device) < 0.4
        loss = ((self.net(x.masked_fill(hide, 0)) - x) ** 2 * hide).mean()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.step += 1
        return loss.item()

    def save(self, path):
        state = {k: v.cpu() for k, v in self.net.state_dict().items()}
        torch.save({"model": state, "step": self.step}, path)


def main():
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "adult.pt")
        torch.save({"model": encoder().state_dict(), "step": 100_000}, path)
        for fold in range(3):
            job = Adaptation(path)
            for _ in range(15):
                loss = job.one()
            job.save(os.path.join(d, f"child{fold}.pt"))
            print(f"fold {fold} step {job.step} loss {loss:.3f}", flush=True)
            del job
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


main()
