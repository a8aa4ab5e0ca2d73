import torch
import torch.nn as nn
import torch.nn.functional as F


class Gat(nn.Module):
    def __init__(self, a, b, heads):
        super().__init__()
        self.heads, self.b, self.lin = heads, b, nn.Linear(a, heads * b, bias=False)
        self.src, self.dst, self.bias = nn.Parameter(torch.randn(heads, b) * 0.1), nn.Parameter(torch.randn(heads, b) * 0.1), nn.Parameter(torch.zeros(heads * b))

    def forward(self, x, edges):
        h = self.lin(x).view(-1, self.heads, self.b)
        s, d = edges
        e = F.leaky_relu((h * self.src).sum(-1)[s] + (h * self.dst).sum(-1)[d], 0.2)
        top = torch.full((x.shape[0], self.heads), float("-inf"), device=x.device).scatter_reduce(0, d[:, None].expand_as(e), e, "amax")
        e = (e - top[d]).exp()
        total = torch.zeros(x.shape[0], self.heads, device=x.device).index_add_(0, d, e)
        out = torch.zeros_like(h).index_add_(0, d, h[s] * (e / (total[d] + 1e-9))[..., None])
        return out.flatten(1) + self.bias


torch.manual_seed(0)
l1, l2 = Gat(500, 16, 8).cuda(), Gat(128, 7, 1).cuda()
opt = torch.optim.Adam([*l1.parameters(), *l2.parameters()], lr=5e-3, weight_decay=5e-4)
x, edges, y = torch.randn(2700, 500, device="cuda"), torch.randint(0, 2700, (2, 12000), device="cuda"), torch.randint(0, 7, (2700,), device="cuda")
train = torch.arange(2700, device="cuda") % 5 == 0
for step in range(3):
    h = F.dropout(x, 0.6)
    logits = l2(F.dropout(F.elu(l1(h, edges)), 0.6), edges)
    loss = F.cross_entropy(logits[train], y[train])
    opt.zero_grad()
    loss.backward()
    opt.step()
