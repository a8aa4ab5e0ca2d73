# limit: 3
import torch
import torch.nn as nn
import torch.nn.functional as F


class Denoise(nn.Module):
    def __init__(self, patches=256, d=512, layers=4, heads=8):
        super().__init__()
        self.heads = heads
        self.inp = nn.Linear(48, d)
        self.pos = nn.Parameter(torch.zeros(1, patches, d))
        self.time = nn.Sequential(nn.Linear(1, d), nn.SiLU(), nn.Linear(d, d))
        self.qkv = nn.ModuleList(nn.Linear(d, 3 * d) for _ in range(layers))
        self.ff = nn.ModuleList(nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(layers))
        self.out = nn.Linear(d, 48)

    def forward(self, x, t):
        h = self.inp(x) + self.pos + self.time(t.view(-1, 1, 1))
        b, n, d = h.shape
        for qkv, ff in zip(self.qkv, self.ff):
            q, k, v = qkv(h).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
            h = h + F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d)
            h = h + ff(h)
        return self.out(h)


net = Denoise().cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
betas = torch.linspace(1e-4, 0.02, 1000, device="cuda")
alpha = (1 - betas).cumprod(0)

for step in range(60):
    x0 = torch.randn(32, 256, 48, device="cuda")
    t = torch.randint(0, 1000, (32,), device="cuda")
    eps = torch.randn_like(x0)
    a = alpha[t].view(-1, 1, 1)
    xt = a.sqrt() * x0 + (1 - a).sqrt() * eps
    with torch.autocast("cuda", dtype=torch.bfloat16):
        pred = net(xt, t / 1000)
    loss = F.mse_loss(pred.float(), eps)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(step, loss.item())
