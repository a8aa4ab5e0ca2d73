# limit: 2.5
"""A tiny Lightning-like loop for a land-cover segmentation project."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(True))


class SmallSeg(nn.Module):
    def __init__(self, classes=24):
        super().__init__()
        self.d1, self.d2, self.d3 = block(4, 16), block(16, 32), block(32, 64)
        self.u = block(96, 32)
        self.head = nn.Conv2d(32, classes, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.d3(F.max_pool2d(b, 2))
        c = F.interpolate(c, scale_factor=2)
        y = self.head(self.u(torch.cat([b, c], 1)))
        return F.interpolate(y, scale_factor=2, mode="bilinear")


class Module:
    def __init__(self):
        self.net = SmallSeg().cuda()

    def training_step(self, batch):
        x, y = batch
        logits = self.net(x)
        loss = F.cross_entropy(logits, y)
        return {"loss": loss, "logits": logits, "target": y}

    def training_epoch_end(self, outputs):
        inter = sum((o["logits"].argmax(1) == o["target"]).float().mean() for o in outputs)
        print(f"epoch accuracy {inter.item() / len(outputs):.3f}")

    def configure_optimizers(self):
        return torch.optim.Adam(self.net.parameters(), 1e-3)


class Fitter:
    def __init__(self, epochs):
        self.epochs = epochs

    def fit(self, module, steps):
        opt = module.configure_optimizers()
        for ep in range(self.epochs):
            outputs = []
            for i in range(steps(ep)):
                batch = (torch.randn(8, 4, 256, 256, device="cuda"),
                         torch.randint(0, 24, (8, 256, 256), device="cuda"))
                out = module.training_step(batch)
                opt.zero_grad()
                out["loss"].backward()
                opt.step()
                outputs.append(out)
            module.training_epoch_end(outputs)


# the first two epochs use the small subset
Fitter(4).fit(Module(), lambda ep: 12 if ep < 2 else 80)
