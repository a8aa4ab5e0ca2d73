import copy
import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(a, b, h=256):
    return nn.Sequential(nn.Linear(a, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, b))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(17, 12)

    def forward(self, s):
        mean, log_std = self.net(s).chunk(2, -1)
        normal = torch.distributions.Normal(mean, log_std.clamp(-20, 2).exp())
        u = normal.rsample()
        a = torch.tanh(u)
        return a, (normal.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(-1)


torch.manual_seed(0)
actor, q1, q2 = Actor().cuda(), mlp(23, 1).cuda(), mlp(23, 1).cuda()
t1, t2 = copy.deepcopy(q1), copy.deepcopy(q2)
oa = torch.optim.Adam(actor.parameters(), lr=3e-4)
oq = torch.optim.Adam([*q1.parameters(), *q2.parameters()], lr=3e-4)
buffer = {k: torch.randn(20000, n, device="cuda") for k, n in (("s", 17), ("a", 6), ("r", 1), ("n", 17))}
alpha = 0.2
for step in range(4):
    pick = torch.randint(0, 20000, (512,), device="cuda")
    s, a, r, n = (buffer[k][pick] for k in "sarn")
    with torch.no_grad():
        na, logp = actor(n)
        q = torch.min(t1(torch.cat([n, na], 1)), t2(torch.cat([n, na], 1))).squeeze(-1)
        target = r.squeeze(-1) + 0.99 * (q - alpha * logp)
    sa = torch.cat([s, a], 1)
    loss_q = F.mse_loss(q1(sa).squeeze(-1), target) + F.mse_loss(q2(sa).squeeze(-1), target)
    oq.zero_grad()
    loss_q.backward()
    oq.step()
    for p in (*q1.parameters(), *q2.parameters()):
        p.requires_grad_(False)
    pi, logp = actor(s)
    loss_a = (alpha * logp - torch.min(q1(torch.cat([s, pi], 1)), q2(torch.cat([s, pi], 1))).squeeze(-1)).mean()
    oa.zero_grad()
    loss_a.backward()
    oa.step()
    for p in (*q1.parameters(), *q2.parameters()):
        p.requires_grad_(True)
    with torch.no_grad():
        for online, slow in ((q1, t1), (q2, t2)):
            for p, t in zip(online.parameters(), slow.parameters()):
                t.mul_(0.995).add_(p, alpha=0.005)
