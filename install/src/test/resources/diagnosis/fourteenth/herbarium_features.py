# limit: 0.75
"""Dump penultimate features of herbarium sheets for a later k-NN."""
import tempfile

import numpy as np
import timm
import torch

torch.manual_seed(40)


class FeatureBank:
    def __init__(self):
        self.chunks, self.labels = [], []

    def append(self, feats, labels):
        self.chunks.append(feats.cpu())
        self.labels += labels

    def __len__(self):
        return sum(len(c) for c in self.chunks)

    def dump(self, path):
        arr = torch.cat(self.chunks).numpy()
        np.save(path, arr)
        return arr.nbytes


def sheets(n, bs):
    for i in range(n):
        x = torch.rand(bs, 3, 64, 64, device="cuda")
        yield torch.nn.functional.interpolate(x, size=224), [(i * bs + j) % 11 for j in range(bs)]


@torch.no_grad()
def extract(model, n=60, bs=48):
    bank = FeatureBank()
    for i, (x, y) in enumerate(sheets(n, bs)):
        tokens = model.forward_features(x)
        bank.append(tokens[:, ::8], y)
        if i % 15 == 0:
            print(f"{i}: {len(bank)} sheets, allocated {torch.cuda.memory_allocated() >> 20} MiB")
    return bank


def main():
    model = timm.create_model("vit_small_patch16_224", num_classes=0).cuda().eval()
    bank = extract(model)
    with tempfile.TemporaryDirectory() as tmp:
        print(f"wrote {bank.dump(tmp + '/f.npy') / 2 ** 20:.0f} MiB of features")


main()
