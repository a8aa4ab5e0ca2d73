import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)


class Scan(nn.Module):
    """A selective state space, step by step."""

    def __init__(self, width=256, inner=512, state=16, rank=16):
        super().__init__()
        self.norm, self.into, self.out = nn.LayerNorm(width), nn.Linear(width, 2 * inner, bias=False), nn.Linear(inner, width, bias=False)
        self.parts, self.delta = nn.Linear(inner, rank + 2 * state, bias=False), nn.Linear(rank, inner)
        self.a = nn.Parameter(torch.arange(1, state + 1).float().log().repeat(inner, 1))
        self.d, self.state, self.rank = nn.Parameter(torch.ones(inner)), state, rank

    def forward(self, x):
        u, gate = self.into(self.norm(x)).chunk(2, -1)
        u = F.silu(u)
        rank, b, c = self.parts(u).split([self.rank, self.state, self.state], -1)
        delta = F.softplus(self.delta(rank))
        decay = torch.exp(delta.unsqueeze(-1) * -self.a.exp())
        fed = (delta * u).unsqueeze(-1) * b.unsqueeze(2)
        h, ys = torch.zeros_like(fed[:, 0]), []
        for t in range(x.shape[1]):
            h = decay[:, t] * h + fed[:, t]
            ys.append((h * c[:, t].unsqueeze(1)).sum(-1))
        y = torch.stack(ys, 1) + u * self.d
        return x + self.out(y * F.silu(gate))


model = nn.Sequential(nn.Embedding(1000, 256), Scan(), Scan(), nn.Linear(256, 1000)).cuda()
opt = torch.optim.NAdam(model.parameters(), lr=1e-3)
for step in range(3):
    ids = torch.randint(0, 1000, (4, 65), device="cuda")
    loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
