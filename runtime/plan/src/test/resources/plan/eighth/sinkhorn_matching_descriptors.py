import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Match(nn.Module):
    def __init__(self, width=128, heads=4, rounds=6):
        super().__init__()
        self.place = nn.Sequential(nn.Conv1d(2, 64, 1), nn.BatchNorm1d(64), nn.ReLU(), nn.Conv1d(64, width, 1))
        self.turns = nn.ModuleList(nn.MultiheadAttention(width, heads, batch_first=True) for _ in range(rounds))
        self.merge = nn.ModuleList(nn.Sequential(nn.Linear(2 * width, 2 * width), nn.LayerNorm(2 * width), nn.GELU(), nn.Linear(2 * width, width)) for _ in range(rounds))
        self.bin = nn.Parameter(torch.tensor(1.0))

    def forward(self, a, pa, b, pb):
        a, b = a + self.place(pa.mT).mT, b + self.place(pb.mT).mT
        for n, (attend, merge) in enumerate(zip(self.turns, self.merge)):
            other_a, other_b = (a, b) if n % 2 == 0 else (b, a)
            da, db = attend(a, other_a, other_a)[0], attend(b, other_b, other_b)[0]
            a, b = a + merge(torch.cat([a, da], -1)), b + merge(torch.cat([b, db], -1))
        score = torch.einsum("bnd,bmd->bnm", a, b) / a.shape[-1] ** 0.5
        n, m = score.shape[1:]
        score = F.pad(score, (0, 1, 0, 1))
        score[:, -1] = self.bin
        score[:, :, -1] = self.bin
        mu = torch.cat([score.new_zeros(n), score.new_tensor([float(m)]).log()]).expand(len(score), -1)
        nu = torch.cat([score.new_zeros(m), score.new_tensor([float(n)]).log()]).expand(len(score), -1)
        u, v = torch.zeros_like(mu), torch.zeros_like(nu)
        for _ in range(15):
            u = mu - torch.logsumexp(score + v.unsqueeze(1), 2)
            v = nu - torch.logsumexp(score + u.unsqueeze(2), 1)
        return score + u.unsqueeze(2) + v.unsqueeze(1)


model = Match().cuda()
opt = torch.optim.Adam(model.parameters(), 1e-4)
for _ in range(2):
    a, b = torch.randn(4, 384, 128, device="cuda"), torch.randn(4, 400, 128, device="cuda")
    pa, pb = torch.rand(4, 384, 2, device="cuda"), torch.rand(4, 400, 2, device="cuda")
    log = model(a, pa, b, pb)
    pair = torch.randint(0, 400, (4, 384, 1), device="cuda")
    loss = -log[:, :-1].gather(2, pair).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
