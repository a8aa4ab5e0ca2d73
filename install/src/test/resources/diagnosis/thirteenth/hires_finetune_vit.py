# limit: 3.0
"""Document layout classification; ViT trained at 224/320 and then fine-tuned at 640."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(15)


class Attention(nn.Module):
    def __init__(self, dim, heads, drop):
        super().__init__()
        self.h, self.scale = heads, (dim // heads) ** -0.5
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        attn = (q * self.scale) @ k.transpose(-2, -1)
        attn = self.drop(attn.softmax(-1))
        return self.out((attn @ v).transpose(1, 2).reshape(b, n, d))


class Layer(nn.Module):
    def __init__(self, dim, heads, drop=0.1):
        super().__init__()
        self.a, self.n1, self.n2 = Attention(dim, heads, drop), nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.a(self.n1(x))
        return x + self.mlp(self.n2(x))


class LayoutViT(nn.Module):
    def __init__(self, dim=192, depth=6, heads=6, patch=16, grid=14, classes=16):
        super().__init__()
        self.patch = nn.Conv2d(1, dim, patch, patch)
        self.pos = nn.Parameter(torch.zeros(1, dim, grid, grid))
        self.layers = nn.Sequential(*[Layer(dim, heads) for _ in range(depth)])
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.patch(x)
        x = x + F.interpolate(self.pos, size=x.shape[-2:], mode="bicubic")
        return self.head(self.layers(x.flatten(2).transpose(1, 2)).mean(1))


def phase(model, size, steps, lr, bs=8):
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    for _ in range(steps):
        x = torch.rand(bs, 1, size, size, device="cuda")
        y = torch.randint(0, 16, (bs,), device="cuda")
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{size}px: {loss.item():.4f}", flush=True)


model = LayoutViT().cuda()
phase(model, 224, 30, 1e-3)
phase(model, 320, 20, 5e-4)
phase(model, 640, 20, 1e-4)
