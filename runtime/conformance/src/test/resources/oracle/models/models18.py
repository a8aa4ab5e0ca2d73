"""Still more whole models, by models.py's loop and marks: usage: models18.py MODEL OUTFILE [--exact], or models18.py list"""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import models8
from models8 import *

class VqVae(nn.Module):
    """Codes of the nearest entry, gradients straight through"""
    def __init__(self, c=64, n=128, d=32):
        super().__init__(); self.e = nn.Sequential(nn.Conv2d(3, c, 4, 2, 1), nn.ReLU(), nn.Conv2d(c, c, 4, 2, 1), nn.ReLU(), nn.Conv2d(c, c, 3, padding=1), nn.ReLU(), nn.Conv2d(c, d, 1)); self.book = nn.Embedding(n, d)
        self.d = nn.Sequential(nn.Conv2d(d, c, 3, padding=1), nn.ReLU(), nn.ConvTranspose2d(c, c, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(c, 3, 4, 2, 1))
    def forward(self, x, loss=False):
        z = self.e(x); flat = z.permute(0, 2, 3, 1).reshape(-1, 32); w = self.book.weight
        far = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ w.t() + w.pow(2).sum(1); k = far.argmin(1)
        q = self.book(k).view(z.size(0), z.size(2), z.size(3), 32).permute(0, 3, 1, 2); commit = F.mse_loss(q.detach(), z); book = F.mse_loss(q, z.detach()); q = z + (q - z).detach(); y = self.d(q)
        return F.mse_loss(y, x) + book + .25 * commit if loss else y
class Mamba(nn.Module):
    """A selective scan, step by step, behind a causal depthwise convolution"""
    def __init__(self, V=100, d=32, n=8, k=4):
        super().__init__(); self.n, self.k = n, k; self.emb = nn.Embedding(V, d); self.inp = nn.Linear(d, 4 * d, bias=False); self.conv = nn.Conv1d(2 * d, 2 * d, k, groups=2 * d, padding=k - 1); self.bcd = nn.Linear(2 * d, 2 * n + 2, bias=False); self.dt = nn.Linear(2, 2 * d); self.alog = nn.Parameter(torch.log(torch.arange(1, n + 1).float()).repeat(2 * d, 1)); self.skip = nn.Parameter(torch.ones(2 * d)); self.out = nn.Linear(2 * d, d, bias=False); self.norm = nn.RMSNorm(d); self.head = nn.Linear(d, V, bias=False)
    def mix(self, x):
        b, l, _ = x.shape; x, z = self.inp(x).chunk(2, -1); x = self.conv(x.transpose(1, 2))[..., :l].transpose(1, 2); x = F.silu(x)
        dt, B, C = self.bcd(x).split([2, self.n, self.n], -1); dt = F.softplus(self.dt(dt)); A = -torch.exp(self.alog); dA = torch.exp(dt[..., None] * A); dB = dt[..., None] * B[:, :, None] * x[..., None]
        h = torch.zeros(b, x.size(2), self.n, device=x.device); ys = []
        for t in range(l): h = dA[:, t] * h + dB[:, t]; ys.append((h * C[:, t, None]).sum(-1))
        y = torch.stack(ys, 1) + x * self.skip; return self.out(y * F.silu(z))
    def forward(self, x, t=None): x = self.emb(x); x = x + self.mix(self.norm(x)); x = self.head(x); return x if t is None else F.cross_entropy(x.view(-1, x.size(-1)), t.view(-1))
class Wav2Vec(nn.Module):
    """Long strided convolutions over samples, masked frames, distances to other frames"""
    def __init__(self, c=64):
        super().__init__(); self.f = nn.ModuleList([nn.Conv1d(1 if i == 0 else c, c, k, s, bias=False) for i, (k, s) in enumerate([(10, 5), (3, 2), (3, 2), (2, 2)])]); self.g = nn.GroupNorm(c, c); self.ln = nn.LayerNorm(c); self.mask = nn.Parameter(torch.zeros(c)); self.pos = nn.Conv1d(c, c, 16, padding=8, groups=4); self.t = nn.TransformerEncoderLayer(c, 4, 4 * c, dropout=0., activation='gelu', batch_first=True); self.p = nn.Linear(c, c)
    def forward(self, x):
        for i, f in enumerate(self.f): x = f(x); x = F.gelu(self.g(x) if i == 0 else x)
        z = self.ln(x.transpose(1, 2)); m = torch.zeros(z.shape[:2], dtype=torch.bool, device=z.device); m[:, ::3] = True; y = torch.where(m[..., None], self.mask, z); y = y + F.gelu(self.pos(y.transpose(1, 2))[..., :-1]).transpose(1, 2); return self.p(self.t(y)), z
def contrastive(net, x):
    y, z = net(x); s = F.cosine_similarity(y[:, :, None], z[:, None].detach(), dim=-1) / .1; t = torch.arange(s.size(1), device=s.device).expand(s.size(0), -1); return F.cross_entropy(s.flatten(0, 1), t.flatten())
class Detr(nn.Module):
    """Queries ask a picture's positions: convolutions, an encoder and a decoder, classes and boxes"""
    def __init__(self, d=64, q=10, n=5):
        super().__init__(); self.b = nn.Sequential(nn.Conv2d(3, 32, 7, 2, 3, bias=False), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(3, 2, 1), nn.Conv2d(32, 64, 3, 2, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.Conv2d(64, d, 1)); self.t = nn.Transformer(d, 4, 2, 2, 2 * d, dropout=0.); self.q = nn.Parameter(torch.zeros(q, d)); self.row = nn.Parameter(torch.zeros(50, d // 2)); self.col = nn.Parameter(torch.zeros(50, d // 2)); self.c = nn.Linear(d, n + 1); self.x = nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, 4))
    def forward(self, x):
        h = self.b(x); H, W = h.shape[-2:]; p = torch.cat([self.col[:W].unsqueeze(0).repeat(H, 1, 1), self.row[:H].unsqueeze(1).repeat(1, W, 1)], -1).flatten(0, 1).unsqueeze(1)
        h = self.t(p + .1 * h.flatten(2).permute(2, 0, 1), self.q.unsqueeze(1).repeat(1, h.size(0), 1)).transpose(0, 1); return self.c(h), self.x(h).sigmoid()
def boxes(net, x, y, b):
    c, p = net(x); i = torch.arange(3, device=x.device); t = torch.full(c.shape[:2], 5, dtype=torch.int64, device=x.device); t[:, i] = y; w = torch.ones(6, device=x.device); w[-1] = .1
    p = p[:, :3]; lt = torch.max(p[..., :2] - p[..., 2:] / 2, b[..., :2] - b[..., 2:] / 2); rb = torch.min(p[..., :2] + p[..., 2:] / 2, b[..., :2] + b[..., 2:] / 2); inter = (rb - lt).clamp(min=0).prod(-1); union = p[..., 2:].prod(-1) + b[..., 2:].prod(-1) - inter
    return F.cross_entropy(c.transpose(1, 2), t, w) + 5 * F.l1_loss(p, b) + 2 * (1 - inter / (union + 1e-6)).mean()
class Capsules(nn.Module):
    """Routing by agreement"""
    def __init__(self): super().__init__(); self.a = nn.Conv2d(1, 64, 9); self.b = nn.Conv2d(64, 64, 9, 2); self.w = nn.Parameter(torch.zeros(1, 288, 10, 16, 8)); self.d = nn.Sequential(nn.Linear(160, 128), nn.ReLU(True), nn.Linear(128, 784), nn.Sigmoid())
    @staticmethod
    def squash(s): n = (s ** 2).sum(-1, keepdim=True); return n / (1 + n) * s / torch.sqrt(n + 1e-8)
    def forward(self, x):
        u = self.squash(self.b(F.relu(self.a(x))).view(x.size(0), 8, -1).transpose(1, 2)); u = torch.matmul(self.w, u[:, :, None, :, None]).squeeze(-1); still = u.detach(); b = torch.zeros(*u.shape[:3], 1, device=x.device)
        for i in range(3):
            c = F.softmax(b, 2)
            if i == 2: v = self.squash((c * u).sum(1))
            else: b = b + (still * self.squash((c * still).sum(1, keepdim=True))).sum(-1, keepdim=True)
        return v
def margins(net, x, y):
    v = net(x); n = v.norm(dim=-1); t = F.one_hot(y, 10).float(); r = net.d((v * t[..., None]).reshape(x.size(0), -1)); return (t * F.relu(.9 - n) ** 2 + .5 * (1 - t) * F.relu(n - .1) ** 2).sum(1).mean() + .0005 * F.mse_loss(r, x.view(x.size(0), -1), reduction='sum')
class TabTransformer(nn.Module):
    """Columns of categories through attention, numbers beside them"""
    def __init__(self, d=32): super().__init__(); self.e = nn.ModuleList([nn.Embedding(n, d) for n in (10, 20, 50, 5, 100)]); self.t = nn.TransformerEncoder(nn.TransformerEncoderLayer(d, 4, 4 * d, .1, batch_first=True), 2, enable_nested_tensor=False); self.n = nn.LayerNorm(6); self.o = nn.Sequential(nn.Linear(5 * d + 6, 128), nn.SELU(), nn.Linear(128, 1))
    def forward(self, k, x, t=None): h = torch.stack([e(k[:, i]) for i, e in enumerate(self.e)], 1); h = torch.cat((self.t(h).flatten(1), self.n(x)), 1); z = self.o(h).squeeze(1); return z if t is None else F.binary_cross_entropy_with_logits(z, t)
class RealNvp(nn.Module):
    """Affine couplings with alternating masks, the logarithm of a determinant"""
    def __init__(self, d=16, h=64, n=4): super().__init__(); self.s = nn.ModuleList([nn.Sequential(nn.Linear(d, h), nn.LeakyReLU(), nn.Linear(h, d), nn.Tanh()) for _ in range(n)]); self.t = nn.ModuleList([nn.Sequential(nn.Linear(d, h), nn.LeakyReLU(), nn.Linear(h, d)) for _ in range(n)]); self.register_buffer('mask', torch.stack([(torch.arange(d) + i) % 2 for i in range(n)]).float())
    def forward(self, x):
        det = x.new_zeros(x.size(0))
        for s, t, m in zip(self.s, self.t, self.mask): a = x * m; u = s(a) * (1 - m); v = t(a) * (1 - m); x = a + (1 - m) * (x * torch.exp(u) + v); det += u.sum(1)
        return x, det
def likelihood(net, x): z, det = net(x); return -(-.5 * (z ** 2 + math.log(2 * math.pi)).sum(-1) + det).mean()
class Mae(nn.Module):
    """A quarter of a picture's patches are encoded, the others guessed"""
    def __init__(self, d=64): super().__init__(); self.p = nn.Conv2d(3, d, 8, 8); self.pos = nn.Parameter(torch.zeros(1, 64, d)); self.e = nn.TransformerEncoder(nn.TransformerEncoderLayer(d, 4, 2 * d, 0., F.gelu, batch_first=True, norm_first=True), 2, enable_nested_tensor=False); self.m = nn.Parameter(torch.zeros(1, 1, d)); self.d = nn.TransformerEncoderLayer(d, 4, 2 * d, 0., F.gelu, batch_first=True, norm_first=True); self.o = nn.Linear(d, 192)
    def forward(self, x, noise):
        h = self.p(x).flatten(2).transpose(1, 2) + self.pos; n, l, d = h.shape; order = noise.argsort(1); back = order.argsort(1); kept = order[:, :16]; h = self.e(torch.gather(h, 1, kept[..., None].expand(-1, -1, d)))
        h = torch.cat((h, self.m.expand(n, l - 16, -1)), 1); h = torch.gather(h, 1, back[..., None].expand(-1, -1, d)) + self.pos; y = self.o(self.d(h)); mask = torch.ones(n, l, device=x.device); mask[:, :16] = 0; return y, torch.gather(mask, 1, back)
def guessed(net, x, noise): y, m = net(x, noise); t = x.unfold(2, 8, 8).unfold(3, 8, 8).permute(0, 2, 3, 4, 5, 1).reshape(x.size(0), 64, 192); t = (t - t.mean(-1, keepdim=True)) / (t.var(-1, keepdim=True) + 1e-6) ** .5; return (((y - t) ** 2).mean(-1) * m).sum() / m.sum()
class DenseNet(nn.Module):
    """Every layer sees all before it"""
    def __init__(self, g=12, n=4):
        super().__init__(); c = 2 * g; self.a = nn.Conv2d(3, c, 3, padding=1, bias=False); self.blocks = nn.ModuleList(); self.downs = nn.ModuleList()
        for b in range(3):
            self.blocks.append(nn.ModuleList([nn.Sequential(nn.BatchNorm2d(c + i * g), nn.ReLU(True), nn.Conv2d(c + i * g, 4 * g, 1, bias=False), nn.BatchNorm2d(4 * g), nn.ReLU(True), nn.Conv2d(4 * g, g, 3, padding=1, bias=False)) for i in range(n)])); c += n * g
            if b < 2: self.downs.append(nn.Sequential(nn.BatchNorm2d(c), nn.ReLU(True), nn.Conv2d(c, c // 2, 1, bias=False), nn.AvgPool2d(2, 2))); c //= 2
        self.n = nn.BatchNorm2d(c); self.o = nn.Linear(c, 10)
    def forward(self, x, t=None):
        x = self.a(x)
        for b, block in enumerate(self.blocks):
            for layer in block: x = torch.cat((x, layer(x)), 1)
            if b < 2: x = self.downs[b](x)
        x = self.o(F.adaptive_avg_pool2d(F.relu(self.n(x), inplace=True), 1).flatten(1)); return x if t is None else F.cross_entropy(x, t)
class Vgg(nn.Module):
    def __init__(self, plan=(64, 'M', 128, 'M', 256, 256, 'M', 512, 512, 'M', 512, 512, 'M')):
        super().__init__(); layers, c = [], 3
        for v in plan:
            if v == 'M': layers.append(nn.MaxPool2d(2, 2))
            else: layers += [nn.Conv2d(c, v, 3, padding=1), nn.BatchNorm2d(v), nn.ReLU(inplace=True)]; c = v
        self.f = nn.Sequential(*layers); self.o = nn.Linear(512, 10)
    def forward(self, x, t=None): x = self.o(self.f(x).flatten(1)); return x if t is None else F.cross_entropy(x, t)
class ShuffleUnit(nn.Module):
    def __init__(self, i, o, s):
        super().__init__(); self.s = s; b = o // 2; dw = lambda c: nn.Conv2d(c, c, 3, s, 1, groups=c, bias=False); pw = lambda a, c: nn.Conv2d(a, c, 1, bias=False); bn = nn.BatchNorm2d
        self.l = nn.Sequential(dw(i), bn(i), pw(i, b), bn(b), nn.ReLU(True)) if s > 1 else nn.Sequential(); self.r = nn.Sequential(pw(i if s > 1 else b, b), bn(b), nn.ReLU(True), dw(b), bn(b), pw(b, b), bn(b), nn.ReLU(True))
    def forward(self, x):
        if self.s == 1: a, b = x.chunk(2, 1); y = torch.cat((a, self.r(b)), 1)
        else: y = torch.cat((self.l(x), self.r(x)), 1)
        n, c, h, w = y.size(); return y.view(n, 2, c // 2, h, w).transpose(1, 2).contiguous().view(n, -1, h, w)
class ShuffleNet(nn.Module):
    def __init__(self): super().__init__(); self.a = nn.Sequential(nn.Conv2d(3, 24, 3, 2, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU(True), nn.MaxPool2d(3, 2, 1)); self.f = nn.Sequential(ShuffleUnit(24, 116, 2), ShuffleUnit(116, 116, 1), ShuffleUnit(116, 232, 2), ShuffleUnit(232, 232, 1)); self.o = nn.Linear(232, 100)
    def forward(self, x, t=None): x = self.o(self.f(self.a(x)).mean([2, 3])); return x if t is None else F.cross_entropy(x, t)
class DeepLab(nn.Module):
    """Dilated convolutions side by side, a picture's mean beside them, a label for each pixel"""
    def __init__(self, c=64, n=21):
        super().__init__(); f = lambda i, o, k=3, s=1, r=1: nn.Sequential(nn.Conv2d(i, o, k, s, r if k == 3 else 0, r, bias=False), nn.BatchNorm2d(o), nn.ReLU()); self.b = nn.Sequential(f(3, 32, s=2), f(32, 64, s=2), f(64, 128, s=2), f(128, 128, r=2)); self.l = f(64, 24, 1); self.a = nn.ModuleList([f(128, c, 1), f(128, c, r=6), f(128, c, r=12)]); self.g = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(128, c, 1, bias=False), nn.ReLU()); self.p = f(4 * c, c, 1); self.o = nn.Sequential(f(c + 24, c), nn.Conv2d(c, n, 1))
    def forward(self, x, t=None):
        low = self.b[1](self.b[0](x)); h = self.b[3](self.b[2](low)); up = lambda y, size: F.interpolate(y, size, mode='bilinear', align_corners=False); y = self.p(torch.cat([a(h) for a in self.a] + [up(self.g(h), h.shape[-2:])], 1)); y = self.o(torch.cat((up(y, low.shape[-2:]), self.l(low)), 1)); y = up(y, x.shape[-2:]); return y if t is None else F.cross_entropy(y, t, ignore_index=255)
class Video(nn.Module):
    """Residual blocks over three dimensions, the kernels taken apart"""
    def __init__(self, c=16):
        super().__init__(); f = lambda i, o, s=1: nn.Sequential(nn.Conv3d(i, o, (1, 3, 3), (1, s, s), (0, 1, 1), bias=False), nn.BatchNorm3d(o), nn.ReLU(True), nn.Conv3d(o, o, (3, 1, 1), (s, 1, 1), (1, 0, 0), bias=False), nn.BatchNorm3d(o)); self.a = nn.Conv3d(3, c, (3, 7, 7), (1, 2, 2), (1, 3, 3)); self.x = f(c, c); self.y = f(c, 2 * c, 2); self.d = nn.Conv3d(c, 2 * c, 1, 2, bias=False); self.z = nn.Conv3d(2 * c, 4 * c, 3, 2, 1); self.o = nn.Linear(4 * c, 12)
    def forward(self, x, t=None): x = F.relu(self.a(x)); x = F.relu(self.x(x) + x); x = F.relu(self.y(x) + self.d(x)); x = self.o(F.relu(self.z(x)).mean((2, 3, 4))); return x if t is None else F.cross_entropy(x, t)
class ConvLstm(nn.Module):
    """A cell of convolutions over frames, the next frame from the last state"""
    def __init__(self, c=32): super().__init__(); self.c = c; self.g = nn.Conv2d(1 + c, 4 * c, 5, padding=2); self.o = nn.Conv2d(c, 1, 1)
    def forward(self, x):
        h = torch.zeros(x.size(0), self.c, *x.shape[3:], device=x.device); c = torch.zeros_like(h)
        for k in range(x.size(1)): i, f, o, g = torch.split(self.g(torch.cat((x[:, k], h), 1)), self.c, 1); c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g); h = torch.sigmoid(o) * torch.tanh(c)
        return torch.sigmoid(self.o(h))

NEW = {
 'vqvae': (VqVae, [pic(16, 3, 32, 32)], lambda p: O.Adam(p, lr=1e-3), None, None), 'mamba': (Mamba, [ids(100, 4, 48), ids(100, 4, 48)], lambda p: O.AdamW(p, lr=1e-3), None, 1.), 'wav2vec': (Wav2Vec, [pic(4, 1, 4000)], lambda p: O.AdamW(p, lr=5e-4), None, None),
 'detr': (Detr, [pic(4, 3, 96, 96), ids(5, 4, 3), lambda k: make('q 4 3 4', k)], lambda p: O.AdamW(p, lr=1e-4), None, .1), 'capsules': (Capsules, [pic(8, 1, 28, 28), ids(10, 8)], lambda p: O.Adam(p), None, None), 'tab': (TabTransformer, [ids(5, 128, 5), pic(128, 6), lambda k: make('b 128', k).float()], lambda p: O.AdamW(p, lr=1e-3), None, None),
 'realnvp': (RealNvp, [pic(256, 16)], lambda p: O.Adam(p, lr=1e-4), None, None), 'mae': (Mae, [pic(8, 3, 64, 64), pic(8, 64)], lambda p: O.AdamW(p, lr=1e-4, betas=(.9, .95)), None, None), 'densenet': (DenseNet, [pic(32, 3, 32, 32), ids(10, 32)], lambda p: O.SGD(p, lr=.1, momentum=.9, nesterov=True), None, None),
 'vgg': (Vgg, [pic(64, 3, 32, 32), ids(10, 64)], lambda p: O.SGD(p, lr=.05, momentum=.9), None, None), 'shufflenet': (ShuffleNet, [pic(16, 3, 128, 128), ids(100, 16)], lambda p: O.SGD(p, lr=.05, momentum=.9), None, None), 'deeplab': (DeepLab, [pic(4, 3, 128, 128), lambda k: make('i21 4 128 128', k, False)], lambda p: O.SGD(p, lr=.01, momentum=.9), None, None),
 'video': (Video, [pic(4, 3, 8, 56, 56), ids(12, 4)], lambda p: O.Adam(p, lr=1e-3), None, None), 'convlstm': (ConvLstm, [pic(8, 6, 1, 32, 32), lambda k: make('q 8 1 32 32', k)], lambda p: O.Adam(p, lr=1e-3), None, None),
}
LOSSES.update(vqvae=lambda net, x: net(x, True), wav2vec=contrastive, detr=boxes, capsules=margins, realnvp=likelihood, mae=guessed, convlstm=lambda net, x, y: F.binary_cross_entropy(net(x), y)); EVAL.update(vqvae=lambda net, *a: net(a[0]), wav2vec=lambda net, *a: net(a[0])[0], detr=lambda net, *a: net(a[0])[1], capsules=lambda net, *a: net(a[0]), tab=lambda net, *a: net(a[0], a[1]), realnvp=lambda net, *a: net(a[0])[0], mae=lambda net, *a: net(*a)[0], convlstm=lambda net, *a: net(a[0]))
MODELS.clear(); MODELS.update(NEW)

def wgan_gp():
    """A critic whose gradient's norm is held near one: a gradient of a gradient"""
    c = 32; G = nn.Sequential(nn.ConvTranspose2d(64, 4 * c, 4, 1, 0, bias=False), nn.BatchNorm2d(4 * c), nn.ReLU(True), nn.ConvTranspose2d(4 * c, 2 * c, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * c), nn.ReLU(True), nn.ConvTranspose2d(2 * c, c, 4, 2, 1, bias=False), nn.BatchNorm2d(c), nn.ReLU(True), nn.ConvTranspose2d(c, 3, 4, 2, 1), nn.Tanh())
    D = nn.Sequential(nn.Conv2d(3, c, 4, 2, 1), nn.LeakyReLU(.2), nn.Conv2d(c, 2 * c, 4, 2, 1), nn.InstanceNorm2d(2 * c, affine=True), nn.LeakyReLU(.2), nn.Conv2d(2 * c, 4 * c, 4, 2, 1), nn.InstanceNorm2d(4 * c, affine=True), nn.LeakyReLU(.2), nn.Conv2d(4 * c, 1, 4))
    fill(G).to(dev); fill(D).to(dev); mark('model'); og, od = O.Adam(G.parameters(), lr=1e-4, betas=(0., .9)), O.Adam(D.parameters(), lr=1e-4, betas=(0., .9)); mark('optimizer')
    for step in range(3):
        real = make('c 16 3 32 32', step + 1); z = make('c 16 64 1 1', step + 51); e = make('q 16 1 1 1', step + 81); mark(f'{step} inputs')
        with torch.no_grad(): fake_ = G(z)
        a, b = D(real).mean(), D(fake_).mean(); mark(f'{step} critics'); mixed = (e * real + (1 - e) * fake_).requires_grad_(True); y = D(mixed); g, = torch.autograd.grad(y, mixed, torch.ones_like(y), create_graph=True, retain_graph=True); mark(f'{step} gradient'); penalty = ((g.view(g.size(0), -1).norm(2, dim=1) - 1) ** 2).mean(); loss = b - a + 10 * penalty; mark(f'{step} D forward')
        od.zero_grad(); loss.backward(); mark(f'{step} D backward'); od.step(); mark(f'{step} D step'); og.zero_grad(); lossg = -D(G(z)).mean(); mark(f'{step} G forward'); lossg.backward(); mark(f'{step} G backward'); og.step(); mark(f'{step} G step'); losses.extend([loss.item(), lossg.item()])
    del real, fake_, a, b, mixed, y, g, penalty, loss, lossg; mark('losses deleted'); G.eval()
    with torch.no_grad(): out = G(z)
    mark('evaluation'); v = summary(out); del out; mark('output deleted'); return v

def maml():
    """Four tasks, a step for each by gradients that keep their graph, then one for all"""
    from torch.func import functional_call
    net = fill(nn.Sequential(nn.Linear(1, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU(), nn.Linear(40, 1))).to(dev); mark('model'); opt = O.Adam(net.parameters(), lr=1e-3); mark('optimizer')
    for step in range(3):
        x, y = make('c 4 64 1', step + 1), make('c 4 64 1', step + 11); mark(f'{step} inputs'); total = 0.
        for k in range(4):
            p = dict(net.named_parameters()); inner = F.mse_loss(functional_call(net, p, x[k, :32]), y[k, :32]); g = torch.autograd.grad(inner, list(p.values()), create_graph=True); p = {n: w - .01 * d for (n, w), d in zip(p.items(), g)}; total = total + F.mse_loss(functional_call(net, p, x[k, 32:]), y[k, 32:]); mark(f'{step} task {k}')
        opt.zero_grad(); total.backward(); mark(f'{step} backward'); opt.step(); mark(f'{step} step'); losses.append(total.item())
    del total, inner, g, p; mark('loss deleted')
    with torch.no_grad(): out = net(x[0])
    mark('evaluation'); v = summary(out); del out; mark('output deleted'); return v

def ppo():
    """Generalized advantages and clipped ratios, two epochs of four minibatches"""
    class Agent(nn.Module):
        def __init__(self): super().__init__(); self.b = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh()); self.pi = nn.Linear(64, 4); self.v = nn.Linear(64, 1)
        def forward(self, x): h = self.b(x); return self.pi(h), self.v(h).squeeze(-1)
    net = fill(Agent()).to(dev); mark('model'); opt = O.Adam(net.parameters(), lr=2.5e-4, eps=1e-5); mark('optimizer')
    for step in range(3):
        obs, act, reward, done = make('c 32 16 8', step + 1), ids(4, 32, 16)(step + 2), make('c 32 16', step + 3), make('b 32 16', step + 4).float(); mark(f'{step} inputs')
        with torch.no_grad():
            logits, value_ = net(obs); old = torch.distributions.Categorical(logits=logits).log_prob(act); adv = torch.zeros_like(reward); last = 0.
            for t in reversed(range(31)): delta = reward[t] + .99 * value_[t + 1] * (1 - done[t]) - value_[t]; adv[t] = last = delta + .95 * .99 * (1 - done[t]) * last
            ret = adv + value_
        mark(f'{step} advantages'); obs_, act_, old_, adv_, ret_ = obs.view(-1, 8), act.view(-1), old.view(-1), adv.view(-1), ret.view(-1)
        for epoch in range(2):
            order = make(f'c 512', 7 + epoch).argsort()
            for k in range(0, 512, 128):
                i = order[k:k + 128]; logits, v = net(obs_[i]); d = torch.distributions.Categorical(logits=logits); ratio = (d.log_prob(act_[i]) - old_[i]).exp(); a = adv_[i]; a = (a - a.mean()) / (a.std() + 1e-8); loss = torch.max(-a * ratio, -a * torch.clamp(ratio, .8, 1.2)).mean() - .01 * d.entropy().mean() + .5 * F.mse_loss(v, ret_[i]); mark(f'{step} forward {epoch} {k}'); opt.zero_grad(); loss.backward(); mark(f'{step} backward {epoch} {k}'); nn.utils.clip_grad_norm_(net.parameters(), .5); opt.step(); mark(f'{step} step {epoch} {k}')
        losses.append(loss.item())
    del loss, logits, v, d, ratio, a, i; mark('loss deleted')
    with torch.no_grad(): out = net(obs_)[1]
    mark('evaluation'); v = summary(out); del out; mark('output deleted'); return v

OWN = dict(wgan_gp=wgan_gp, maml=maml, ppo=ppo)
if __name__ == '__main__':
    if sys.argv[1] == 'list': print(' '.join(NEW), *OWN); sys.exit()
    name = sys.argv[1]; torch.manual_seed(0); exact = '--exact' in sys.argv
    if exact: torch.backends.cudnn.allow_tf32 = False
    if not fake: torch.cuda.init(); history(True)
    out = None; error = None
    try: out = OWN[name]() if name in OWN else train(name)
    except Exception as e: error = f'{type(e).__name__}: {str(e)[:400]}'
    t = trace()
    row = dict(model=name, torch=torch.__version__, cudnn=torch.backends.cudnn.version(), env={k: os.environ.get(k) for k in ('CUBLAS_WORKSPACE_CONFIG', 'DISABLE_ADDMM_CUDA_LT', 'PYTORCH_CUDA_ALLOC_CONF')}, tf32=not exact, marks=marks, losses=losses, evaluation=out, error=error, trace=t)
    with gzip.open(sys.argv[2], 'wt') as f: json.dump(row, f, separators=(',', ':'))
    print(name, len(marks), 'marks', len(t), 'events', losses, error or '', flush=True)
