# limit: 3.0
"""Pick the largest batch for a ConvNeXt by trial, then train with it."""
import gc

import timm
import torch
import torch.nn.functional as F

torch.manual_seed(0)


class BatchSizeFinder:
    def __init__(self, make_batch, start=4, max_size=1024):
        self.make_batch, self.start, self.max_size = make_batch, start, max_size

    def try_size(self, model, opt, n):
        x, y = self.make_batch(n)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)

    def find(self, model, opt):
        n, good = self.start, None
        while n <= self.max_size:
            ok = True
            try:
                self.try_size(model, opt, n)
            except torch.cuda.OutOfMemoryError:
                ok = False
            if not ok:
                print(f"batch {n}: does not fit", flush=True)
                break
            print(f"batch {n}: fits", flush=True)
            good, n = n, 2 * n
        opt.zero_grad(set_to_none=True)
        gc.collect()
        torch.cuda.empty_cache()
        return good


def make_batch(n):
    return torch.randn(n, 3, 160, 160, device="cuda"), torch.randint(0, 10, (n,), device="cuda")


model = timm.create_model("convnext_atto", pretrained=False, num_classes=10).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
bs = BatchSizeFinder(make_batch).find(model, opt)
bs = max(1, bs // 2)
print("training with", bs)
for step in range(20):
    x, y = make_batch(bs)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("final loss", loss.item())
