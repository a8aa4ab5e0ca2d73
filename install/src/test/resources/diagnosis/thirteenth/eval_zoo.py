# limit: 1.0
"""Evaluate several ViT checkpoints of our group on the same test images."""
import os
import tempfile
import time

import timm
import torch

torch.manual_seed(0)
DEVICE = torch.device("cuda")
ZOO = {
    "tiny": dict(embed_dim=192, depth=6, num_heads=3),
    "small": dict(embed_dim=384, depth=12, num_heads=6),
    "base": dict(embed_dim=768, depth=8, num_heads=12),
    "wide": dict(embed_dim=1152, depth=10, num_heads=16),
}


def build(cfg):
    return timm.create_model("vit_base_patch16_224", pretrained=False, num_classes=50, **cfg)


def prepare_files(folder):
    """Stands in for the checkpoints that lie on the cluster."""
    for name, cfg in ZOO.items():
        torch.save({"state_dict": build(cfg).state_dict(), "epoch": 90}, os.path.join(folder, name + ".pt"))


class Evaluator:
    def __init__(self, folder, n_batches=4, bs=8):
        self.folder, self.n, self.bs = folder, n_batches, bs

    def load(self, name):
        ckpt = torch.load(os.path.join(self.folder, name + ".pt"), map_location=DEVICE)
        model = build(ZOO[name])
        model.to(DEVICE)
        model.load_state_dict(ckpt["state_dict"])
        print(f"{name}: epoch {ckpt['epoch']}", flush=True)
        return model.eval()

    @torch.inference_mode()
    def accuracy(self, name):
        model = self.load(name)
        hits = 0
        for i in range(self.n):
            g = torch.Generator(device=DEVICE).manual_seed(i)
            x = torch.randn(self.bs, 3, 224, 224, device=DEVICE, generator=g)
            y = torch.randint(0, 50, (self.bs,), device=DEVICE, generator=g)
            hits += (model(x).argmax(1) == y).sum().item()
        return hits / (self.n * self.bs)


with tempfile.TemporaryDirectory() as tmp:
    prepare_files(tmp)
    ev = Evaluator(tmp)
    for name in ZOO:
        t = time.time()
        print(f"{name:6s} acc {ev.accuracy(name):.3f} ({time.time() - t:.1f} s)", flush=True)
