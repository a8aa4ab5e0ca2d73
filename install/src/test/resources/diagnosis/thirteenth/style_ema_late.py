# limit: 2.6
import copy
import torch
from torch import nn


class Config:
    width = 3584
    depth = 11
    latent = 512
    steps = 60
    ema_start = 30
    decay = 0.999
    device = "cuda"


class Synth(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.inp = nn.Linear(c.latent, c.width)
        self.layers = nn.ModuleList(nn.Linear(c.width, c.width) for _ in range(c.depth))
        self.out = nn.Linear(c.width, 3 * 32 * 32)

    def forward(self, z):
        h = self.inp(z)
        for l in self.layers:
            h = torch.tanh(l(h))
        return self.out(h)


class EmaCallback:
    def __init__(self, start, decay):
        self.start, self.decay, self.model = start, decay, None

    @torch.no_grad()
    def on_step_end(self, step, model):
        if step < self.start:
            return
        if self.model is None:
            self.model = copy.deepcopy(model).requires_grad_(False)
            return
        for e, p in zip(self.model.parameters(), model.parameters()):
            e.lerp_(p, 1 - self.decay)


class Trainer:
    def __init__(self, cfg, callbacks):
        self.cfg, self.callbacks = cfg, callbacks
        self.model = Synth(cfg).to(cfg.device)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=1e-4, fused=True)

    def run(self):
        n = sum(p.numel() for p in self.model.parameters())
        print(f"{n / 1e6:.1f} M parameters")
        for step in range(self.cfg.steps):
            z = torch.randn(64, self.cfg.latent, device=self.cfg.device)
            target = torch.rand(64, 3072, device=self.cfg.device)
            loss = (self.model(z) - target).square().mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for cb in self.callbacks:
                cb.on_step_end(step, self.model)
            if step % 10 == 0:
                print(step, round(loss.item(), 5))


torch.manual_seed(8)
Trainer(Config(), [EmaCallback(Config.ema_start, Config.decay)]).run()
