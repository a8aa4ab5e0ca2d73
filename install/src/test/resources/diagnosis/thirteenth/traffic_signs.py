# limit: 1.5
"""Traffic-sign detector head; a helper tidies GPU memory after each step (colleague's advice)."""
import gc
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)
device = torch.device("cuda")


class GPUJanitor:
    def __init__(self):
        self.calls = 0

    def after_step(self):
        gc.collect()
        torch.cuda.empty_cache()
        self.calls += 1


class Detector(nn.Module):
    def __init__(self, ch=48, anchors=3, classes=43):
        super().__init__()
        c, mods = 3, []
        for o in (ch, ch, 2 * ch, 2 * ch, 4 * ch):
            mods += [nn.Conv2d(c, o, 3, 2 if o != c else 1, 1), nn.BatchNorm2d(o), nn.SiLU()]
            c = o
        self.body = nn.Sequential(*mods)
        self.box = nn.Conv2d(c, anchors * 4, 1)
        self.cls = nn.Conv2d(c, anchors * classes, 1)

    def forward(self, x):
        h = self.body(x)
        return self.box(h), self.cls(h)


def targets_like(box, cls):
    return torch.zeros_like(box), (torch.rand_like(cls) > 0.99).float()


def main(epochs=3, steps=20):
    net = Detector().to(device)
    opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    janitor = GPUJanitor()
    for ep in range(epochs):
        t0 = time.time()
        for _ in range(steps):
            x = torch.rand(16, 3, 256, 256, device=device)
            box, cls = net(x)
            tb, tc = targets_like(box, cls)
            loss = F.smooth_l1_loss(box, tb) + F.binary_cross_entropy_with_logits(cls, tc)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            value = loss.item()
            del x, box, cls, tb, tc, loss
            janitor.after_step()
        print(f"epoch {ep} loss {value:.4f} {time.time() - t0:.1f}s", flush=True)
    print("janitor calls", janitor.calls)


main()
