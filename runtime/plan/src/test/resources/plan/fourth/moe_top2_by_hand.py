import torch
import torch.nn as nn
import torch.nn.functional as F


class Experts(nn.Module):
    def __init__(self, d=256, h=768, n=6, k=2):
        super().__init__()
        self.k, self.gate = k, nn.Linear(d, n, bias=False)
        self.w1, self.w2 = nn.Parameter(torch.randn(n, d, h) * 0.02), nn.Parameter(torch.randn(n, h, d) * 0.02)

    def forward(self, x):
        shape, x = x.shape, x.reshape(-1, x.shape[-1])
        probs = self.gate(x).softmax(-1)
        weight, which = probs.topk(self.k, -1)
        weight = weight / weight.sum(-1, keepdim=True)
        dense = torch.zeros_like(probs).scatter(1, which, weight)
        h = F.silu(torch.einsum("td,edh->teh", x, self.w1))
        y = torch.einsum("teh,ehd,te->td", h, self.w2, dense)
        balance = (probs.mean(0) * F.one_hot(which, probs.shape[1]).float().sum(1).mean(0)).sum()
        return y.view(shape), balance


torch.manual_seed(0)
embed, layers, head = nn.Embedding(5000, 256).cuda(), nn.ModuleList(Experts() for _ in range(3)).cuda(), nn.Linear(256, 5000).cuda()
norms = nn.ModuleList(nn.RMSNorm(256) for _ in range(3)).cuda()
params = [*embed.parameters(), *layers.parameters(), *head.parameters(), *norms.parameters()]
opt = torch.optim.AdamW(params, lr=1e-3, amsgrad=True)
for step in range(3):
    ids = torch.randint(0, 5000, (4, 128), device="cuda")
    x, aux = embed(ids), 0
    for norm, layer in zip(norms, layers):
        y, balance = layer(norm(x))
        x, aux = x + y, aux + balance
    loss = F.cross_entropy(head(x)[:, :-1].flatten(0, 1), ids[:, 1:].flatten()) + 0.01 * aux
    opt.zero_grad()
    loss.backward()
    opt.step()
