import torch, torch.nn as nn, torch.nn.functional as F
class Attn(nn.Module):
    def __init__(self, d, h):
        super().__init__(); self.h = h; self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
    def forward(self, x, cache):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.h, C // self.h).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        if cache is not None: k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=cache is None)
        return self.o(y.transpose(1, 2).reshape(B, T, C)), (k, v)
class LM(nn.Module):
    def __init__(self, V=32000, d=1024, n=8, h=16):
        super().__init__(); self.e = nn.Embedding(V, d); self.head = nn.Linear(d, V, bias=False)
        self.layers = nn.ModuleList(nn.ModuleDict(dict(n1=nn.LayerNorm(d), a=Attn(d, h), n2=nn.LayerNorm(d), m=nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d)))) for _ in range(n))
    def forward(self, ids, caches):
        x, out = self.e(ids), []
        for l, c in zip(self.layers, caches):
            a, c = l["a"](l["n1"](x), c); x = x + a; x = x + l["m"](l["n2"](x)); out.append(c)
        return self.head(x[:, -1:]), out
model = LM().half().cuda().eval(); ids = torch.randint(0, 32000, (4, 128), device="cuda"); caches = [None] * 8
with torch.no_grad():
    for step in range(32):
        logits, caches = model(ids, caches)
        ids = torch.multinomial(torch.softmax(logits[:, -1].float() / 0.8, -1), 1)
