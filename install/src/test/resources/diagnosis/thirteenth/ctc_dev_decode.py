# limit: 1.0
"""Character CTC baseline: train a bit, then collect posteriors on dev for the beam search."""
import logging

import torch
import torch.nn as nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
log = logging.getLogger("ctc")
torch.manual_seed(11)
device = torch.device("cuda")
VOCAB = 1024


class Acoustic(nn.Module):
    def __init__(self, mel=80, dim=256):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(mel, dim, 5, padding=2), nn.ReLU(),
            nn.Conv1d(dim, dim, 5, padding=2), nn.ReLU(),
            nn.Conv1d(dim, dim, 5, padding=2), nn.ReLU(),
        )
        self.out = nn.Linear(dim, VOCAB)

    def forward(self, x):
        h = self.net(x).transpose(1, 2)
        return F.log_softmax(self.out(h), dim=-1)


def batches(n, bs=16, frames=800):
    for _ in range(n):
        x = torch.randn(bs, 80, frames, device=device)
        y = torch.randint(1, VOCAB, (bs, 60), device=device)
        yield x, y


def train_epoch(model, opt):
    model.train()
    for i, (x, y) in enumerate(batches(15)):
        lp = model(x).transpose(0, 1)
        t_len = torch.full((x.size(0),), lp.size(0), dtype=torch.long)
        y_len = torch.full((x.size(0),), y.size(1), dtype=torch.long)
        loss = F.ctc_loss(lp, y, t_len, y_len)
        opt.zero_grad()
        loss.backward()
        opt.step()
    log.info("train loss %.3f", loss.item())


@torch.no_grad()
def dev_posteriors(model):
    model.eval()
    posteriors, refs = [], []
    for x, y in batches(60):
        posteriors.append(model(x))
        refs.append(y.cpu())
    return posteriors, refs


def greedy(post):
    return [p.argmax(-1).cpu() for p in post]


model = Acoustic().to(device)
opt = torch.optim.Adam(model.parameters(), 1e-3)
for epoch in range(2):
    train_epoch(model, opt)
    post, refs = dev_posteriors(model)
    hyp = greedy(post)
    log.info("epoch %d decoded %d batches", epoch, len(hyp))
    del post
