"""Whole models: three training steps and an evaluation, marks after every phase: usage: models.py MODEL OUTFILE, or models.py list

The environment chooses the mode: pure is CUBLAS_WORKSPACE_CONFIG=:0:0 DISABLE_ADDMM_CUDA_LT=1, default is nothing, expandable is pure with
PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True. A mark is [name, allocated, requested, peak allocated, peak requested, reserved, inactive, live allocations,
segments, allocations so far]; peaks are reset after every mark. All absolute. Parameters are filled as measured.fill says, on the host, before .to(device)."""
import sys, os, math
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measured import *
import torch.nn as nn, torch.nn.functional as F

# ---- language models
class Block(nn.Module):
    def __init__(self, d, h, sdpa, drop):
        super().__init__(); self.h, self.sdpa = h, sdpa
        self.ln_1 = nn.LayerNorm(d); self.c_attn = nn.Linear(d, 3 * d); self.c_proj = nn.Linear(d, d); self.ln_2 = nn.LayerNorm(d); self.c_fc = nn.Linear(d, 4 * d); self.mlp_proj = nn.Linear(4 * d, d); self.drop = nn.Dropout(drop)
        if not sdpa: self.register_buffer('bias', torch.tril(torch.ones(256, 256)).view(1, 1, 256, 256))
    def forward(self, x):
        B, T, C = x.size()
        y = self.ln_1(x); q, k, v = self.c_attn(y).split(C, dim=2)
        k = k.view(B, T, self.h, C // self.h).transpose(1, 2); q = q.view(B, T, self.h, C // self.h).transpose(1, 2); v = v.view(B, T, self.h, C // self.h).transpose(1, 2)
        if self.sdpa: y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0., is_causal=True)
        else:
            att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1))); att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float('-inf')); att = F.softmax(att, dim=-1); y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C); x = x + self.drop(self.c_proj(y))
        return x + self.drop(self.mlp_proj(F.gelu(self.c_fc(self.ln_2(x)))))
class GPT(nn.Module):
    def __init__(self, sdpa, V=1000, d=256, h=8, n=4, T=256):
        super().__init__(); self.wte = nn.Embedding(V, d); self.wpe = nn.Embedding(T, d); self.blocks = nn.ModuleList([Block(d, h, sdpa, 0.) for _ in range(n)]); self.ln_f = nn.LayerNorm(d); self.lm_head = nn.Linear(d, V, bias=False); self.wte.weight = self.lm_head.weight
    def forward(self, idx, targets=None):
        pos = torch.arange(0, idx.size(1), dtype=torch.long, device=idx.device); x = self.wte(idx) + self.wpe(pos)
        for b in self.blocks: x = b(x)
        logits = self.lm_head(self.ln_f(x))
        return logits if targets is None else F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
class RMS(nn.Module):
    def __init__(self, d): super().__init__(); self.weight = nn.Parameter(torch.ones(d))
    def forward(self, x): return self.weight * (x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6)).type_as(x)
def rope(x, cos, sin): a, b = x.chunk(2, -1); return x * cos + torch.cat((-b, a), -1) * sin
class LlamaBlock(nn.Module):
    def __init__(self, d, h, k, f):
        super().__init__(); self.h, self.k, self.d = h, k, d // h
        self.n1 = RMS(d); self.q = nn.Linear(d, d, bias=False); self.kk = nn.Linear(d, k * self.d, bias=False); self.v = nn.Linear(d, k * self.d, bias=False); self.o = nn.Linear(d, d, bias=False); self.n2 = nn.RMSNorm(d, eps=1e-6); self.gate = nn.Linear(d, f, bias=False); self.up = nn.Linear(d, f, bias=False); self.down = nn.Linear(f, d, bias=False)
    def forward(self, x, cos, sin):
        B, T, C = x.shape; y = self.n1(x)
        q = self.q(y).view(B, T, self.h, self.d).transpose(1, 2); k = self.kk(y).view(B, T, self.k, self.d).transpose(1, 2); v = self.v(y).view(B, T, self.k, self.d).transpose(1, 2)
        q, k = rope(q, cos, sin), rope(k, cos, sin); k = k.repeat_interleave(self.h // self.k, 1); v = v.repeat_interleave(self.h // self.k, 1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True); x = x + self.o(y.transpose(1, 2).reshape(B, T, C))
        y = self.n2(x); return x + self.down(F.silu(self.gate(y)) * self.up(y))
class Llama(nn.Module):
    def __init__(self, V=1000, d=256, h=8, k=2, n=3, f=688):
        super().__init__(); self.emb = nn.Embedding(V, d); self.blocks = nn.ModuleList([LlamaBlock(d, h, k, f) for _ in range(n)]); self.norm = RMS(d); self.head = nn.Linear(d, V, bias=False); a = torch.outer(torch.arange(256).float(), 1e4 ** (-torch.arange(0, d // h, 2).float() / (d // h))); a = torch.cat((a, a), -1); self.register_buffer('cos', a.cos()); self.register_buffer('sin', a.sin())
    def forward(self, i, t=None):
        x = self.emb(i); cos, sin = self.cos[:i.size(1)], self.sin[:i.size(1)]
        for b in self.blocks: x = b(x, cos, sin)
        x = self.head(self.norm(x)); return x if t is None else F.cross_entropy(x.flatten(0, 1), t.flatten())
class Bert(nn.Module):
    def __init__(self, V=1000, d=128, n=2):
        super().__init__(); self.w = nn.Embedding(V, d, padding_idx=0); self.p = nn.Embedding(128, d); self.t = nn.Embedding(2, d); self.ln = nn.LayerNorm(d, eps=1e-12); self.layers = nn.ModuleList([nn.ModuleDict(dict(q=nn.Linear(d, d), k=nn.Linear(d, d), v=nn.Linear(d, d), o=nn.Linear(d, d), n1=nn.LayerNorm(d, eps=1e-12), f=nn.Linear(d, 4 * d), g=nn.Linear(4 * d, d), n2=nn.LayerNorm(d, eps=1e-12))) for _ in range(n)]); self.tr = nn.Linear(d, d); self.trn = nn.LayerNorm(d); self.dec = nn.Linear(d, V); self.dec.weight = self.w.weight
    def forward(self, ids, mask, labels=None):
        B, T = ids.shape; x = self.ln(self.w(ids) + self.t(torch.zeros_like(ids)) + self.p(torch.arange(T, device=ids.device)[None])); m = (1. - mask[:, None, None, :].to(x.dtype)) * torch.finfo(x.dtype).min
        for l in self.layers:
            h = lambda z: z.view(B, T, 4, -1).transpose(1, 2)
            s = h(l['q'](x)) @ h(l['k'](x)).transpose(-1, -2) / math.sqrt(x.size(-1) // 4) + m
            c = (F.softmax(s, -1) @ h(l['v'](x))).permute(0, 2, 1, 3).contiguous().view(B, T, -1); x = l['n1'](l['o'](c) + x); x = l['n2'](l['g'](F.gelu(l['f'](x))) + x)
        y = self.dec(self.trn(F.gelu(self.tr(x)))); return y if labels is None else F.cross_entropy(y.view(-1, y.size(-1)), labels.view(-1), ignore_index=-100)
class T5(nn.Module):
    """Encoder and decoder with relative position biases, no scaling, RMS norms, ReLU feed-forward"""
    def __init__(self, V=1000, d=128, h=4, n=2):
        super().__init__(); self.h = h; self.emb = nn.Embedding(V, d); self.enc = nn.ModuleList([self.layer(d, False) for _ in range(n)]); self.dec = nn.ModuleList([self.layer(d, True) for _ in range(n)]); self.be = nn.Embedding(32, h); self.bd = nn.Embedding(32, h); self.ne = RMS(d); self.nd = RMS(d); self.head = nn.Linear(d, V, bias=False)
    def layer(self, d, cross):
        lin = lambda a, b: nn.Linear(a, b, bias=False); m = dict(n1=RMS(d), q=lin(d, d), k=lin(d, d), v=lin(d, d), o=lin(d, d), n2=RMS(d), wi=lin(d, 4 * d), wo=lin(4 * d, d))
        if cross: m.update(nc=RMS(d), cq=lin(d, d), ck=lin(d, d), cv=lin(d, d), co=lin(d, d))
        return nn.ModuleDict(m)
    def attend(self, q, k, v, bias):
        f = lambda z: z.view(z.size(0), z.size(1), self.h, -1).transpose(1, 2); s = torch.matmul(f(q), f(k).transpose(3, 2))
        if bias is not None: s = s + bias
        return torch.matmul(F.softmax(s.float(), dim=-1).type_as(s), f(v)).transpose(1, 2).contiguous().view(q.size(0), q.size(1), -1)
    def bias(self, table, T, causal, device):
        r = torch.arange(T, device=device)[None] - torch.arange(T, device=device)[:, None]; b = table(r.abs().clamp(max=15) + 16 * (r > 0).long()).permute(2, 0, 1).unsqueeze(0)
        return b + torch.full((T, T), float('-inf'), device=device).triu(1) if causal else b
    def forward(self, src, tgt, labels=None):
        x = self.emb(src); b = self.bias(self.be, src.size(1), False, src.device)
        for l in self.enc:
            y = l['n1'](x); x = x + l['o'](self.attend(l['q'](y), l['k'](y), l['v'](y), b)); x = x + l['wo'](F.relu(l['wi'](l['n2'](x))))
        m = self.ne(x); x = self.emb(tgt); b = self.bias(self.bd, tgt.size(1), True, tgt.device)
        for l in self.dec:
            y = l['n1'](x); x = x + l['o'](self.attend(l['q'](y), l['k'](y), l['v'](y), b)); y = l['nc'](x); x = x + l['co'](self.attend(l['cq'](y), l['ck'](m), l['cv'](m), None)); x = x + l['wo'](F.relu(l['wi'](l['n2'](x))))
        x = self.head(self.nd(x) * (x.size(-1) ** -.5)); return x if labels is None else F.cross_entropy(x.view(-1, x.size(-1)), labels.view(-1))
class TransformerLM(nn.Module):
    def __init__(self, V=1000, d=128): super().__init__(); self.e = nn.Embedding(V, d); self.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(d, 4, 512, dropout=0., batch_first=True), 2); self.o = nn.Linear(d, V)
    def forward(self, i, t=None):
        x = self.e(i) * math.sqrt(self.e.embedding_dim); x = self.enc(x, mask=nn.Transformer.generate_square_subsequent_mask(i.size(1), device=i.device), is_causal=True); x = self.o(x); return x if t is None else F.cross_entropy(x.view(-1, x.size(-1)), t.view(-1))
class LSTMLM(nn.Module):
    def __init__(self, V=1000, d=200, n=2): super().__init__(); self.e = nn.Embedding(V, d); self.r = nn.LSTM(d, d, n); self.o = nn.Linear(d, V)
    def forward(self, x, t=None):
        y, _ = self.r(self.e(x)); y = self.o(y); return y if t is None else F.cross_entropy(y.view(-1, y.size(-1)), t.view(-1))
class Seq2Seq(nn.Module):
    """GRU encoder and decoder with additive attention, a step at a time"""
    def __init__(self, V=500, d=128): super().__init__(); self.e1 = nn.Embedding(V, d); self.enc = nn.GRU(d, d, batch_first=True); self.e2 = nn.Embedding(V, d); self.dec = nn.GRU(2 * d, d, batch_first=True); self.wa = nn.Linear(d, d); self.ua = nn.Linear(d, d); self.va = nn.Linear(d, 1); self.out = nn.Linear(d, V)
    def forward(self, src, tgt, labels=None):
        ks, h = self.enc(self.e1(src)); outs = []
        for i in range(tgt.size(1)):
            q = h.permute(1, 0, 2); s = self.va(torch.tanh(self.wa(q) + self.ua(ks))).squeeze(2).unsqueeze(1); c = torch.bmm(F.softmax(s, dim=-1), ks)
            o, h = self.dec(torch.cat((self.e2(tgt[:, i:i + 1]), c), dim=2), h); outs.append(self.out(o))
        y = torch.cat(outs, dim=1); y = F.log_softmax(y, dim=-1); return y if labels is None else F.nll_loss(y.view(-1, y.size(-1)), labels.view(-1))
# ---- pictures
class Bottleneck(nn.Module):
    def __init__(self, i, w, s):
        super().__init__(); self.conv1 = nn.Conv2d(i, w, 1, bias=False); self.bn1 = nn.BatchNorm2d(w); self.conv2 = nn.Conv2d(w, w, 3, s, 1, bias=False); self.bn2 = nn.BatchNorm2d(w); self.conv3 = nn.Conv2d(w, 4 * w, 1, bias=False); self.bn3 = nn.BatchNorm2d(4 * w); self.relu = nn.ReLU(inplace=True)
        self.down = nn.Sequential(nn.Conv2d(i, 4 * w, 1, s, bias=False), nn.BatchNorm2d(4 * w)) if s != 1 or i != 4 * w else None
    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x))); y = self.relu(self.bn2(self.conv2(y))); y = self.bn3(self.conv3(y)); z = x if self.down is None else self.down(x); y += z; return self.relu(y)
class ResNet50(nn.Module):
    def __init__(self, depth=(3, 4, 6, 3)):
        super().__init__(); self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False); self.bn1 = nn.BatchNorm2d(64); self.relu = nn.ReLU(inplace=True); self.pool = nn.MaxPool2d(3, 2, 1); i = 64; L = []
        for k, n in enumerate(depth):
            w = 64 * 2 ** k; B = []
            for j in range(n): B.append(Bottleneck(i, w, 2 if k and not j else 1)); i = 4 * w
            L.append(nn.Sequential(*B))
        self.layers = nn.Sequential(*L); self.avg = nn.AdaptiveAvgPool2d((1, 1)); self.fc = nn.Linear(2048, 100)
    def forward(self, x, t=None):
        x = self.pool(self.relu(self.bn1(self.conv1(x)))); x = torch.flatten(self.avg(self.layers(x)), 1); x = self.fc(x); return x if t is None else F.cross_entropy(x, t)
class Inverted(nn.Module):
    def __init__(self, i, o, s, e, k=3, se=False, act=nn.ReLU6):
        super().__init__(); h = i * e; self.skip = s == 1 and i == o; m = [nn.Conv2d(i, h, 1, bias=False), nn.BatchNorm2d(h), act(inplace=True)] if e > 1 else []
        m += [nn.Conv2d(h, h, k, s, k // 2, groups=h, bias=False), nn.BatchNorm2d(h), act(inplace=True)]; self.a = nn.Sequential(*m); self.se = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(h, max(1, i // 4), 1), nn.SiLU(inplace=True), nn.Conv2d(max(1, i // 4), h, 1), nn.Sigmoid()) if se else None; self.b = nn.Sequential(nn.Conv2d(h, o, 1, bias=False), nn.BatchNorm2d(o))
    def forward(self, x):
        y = self.a(x)
        if self.se is not None: y = self.se(y) * y
        y = self.b(y); return x + y if self.skip else y
def mobile(effective):
    act = nn.SiLU if effective else nn.ReLU6; m = [nn.Conv2d(3, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32), act(inplace=True)]; i = 32
    for e, o, n, s, k in ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 2, 2, 3)):
        for j in range(n): m.append(Inverted(i, o, s if j == 0 else 1, e, k if effective else 3, effective, act)); i = o
    return Head(nn.Sequential(*m, nn.Conv2d(i, 320, 1, bias=False), nn.BatchNorm2d(320), act(inplace=True)), nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.), nn.Linear(320, 100)))
class Head(nn.Module):
    def __init__(self, f, h): super().__init__(); self.f, self.h = f, h
    def forward(self, x, t=None): x = self.h(self.f(x)); return x if t is None else F.cross_entropy(x, t, label_smoothing=.1)
class ViT(nn.Module):
    def __init__(self, d=192, n=3):
        super().__init__(); self.patch = nn.Conv2d(3, d, 16, 16); self.cls = nn.Parameter(torch.zeros(1, 1, d)); self.pos = nn.Parameter(torch.zeros(1, 50, d)); self.layers = nn.Sequential(*[nn.TransformerEncoderLayer(d, 3, 4 * d, dropout=0., activation='gelu', batch_first=True, norm_first=True) for _ in range(n)]); self.ln = nn.LayerNorm(d); self.head = nn.Linear(d, 100)
    def forward(self, x, t=None):
        x = self.patch(x).flatten(2).transpose(1, 2); x = torch.cat((self.cls.expand(x.size(0), -1, -1), x), 1) + self.pos; x = self.head(self.ln(self.layers(x))[:, 0]); return x if t is None else F.cross_entropy(x, t)
class CNBlock(nn.Module):
    def __init__(self, d): super().__init__(); self.dw = nn.Conv2d(d, d, 7, padding=3, groups=d); self.n = nn.LayerNorm(d, eps=1e-6); self.a = nn.Linear(d, 4 * d); self.b = nn.Linear(4 * d, d); self.gamma = nn.Parameter(1e-6 * torch.ones(d))
    def forward(self, x): y = self.dw(x).permute(0, 2, 3, 1); y = self.gamma * self.b(F.gelu(self.a(self.n(y)))); return x + y.permute(0, 3, 1, 2)
class LN2d(nn.LayerNorm):
    def forward(self, x): return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
class ConvNeXt(nn.Module):
    def __init__(self):
        super().__init__(); self.f = nn.Sequential(nn.Conv2d(3, 48, 4, 4), LN2d(48, eps=1e-6), CNBlock(48), CNBlock(48), LN2d(48, eps=1e-6), nn.Conv2d(48, 96, 2, 2), CNBlock(96), CNBlock(96)); self.ln = nn.LayerNorm(96, eps=1e-6); self.head = nn.Linear(96, 100)
    def forward(self, x, t=None): x = self.head(self.ln(self.f(x).mean((-2, -1)))); return x if t is None else F.cross_entropy(x, t)
class Swin(nn.Module):
    """One stage of shifted windows with relative position biases, and a merging"""
    def __init__(self, d=96, h=3, w=7):
        super().__init__(); self.d, self.h, self.w = d, h, w; self.patch = nn.Conv2d(3, d, 4, 4); self.n0 = nn.LayerNorm(d); self.blocks = nn.ModuleList([nn.ModuleDict(dict(n1=nn.LayerNorm(d), qkv=nn.Linear(d, 3 * d), proj=nn.Linear(d, d), n2=nn.LayerNorm(d), f=nn.Linear(d, 4 * d), g=nn.Linear(4 * d, d))) for _ in range(2)]); self.table = nn.Parameter(torch.zeros((2 * w - 1) ** 2, h)); self.merge_n = nn.LayerNorm(4 * d); self.merge = nn.Linear(4 * d, 2 * d, bias=False); self.head = nn.Linear(2 * d, 100)
        c = torch.stack(torch.meshgrid(torch.arange(w), torch.arange(w), indexing='ij')).flatten(1); r = (c[:, :, None] - c[:, None]).permute(1, 2, 0) + (w - 1); self.register_buffer('index', (r[..., 0] * (2 * w - 1) + r[..., 1]).flatten())
    def forward(self, x, t=None):
        w, h = self.w, self.h; x = self.n0(self.patch(x).permute(0, 2, 3, 1)); B, H, W, C = x.shape
        for k, b in enumerate(self.blocks):
            y = b['n1'](x)
            if k: y = torch.roll(y, (-3, -3), (1, 2))
            y = y.view(B, H // w, w, W // w, w, C).permute(0, 1, 3, 2, 4, 5).reshape(-1, w * w, C); q, kk, v = b['qkv'](y).reshape(y.size(0), w * w, 3, h, C // h).permute(2, 0, 3, 1, 4).unbind(0)
            a = (q * (C // h) ** -.5) @ kk.transpose(-2, -1) + self.table[self.index].view(w * w, w * w, -1).permute(2, 0, 1).contiguous().unsqueeze(0)
            y = b['proj']((F.softmax(a, -1) @ v).transpose(1, 2).reshape(-1, w * w, C)); y = y.view(B, H // w, W // w, w, w, C).permute(0, 1, 3, 2, 4, 5).reshape(B, H, W, C)
            if k: y = torch.roll(y, (3, 3), (1, 2))
            x = x + y; x = x + b['g'](F.gelu(b['f'](b['n2'](x))))
        x = torch.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1); x = self.head(self.merge(self.merge_n(x)).mean((1, 2))); return x if t is None else F.cross_entropy(x, t)
class Res(nn.Module):
    def __init__(self, i, o, e): super().__init__(); self.n1 = nn.GroupNorm(8, i); self.c1 = nn.Conv2d(i, o, 3, padding=1); self.e = nn.Linear(e, o); self.n2 = nn.GroupNorm(8, o); self.c2 = nn.Conv2d(o, o, 3, padding=1); self.s = nn.Conv2d(i, o, 1) if i != o else nn.Identity()
    def forward(self, x, e): y = self.c1(F.silu(self.n1(x))); y = y + self.e(F.silu(e))[:, :, None, None]; return self.c2(F.silu(self.n2(y))) + self.s(x)
class UNet(nn.Module):
    """GroupNorm, skips, nearest upsampling, attention in the middle, time embedding: a diffusion model's network"""
    def __init__(self, c=32, e=128):
        super().__init__(); self.c = c; self.t = nn.Sequential(nn.Linear(c, e), nn.SiLU(), nn.Linear(e, e)); self.i = nn.Conv2d(3, c, 3, padding=1); self.d1 = Res(c, c, e); self.p1 = nn.Conv2d(c, c, 3, 2, 1); self.d2 = Res(c, 2 * c, e); self.p2 = nn.Conv2d(2 * c, 2 * c, 3, 2, 1); self.m1 = Res(2 * c, 2 * c, e); self.an = nn.GroupNorm(8, 2 * c); self.qkv = nn.Conv2d(2 * c, 6 * c, 1); self.ao = nn.Conv2d(2 * c, 2 * c, 1); self.m2 = Res(2 * c, 2 * c, e); self.up = nn.Upsample(scale_factor=2); self.u2 = Res(4 * c, c, e); self.u1 = Res(2 * c, c, e); self.n = nn.GroupNorm(8, c); self.o = nn.Conv2d(c, 3, 3, padding=1)
    def forward(self, x, t):
        f = torch.exp(-math.log(1e4) * torch.arange(self.c // 2, device=x.device) / (self.c // 2)); a = t[:, None].float() * f[None]; e = self.t(torch.cat((a.sin(), a.cos()), -1)); x = self.i(x); h1 = self.d1(x, e); h2 = self.d2(self.p1(h1), e); y = self.m1(self.p2(h2), e)
        B, C, H, W = y.shape; q, k, v = self.qkv(self.an(y)).view(B, 3, C, H * W).unbind(1); y = y + self.ao(F.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2).reshape(B, C, H, W))
        y = self.m2(y, e); y = self.u2(torch.cat((self.up(y), h2), 1), e); y = self.u1(torch.cat((self.up(y), h1), 1), e); return self.o(F.silu(self.n(y)))
class VAE(nn.Module):
    def __init__(self): super().__init__(); self.e = nn.Sequential(nn.Conv2d(1, 32, 4, 2, 1), nn.ReLU(), nn.Conv2d(32, 64, 4, 2, 1), nn.ReLU(), nn.Flatten()); self.m = nn.Linear(3136, 32); self.v = nn.Linear(3136, 32); self.f = nn.Linear(32, 3136); self.d = nn.Sequential(nn.ConvTranspose2d(64, 32, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(32, 1, 4, 2, 1), nn.Sigmoid())
    def forward(self, x, noise):
        h = self.e(x); m, v = self.m(h), self.v(h); z = m + torch.exp(.5 * v) * noise; y = self.d(self.f(z).view(-1, 64, 7, 7)); return y, m, v
# ---- other kinds
class DLRM(nn.Module):
    def __init__(self): super().__init__(); self.tables = nn.ModuleList([nn.EmbeddingBag(n, 32, mode='sum') for n in (5000, 800, 12000)]); self.bot = nn.Sequential(nn.Linear(13, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU()); self.top = nn.Sequential(nn.Linear(38, 64), nn.ReLU(), nn.Linear(64, 1), nn.Sigmoid()); i, j = torch.tril_indices(4, 4, -1); self.register_buffer('i', i); self.register_buffer('j', j)
    def forward(self, x, off, *idx):
        d = self.bot(x); T = torch.cat([d] + [t(k, off) for t, k in zip(self.tables, idx)], 1).view(x.size(0), -1, 32); Z = torch.bmm(T, T.transpose(1, 2))[:, self.i, self.j]; return self.top(torch.cat((d, Z), 1)).squeeze(1)
class PointNet(nn.Module):
    def __init__(self): super().__init__(); self.c = nn.ModuleList([nn.Conv1d(a, b, 1) for a, b in ((3, 64), (64, 128), (128, 512))]); self.b = nn.ModuleList([nn.BatchNorm1d(n) for n in (64, 128, 512)]); self.h = nn.Sequential(nn.Linear(512, 256), nn.BatchNorm1d(256), nn.ReLU(), nn.Dropout(0.), nn.Linear(256, 40))
    def forward(self, x, t=None):
        for c, b in zip(self.c, self.b): x = F.relu(b(c(x)))
        x = torch.max(x, 2, keepdim=True)[0].view(-1, 512); x = F.log_softmax(self.h(x), dim=1); return x if t is None else F.nll_loss(x, t)
class GCN(nn.Module):
    """Sums of neighbours with scatter_add, degrees, two layers"""
    def __init__(self, i=64, h=128, o=16): super().__init__(); self.a = nn.Linear(i, h, bias=False); self.ba = nn.Parameter(torch.zeros(h)); self.b = nn.Linear(h, o, bias=False); self.bb = nn.Parameter(torch.zeros(o))
    def spread(self, x, edges):
        s, d = edges[0], edges[1]; deg = torch.zeros(x.size(0), device=x.device).scatter_add_(0, d, torch.ones(d.size(0), device=x.device)).clamp(min=1); w = deg.pow(-.5)[s] * deg.pow(-.5)[d]; m = x.index_select(0, s) * w.unsqueeze(-1)
        return torch.zeros_like(x).index_add(0, d, m)
    def forward(self, x, edges, t=None):
        x = F.relu(self.spread(self.a(x), edges) + self.ba); x = self.spread(self.b(x), edges) + self.bb; return x if t is None else F.cross_entropy(x[:500], t[:500])
class Generator(nn.Module):
    def __init__(self, z=100, f=32): super().__init__(); self.m = nn.Sequential(nn.ConvTranspose2d(z, 4 * f, 4, 1, 0, bias=False), nn.BatchNorm2d(4 * f), nn.ReLU(True), nn.ConvTranspose2d(4 * f, 2 * f, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * f), nn.ReLU(True), nn.ConvTranspose2d(2 * f, f, 4, 2, 1, bias=False), nn.BatchNorm2d(f), nn.ReLU(True), nn.ConvTranspose2d(f, 3, 4, 2, 1, bias=False), nn.Tanh())
    def forward(self, x): return self.m(x)
class Discriminator(nn.Module):
    def __init__(self, f=32): super().__init__(); self.m = nn.Sequential(nn.Conv2d(3, f, 4, 2, 1, bias=False), nn.LeakyReLU(.2, True), nn.Conv2d(f, 2 * f, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * f), nn.LeakyReLU(.2, True), nn.Conv2d(2 * f, 4 * f, 4, 2, 1, bias=False), nn.BatchNorm2d(4 * f), nn.LeakyReLU(.2, True), nn.Conv2d(4 * f, 1, 4, 1, 0, bias=False), nn.Sigmoid())
    def forward(self, x): return self.m(x).view(-1)

O = torch.optim
ids = lambda V, *s: lambda k: make(f'i{V} ' + ' '.join(map(str, s)), k, False)
pic = lambda *s: lambda k: make('c ' + ' '.join(map(str, s)), k)
bf = torch.bfloat16
# name: (network, inputs by step, optimizer, autocast, grad clipping)
MODELS = {
 'nanogpt_eager': (lambda: GPT(False), [ids(1000, 8, 256), ids(1000, 8, 256)], lambda p: O.AdamW(p, lr=3e-4, weight_decay=.1), None, 1.),
 'nanogpt_sdpa': (lambda: GPT(True), [ids(1000, 8, 256), ids(1000, 8, 256)], lambda p: O.AdamW(p, lr=3e-4, weight_decay=.1, fused=True), None, 1.),
 'nanogpt_eager_bf16': (lambda: GPT(False), [ids(1000, 8, 256), ids(1000, 8, 256)], lambda p: O.AdamW(p, lr=3e-4), bf, 1.),
 'nanogpt_sdpa_bf16': (lambda: GPT(True), [ids(1000, 8, 256), ids(1000, 8, 256)], lambda p: O.AdamW(p, lr=3e-4, fused=True), bf, 1.),
 'llama': (Llama, [ids(1000, 4, 256), ids(1000, 4, 256)], lambda p: O.AdamW(p, lr=3e-4), None, 1.), 'llama_bf16': (Llama, [ids(1000, 4, 256), ids(1000, 4, 256)], lambda p: O.AdamW(p, lr=3e-4), bf, 1.),
 'bert': (Bert, [ids(1000, 8, 128), lambda k: torch.ones(8, 128, dtype=torch.int64, device=dev), ids(1000, 8, 128)], lambda p: O.AdamW(p, lr=1e-4), None, None),
 't5': (T5, [ids(1000, 8, 64), ids(1000, 8, 48), ids(1000, 8, 48)], lambda p: O.Adafactor(p, lr=1e-3), None, None), 'transformer_lm': (TransformerLM, [ids(1000, 16, 64), ids(1000, 16, 64)], lambda p: O.SGD(p, lr=.1), None, .5),
 'lstm_lm': (LSTMLM, [ids(1000, 35, 20), ids(1000, 35, 20)], lambda p: O.SGD(p, lr=1.), None, .25), 'seq2seq': (Seq2Seq, [ids(500, 32, 10), ids(500, 32, 10), ids(500, 32, 10)], lambda p: O.Adam(p, lr=1e-3), None, None),
 'resnet50': (ResNet50, [pic(16, 3, 64, 64), ids(100, 16)], lambda p: O.SGD(p, lr=.01, momentum=.9, weight_decay=1e-4), None, None), 'resnet50_large': (ResNet50, [pic(32, 3, 224, 224), ids(100, 32)], lambda p: O.SGD(p, lr=.01, momentum=.9, weight_decay=1e-4), None, None), 'resnet50_bf16': (ResNet50, [pic(16, 3, 128, 128), ids(100, 16)], lambda p: O.SGD(p, lr=.01, momentum=.9), bf, None),
 'mobilenet': (lambda: mobile(False), [pic(16, 3, 96, 96), ids(100, 16)], lambda p: O.RMSprop(p, lr=.001, momentum=.9, weight_decay=1e-5), None, None), 'efficientnet': (lambda: mobile(True), [pic(16, 3, 96, 96), ids(100, 16)], lambda p: O.RMSprop(p, lr=.001, alpha=.9, momentum=.9), None, None),
 'vit': (ViT, [pic(8, 3, 112, 112), ids(100, 8)], lambda p: O.AdamW(p, lr=1e-3), None, None), 'convnext': (ConvNeXt, [pic(8, 3, 64, 64), ids(100, 8)], lambda p: O.AdamW(p, lr=1e-3), None, None), 'swin': (Swin, [pic(4, 3, 112, 112), ids(100, 4)], lambda p: O.AdamW(p, lr=1e-3), None, None),
 'pointnet': (PointNet, [pic(16, 3, 512), ids(40, 16)], lambda p: O.Adam(p, lr=1e-3), None, None),
 'gcn': (GCN, [pic(2000, 64), lambda k: torch.stack((make('i2000 12000', k, False), (make('i1999 12000', 3, False) * 13 + 5) % 2000)), ids(16, 2000)], lambda p: O.Adam(p, lr=.01, weight_decay=5e-4), None, None),
 # those with losses of their own: a function of (network, inputs)
 'unet_diffusion': (UNet, [pic(8, 3, 32, 32), pic(8, 3, 32, 32), ids(1000, 8)], lambda p: O.AdamW(p, lr=1e-4), None, 1.),
 'vae': (VAE, [lambda k: make('q 32 1 28 28', k), pic(32, 32)], lambda p: O.Adam(p, lr=1e-3), None, None),
 'dlrm': (DLRM, [pic(128, 13), lambda k: torch.arange(128, device=dev) * 4, ids(5000, 512), ids(800, 512), ids(12000, 512), lambda k: make('q 128', k)], lambda p: O.Adagrad(p, lr=.01), None, None),
 'dcgan': (None, [], None, None, None),
}
def diffusion(net, x, noise, t):
    bar = torch.cumprod(1 - torch.linspace(1e-4, .02, 1000, device=x.device), 0)[t]; y = bar.sqrt()[:, None, None, None] * x + (1 - bar).sqrt()[:, None, None, None] * noise
    return F.mse_loss(net(y, t), noise)
def variational(net, x, noise): y, m, v = net(x, noise); return F.binary_cross_entropy(y, x, reduction='sum') - .5 * torch.sum(1 + v - m.pow(2) - v.exp())
LOSSES = dict(unet_diffusion=diffusion, vae=variational, dlrm=lambda net, x, o, a, b, c, y: F.binary_cross_entropy(net(x, o, a, b, c), y))
EVAL = dict(unet_diffusion=lambda net, x, n, t: net(x, t), vae=lambda net, x, n: net(x, n)[0], dlrm=lambda net, *a: net(*a[:-1]))

marks, losses = [], []
def mark(name):
    if fake: marks.append([name]); return
    s = torch._C._cuda_memoryStats(0); g = lambda k: s[k]['all']['current']
    marks.append([name, g('allocated_bytes'), g('requested_bytes'), s['allocated_bytes']['all']['peak'], s['requested_bytes']['all']['peak'], g('reserved_bytes'), g('inactive_split_bytes'), g('allocation'), g('segment'), s['allocation']['all']['allocated']])
    torch.cuda.reset_peak_memory_stats()

def train(name):
    make_net, feeds, make_opt, cast, clip = MODELS[name]
    net = fill(make_net()).to(dev); mark('model'); opt = make_opt(net.parameters()); mark('optimizer'); loss_of = LOSSES.get(name)
    for step in range(3):
        batch = [f(step * 10 + k + 1) for k, f in enumerate(feeds)]; mark(f'{step} inputs')
        with contextlib.ExitStack() as stack:
            if cast is not None: stack.enter_context(torch.autocast(dev, dtype=cast))
            loss = loss_of(net, *batch) if loss_of else net(*batch)
        mark(f'{step} forward'); loss.backward(); mark(f'{step} backward')
        if clip: torch.nn.utils.clip_grad_norm_(net.parameters(), clip); mark(f'{step} clip')
        opt.step(); mark(f'{step} step'); opt.zero_grad(set_to_none=True); mark(f'{step} zero_grad'); losses.append(loss.item()); mark(f'{step} item')
    del loss; mark('loss deleted'); net.eval()
    with torch.no_grad(), contextlib.ExitStack() as stack:
        if cast is not None: stack.enter_context(torch.autocast(dev, dtype=cast))
        out = EVAL[name](net, *batch) if name in EVAL else net(*batch[:-1])
    mark('evaluation'); v = summary(out); del out; mark('output deleted'); return v

def gan():
    G, D = fill(Generator()).to(dev), fill(Discriminator()).to(dev); mark('model'); og, od = O.Adam(G.parameters(), lr=2e-4, betas=(.5, .999)), O.Adam(D.parameters(), lr=2e-4, betas=(.5, .999)); crit = nn.BCELoss()
    for step in range(3):
        real = make('c 32 3 32 32', step + 1); z = make('c 32 100 1 1', step + 51); mark(f'{step} inputs'); D.zero_grad(); y = torch.full((32,), 1., device=dev); e = crit(D(real), y); mark(f'{step} real'); e.backward(); mark(f'{step} real backward')
        fake_ = G(z); mark(f'{step} fake'); y.fill_(0.); e2 = crit(D(fake_.detach()), y); e2.backward(); mark(f'{step} fake backward'); od.step(); mark(f'{step} D step')
        G.zero_grad(); y.fill_(1.); e3 = crit(D(fake_), y); mark(f'{step} G forward'); e3.backward(); mark(f'{step} G backward'); og.step(); mark(f'{step} G step'); losses.extend([e.item(), e2.item(), e3.item()])
    del e, e2, e3, fake_, y; G.eval()
    with torch.no_grad(): out = G(z)
    mark('evaluation'); v = summary(out); del out; mark('output deleted'); return v

if __name__ == '__main__':
    if sys.argv[1] == 'list': print(' '.join(MODELS)); sys.exit()
    name = sys.argv[1]; torch.manual_seed(0); exact = '--exact' in sys.argv
    if exact: torch.backends.cudnn.allow_tf32 = False
    if not fake: torch.cuda.init(); history(True)
    out = None; error = None
    try: out = gan() if name == 'dcgan' else train(name)
    except Exception as e: error = f'{type(e).__name__}: {str(e)[:400]}'
    t = trace()
    row = dict(model=name, torch=torch.__version__, cudnn=torch.backends.cudnn.version(), env={k: os.environ.get(k) for k in ('CUBLAS_WORKSPACE_CONFIG', 'DISABLE_ADDMM_CUDA_LT', 'PYTORCH_CUDA_ALLOC_CONF')}, tf32=not exact, marks=marks, losses=losses, evaluation=out, error=error, trace=t)
    with gzip.open(sys.argv[2], 'wt') as f: json.dump(row, f, separators=(',', ':'))
    print(name, len(marks), 'marks', len(t), 'events', losses, error or '', flush=True)
