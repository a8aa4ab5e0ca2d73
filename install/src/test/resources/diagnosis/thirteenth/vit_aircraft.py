# limit: 1.55
import copy

import timm
import torch
from torch import nn

torch.manual_seed(42)


class ModelEMA:
    def __init__(self, model, decay=0.999):
        self.module = copy.deepcopy(model).eval()
        for p in self.module.parameters():
            p.requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.module.parameters(), model.parameters()):
            e.lerp_(p, 1 - self.decay)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = timm.create_model(cfg["arch"], pretrained=False, num_classes=100).cuda()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg["lr"], fused=True)
        self.crit = nn.CrossEntropyLoss(label_smoothing=0.1)
        self.ema = None

    def loader(self):
        for _ in range(self.cfg["steps"]):
            n = self.cfg["batch_size"]
            yield torch.randn(n, 3, 224, 224).cuda(), torch.randint(0, 100, (n,)).cuda()

    def train_epoch(self, epoch):
        self.model.train()
        if epoch == self.cfg["ema_start"]:
            self.ema = ModelEMA(self.model)
        for x, y in self.loader():
            loss = self.crit(self.model(x), y)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            if self.ema is not None:
                self.ema.update(self.model)
        print(f"epoch {epoch}: loss {loss.item():.3f}", flush=True)

    def fit(self):
        for epoch in range(self.cfg["epochs"]):
            self.train_epoch(epoch)


CFG = dict(arch="vit_base_patch16_224", lr=1e-4, batch_size=2, steps=12, epochs=5, ema_start=2)
Trainer(CFG).fit()
