# limit: 2
import torch
import torch.nn as nn

EFFECTIVE, MICRO = 512, 64
PARTS = EFFECTIVE // MICRO


class Tagger(nn.Module):
    def __init__(self, d=512, layers=6, tags=40):
        super().__init__()
        self.emb = nn.Embedding(20_000, d)
        self.mix = nn.ModuleList(nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(layers))
        self.tag = nn.Linear(d, tags)

    def forward(self, ids):
        x = self.emb(ids)
        for m in self.mix:
            x = x + m(x)
        return self.tag(x)


model = Tagger().cuda()
opt = torch.optim.AdamW(model.parameters(), lr=2e-4)
sched = torch.optim.lr_scheduler.LinearLR(opt, 0.1, 1.0, 10)
for update in range(12):
    running = torch.zeros((), device="cuda")
    for part in range(PARTS):
        ids = torch.randint(0, 20_000, (MICRO, 128), device="cuda")
        tags = torch.randint(0, 40, (MICRO, 128), device="cuda")
        loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), tags.flatten()) / PARTS
        loss.backward()
        running += loss.detach()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    opt.zero_grad(set_to_none=True)
    print(update, running.item())
