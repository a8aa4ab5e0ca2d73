"""DeepAR with Student-t output on a synthetic panel; sliding windows; accelerate with gradient accumulation; sampled forecasts."""
import math
import os
import tempfile

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.distributions import StudentT
from torch.utils.data import DataLoader, Dataset

SERIES = 200
LENGTH = 720
CONTEXT = 336
PRED = 48
BATCH = 192
HID = 384
LAYERS = 3
SAMPLES = 64
STEPS = 8


def panel():
    g = torch.Generator().manual_seed(0)
    t = torch.arange(LENGTH).float()
    amp, ph = torch.rand(SERIES, 2, 1, generator=g) * 3, torch.rand(SERIES, 2, 1, generator=g) * 6
    y = amp[:, 0] * torch.sin(2 * math.pi * t / 24 + ph[:, 0]) + amp[:, 1] * torch.sin(2 * math.pi * t / 168 + ph[:, 1])
    noise = torch.randn(SERIES, LENGTH, generator=g) / torch.rand(SERIES, LENGTH, generator=g).clamp_min(0.2)
    return y + 0.2 * noise + 10 * torch.rand(SERIES, 1, generator=g)


class Windows(Dataset):
    """every (series, start) pair"""

    def __init__(self, y, stride=12):
        self.y = y
        w = CONTEXT + PRED
        self.index = [(s, i) for s in range(len(y)) for i in range(0, y.shape[1] - w + 1, stride)]
        t = torch.arange(y.shape[1]).float()
        self.cov = torch.stack([torch.sin(2 * math.pi * t / p) for p in (24, 168)] + [torch.cos(2 * math.pi * t / p) for p in (24, 168)], 1)

    def __len__(self):
        return len(self.index)

    def __getitem__(self, k):
        s, i = self.index[k]
        sl = slice(i, i + CONTEXT + PRED)
        return s, self.y[s, sl], self.cov[sl]


class DeepAR(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(SERIES, 16)
        self.rnn = nn.LSTM(1 + 4 + 16 + 1, HID, LAYERS, dropout=0.1, batch_first=True)
        self.head = nn.Linear(HID, 3)

    def features(self, s, y, cov, scale):
        e = self.emb(s)[:, None].expand(-1, y.shape[1], -1)
        return torch.cat([(y / scale)[..., None], cov, e, scale.log()[..., None].expand(-1, y.shape[1], -1)], -1)

    def dist(self, h, scale):
        df, mu, sg = self.head(h).float().unbind(-1)
        return StudentT(2.1 + nn.functional.softplus(df), mu * scale, (nn.functional.softplus(sg) + 1e-4) * scale)

    def forward(self, s, y, cov):
        scale = y[:, :CONTEXT].abs().mean(1, keepdim=True) + 1e-3
        h, _ = self.rnn(self.features(s, y[:, :-1], cov[:, 1:], scale))
        return -self.dist(h, scale).log_prob(y[:, 1:]).mean()

    @torch.no_grad()
    def forecast(self, s, y, cov, n):
        scale = y[:, :CONTEXT].abs().mean(1, keepdim=True) + 1e-3
        _, st = self.rnn(self.features(s, y[:, :CONTEXT - 1], cov[:, 1:CONTEXT], scale))
        st = tuple(q.repeat_interleave(n, 1) for q in st)
        s, scale, last = s.repeat_interleave(n), scale.repeat_interleave(n, 0), y[:, CONTEXT - 1:CONTEXT].repeat_interleave(n, 0)
        out = []
        for k in range(PRED):
            c = cov[:, CONTEXT + k:CONTEXT + k + 1].repeat_interleave(n, 0)
            h, st = self.rnn(self.features(s, last, c, scale), st)
            last = self.dist(h, scale).sample()
            out.append(last)
        return torch.cat(out, 1).view(-1, n, PRED)


def main():
    set_seed(7)
    acc = Accelerator(gradient_accumulation_steps=2, mixed_precision="no")
    ds = Windows(panel())
    dl = DataLoader(ds, BATCH, shuffle=True, drop_last=True)
    model = DeepAR()
    opt = torch.optim.AdamW(model.parameters(), 1e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.98)
    model, opt, dl, sched = acc.prepare(model, opt, dl, sched)
    model.train()
    for step, (s, y, cov) in enumerate(dl):
        if step == STEPS:
            break
        with acc.accumulate(model):
            loss = model(s, y, cov)
            acc.backward(loss)
            if acc.sync_gradients:
                acc.clip_grad_norm_(model.parameters(), 10.0)
            opt.step()
            sched.step()
            opt.zero_grad()
        acc.print(f"{step} nll {loss.item():.4f} sync {acc.sync_gradients}")
    m = acc.unwrap_model(model).eval()
    paths = m.forecast(s[:64], y[:64], cov[:64], SAMPLES)
    q = torch.quantile(paths, torch.tensor([0.1, 0.5, 0.9], device=paths.device), dim=1)
    truth = y[:64, CONTEXT:]
    acc.print("coverage", ((truth > q[0]) & (truth < q[2])).float().mean().item(), "mae", (truth - q[1]).abs().mean().item())
    with tempfile.TemporaryDirectory() as d:
        acc.save_state(os.path.join(d, "state"))
    acc.print("peak MiB", torch.cuda.max_memory_allocated() / 2**20)


if __name__ == "__main__":
    main()
