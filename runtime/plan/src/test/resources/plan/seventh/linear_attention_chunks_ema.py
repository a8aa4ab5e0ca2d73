import copy, torch
import torch.nn as nn
import torch.nn.functional as F


class Linear(nn.Module):
    def __init__(self, d, h=6, chunk=64):
        super().__init__()
        self.h, self.chunk, self.norm, self.qkv, self.out = h, chunk, nn.RMSNorm(d), nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.h, -1).transpose(1, 2) for z in self.qkv(self.norm(x)).chunk(3, -1))
        q, k = F.elu(q) + 1, F.elu(k) + 1
        state, out = q.new_zeros(b, self.h, d // self.h, d // self.h), []
        mask = torch.tril(torch.ones(self.chunk, self.chunk, device=x.device, dtype=x.dtype))
        for i in range(0, t, self.chunk):
            a, c, e = q[:, :, i:i + self.chunk], k[:, :, i:i + self.chunk], v[:, :, i:i + self.chunk]
            out.append(a @ state + ((a @ c.transpose(-1, -2)) * mask) @ e)
            state = state + c.transpose(-1, -2) @ e
        return x + self.out(torch.cat(out, 2).transpose(1, 2).reshape(b, t, d))


torch.manual_seed(0)
d = 384
model = nn.Sequential(nn.Embedding(4096, d), *[m for _ in range(4) for m in (Linear(d), nn.Sequential(nn.RMSNorm(d), nn.Linear(d, 3 * d), nn.SiLU(), nn.Linear(3 * d, d)))], nn.RMSNorm(d), nn.Linear(d, 4096)).cuda()
mean = copy.deepcopy(model)
opt = torch.optim.NAdam(model.parameters(), lr=1e-3, foreach=False)
for step in range(2):
    ids = torch.randint(0, 4096, (8, 513), device="cuda")
    loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
    loss.backward()
    opt.step()
    opt.zero_grad()
    with torch.no_grad():
        for a, b in zip(mean.parameters(), model.parameters()):
            a.lerp_(b, 0.1)
with torch.no_grad():
    print(mean(ids[:, :512]).logsumexp(-1).mean().item())
