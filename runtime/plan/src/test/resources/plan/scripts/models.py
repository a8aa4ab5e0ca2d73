"""Models written by hand, shared by the scripts."""
import math, torch, torch.nn as nn, torch.nn.functional as F

class Block(nn.Module):
    def __init__(self, d, h, sdpa=True, dropout=0.0, causal=True):
        super().__init__()
        self.h, self.sdpa, self.p, self.causal = h, sdpa, dropout, causal
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.fc, self.out = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(self.ln1(x)).split(C, dim=2)
        q, k, v = (t.view(B, T, self.h, C // self.h).transpose(1, 2) for t in (q, k, v))
        if self.sdpa:
            y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.p if self.training else 0.0, is_causal=self.causal)
        else:
            a = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            mask = torch.tril(torch.ones(T, T, device=x.device)).view(1, 1, T, T)
            a = a.masked_fill(mask == 0, float("-inf"))
            a = self.drop(F.softmax(a, dim=-1))
            y = a @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        x = x + self.drop(self.proj(y))
        return x + self.drop(self.out(F.gelu(self.fc(self.ln2(x)))))

class GPT(nn.Module):
    def __init__(self, vocab=5000, d=384, layers=6, heads=6, ctx=256, sdpa=True, dropout=0.0, tie=True, checkpoint=False):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, d), nn.Embedding(ctx, d)
        self.blocks = nn.ModuleList(Block(d, heads, sdpa, dropout) for _ in range(layers))
        self.ln, self.head, self.checkpoint = nn.LayerNorm(d), nn.Linear(d, vocab, bias=False), checkpoint
        if tie: self.head.weight = self.tok.weight
    def forward(self, idx, targets=None):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1], device=idx.device))
        for b in self.blocks:
            if self.checkpoint:
                from torch.utils.checkpoint import checkpoint
                x = checkpoint(b, x, use_reentrant=False)
            else:
                x = b(x)
        logits = self.head(self.ln(x))
        if targets is None: return logits
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1))

class BasicBlock(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o)
        self.c2, self.b2 = nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o)
        self.down = nn.Sequential(nn.Conv2d(i, o, 1, s, bias=False), nn.BatchNorm2d(o)) if s != 1 or i != o else nn.Identity()
    def forward(self, x):
        y = F.relu(self.b1(self.c1(x)), inplace=True)
        return F.relu(self.b2(self.c2(y)) + self.down(x))

class SmallResNet(nn.Module):
    def __init__(self, classes=10, width=32):
        super().__init__()
        w = width
        self.stem = nn.Sequential(nn.Conv2d(3, w, 3, 1, 1, bias=False), nn.BatchNorm2d(w), nn.ReLU())
        self.layers = nn.Sequential(BasicBlock(w, w, 1), BasicBlock(w, 2 * w, 2), BasicBlock(2 * w, 4 * w, 2), BasicBlock(4 * w, 8 * w, 2))
        self.fc = nn.Linear(8 * w, classes)
    def forward(self, x):
        return self.fc(F.adaptive_avg_pool2d(self.layers(self.stem(x)), 1).flatten(1))

class UNet(nn.Module):
    def __init__(self, w=32):
        super().__init__()
        def two(i, o): return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(8, o), nn.SiLU(), nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(8, o), nn.SiLU())
        self.d1, self.d2, self.mid = two(3, w), two(w, 2 * w), two(2 * w, 4 * w)
        self.u2, self.c2 = nn.ConvTranspose2d(4 * w, 2 * w, 2, 2), two(4 * w, 2 * w)
        self.u1, self.c1 = nn.ConvTranspose2d(2 * w, w, 2, 2), two(2 * w, w)
        self.out = nn.Conv2d(w, 3, 1)
    def forward(self, x):
        a = self.d1(x); b = self.d2(F.max_pool2d(a, 2)); m = self.mid(F.max_pool2d(b, 2))
        y = self.c2(torch.cat([self.u2(m), b], 1))
        return self.out(self.c1(torch.cat([self.u1(y), a], 1)))

class VAE(nn.Module):
    def __init__(self, d=784, h=512, z=32):
        super().__init__()
        self.enc, self.mu, self.lv = nn.Linear(d, h), nn.Linear(h, z), nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d), nn.Sigmoid())
    def forward(self, x):
        h = F.relu(self.enc(x)); mu, lv = self.mu(h), self.lv(h)
        return self.dec(mu + torch.randn_like(mu) * torch.exp(0.5 * lv)), mu, lv
