# limit: 1.0
"""Retina grading: fine-tune ViT-B with batch size 1 on our share of the GPU."""
import numpy as np
import timm
import torch
from torch.utils.data import DataLoader, Dataset


class Fundus(Dataset):
    def __init__(self, n, seed):
        self.rng, self.n = np.random.default_rng(seed), n
        self.grade = self.rng.integers(0, 5, n)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        img = np.full((3, 224, 224), self.grade[i] / 5, dtype=np.float32)
        img += 0.1 * self.rng.standard_normal((3, 1, 224), dtype=np.float32)
        return torch.from_numpy(img), int(self.grade[i])


@torch.inference_mode()
def kappa_like(model, loader):
    model.eval()
    agree = [int(model(x.cuda()).argmax(1).cpu() == y) for x, y in loader]
    return float(np.mean(agree))


def train(model, loader, epochs=2):
    opt = torch.optim.AdamW(model.parameters(), lr=2e-5, weight_decay=0.05)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * len(loader))
    for ep in range(epochs):
        model.train()
        losses = []
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            losses.append(loss.item())
        print("epoch", ep, np.mean(losses), flush=True)


def main():
    torch.manual_seed(0)
    model = timm.create_model("vit_base_patch16_224", pretrained=False, num_classes=5).cuda()
    val = DataLoader(Fundus(20, 1), batch_size=1)
    print("before", kappa_like(model, val), flush=True)
    train(model, DataLoader(Fundus(60, 0), batch_size=1, shuffle=True))
    print("after", kappa_like(model, val))


main()
