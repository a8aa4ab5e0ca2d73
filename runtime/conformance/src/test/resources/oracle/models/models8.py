"""More whole models, by models.py's loop and marks: usage: models8.py MODEL OUTFILE [--exact], or models8.py list"""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import models
from models import *
from torch.nn.utils.parametrizations import weight_norm, spectral_norm
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

class WaveNet(nn.Module):
    """Dilated causal convolutions with normed weights, gates and skips"""
    def __init__(self, c=32, n=4):
        super().__init__(); self.emb = nn.Embedding(256, c); self.f = nn.ModuleList([weight_norm(nn.Conv1d(c, 2 * c, 2, dilation=2 ** i)) for i in range(n)]); self.r = nn.ModuleList([weight_norm(nn.Conv1d(c, c, 1)) for _ in range(n)]); self.s = nn.ModuleList([weight_norm(nn.Conv1d(c, c, 1)) for _ in range(n)]); self.o = nn.Conv1d(c, 256, 1)
    def forward(self, x, t=None):
        x = self.emb(x).transpose(1, 2); skip = 0
        for i, (f, r, s) in enumerate(zip(self.f, self.r, self.s)):
            a, b = f(F.pad(x, (2 ** i, 0))).chunk(2, 1); y = torch.tanh(a) * torch.sigmoid(b); skip = skip + s(y); x = x + r(y)
        x = self.o(F.relu(skip)); return x if t is None else F.cross_entropy(x, t)
class Critic(nn.Module):
    """A classifier whose layers are spectrally normed"""
    def __init__(self, c=32):
        super().__init__(); sn = spectral_norm; self.m = nn.Sequential(sn(nn.Conv2d(3, c, 3, 1, 1)), nn.LeakyReLU(.1), sn(nn.Conv2d(c, 2 * c, 4, 2, 1)), nn.LeakyReLU(.1), sn(nn.Conv2d(2 * c, 4 * c, 4, 2, 1)), nn.LeakyReLU(.1)); self.e = sn(nn.Embedding(10, 4 * c)); self.l = sn(nn.Linear(4 * c, 1))
    def forward(self, x, y, t=None):
        h = self.m(x).sum((2, 3)); z = self.l(h) + (self.e(y) * h).sum(1, keepdim=True); return z if t is None else F.relu(1 - t * z).mean()
class AlexNet(nn.Module):
    """Local response norms between large convolutions, dropout"""
    def __init__(self):
        super().__init__(); self.f = nn.Sequential(nn.Conv2d(3, 48, 11, 4, 2), nn.ReLU(), nn.LocalResponseNorm(5, k=2.), nn.MaxPool2d(3, 2), nn.Conv2d(48, 96, 5, padding=2), nn.ReLU(), nn.LocalResponseNorm(5, k=2.), nn.MaxPool2d(3, 2), nn.Conv2d(96, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(3, 2)); self.c = nn.Sequential(nn.Dropout(), nn.Linear(64 * 9, 256), nn.ReLU(), nn.Dropout(), nn.Linear(256, 100))
    def forward(self, x, t=None): x = self.c(torch.flatten(self.f(x), 1)); return x if t is None else F.cross_entropy(x, t)
class STN(nn.Module):
    """A spatial transformer: affine_grid and grid_sample before a small classifier"""
    def __init__(self):
        super().__init__(); self.loc = nn.Sequential(nn.Conv2d(1, 8, 7), nn.MaxPool2d(2, 2), nn.ReLU(True), nn.Conv2d(8, 10, 5), nn.MaxPool2d(2, 2), nn.ReLU(True)); self.fc = nn.Sequential(nn.Linear(90, 32), nn.ReLU(True), nn.Linear(32, 6)); self.c1 = nn.Conv2d(1, 10, 5); self.c2 = nn.Conv2d(10, 20, 5); self.drop = nn.Dropout2d(); self.f1 = nn.Linear(320, 50); self.f2 = nn.Linear(50, 10)
    def forward(self, x, t=None):
        theta = self.fc(self.loc(x).view(-1, 90)).view(-1, 2, 3); grid = F.affine_grid(theta, x.size(), align_corners=False); x = F.grid_sample(x, grid, align_corners=False)
        x = F.relu(F.max_pool2d(self.c1(x), 2)); x = F.relu(F.max_pool2d(self.drop(self.c2(x)), 2)); x = F.relu(self.f1(x.view(-1, 320))); x = F.dropout(x, training=self.training); x = F.log_softmax(self.f2(x), dim=1); return x if t is None else F.nll_loss(x, t)
class AdaptiveLM(nn.Module):
    """An LSTM before an adaptive softmax"""
    def __init__(self, V=2000, d=128): super().__init__(); self.e = nn.Embedding(V, d); self.r = nn.LSTM(d, d, batch_first=True); self.o = nn.AdaptiveLogSoftmaxWithLoss(d, V, [200, 1000])
    def forward(self, x, t=None):
        y = self.r(self.e(x))[0].reshape(-1, 128); return self.o.log_prob(y) if t is None else self.o(y, t.view(-1)).loss
class Clip(nn.Module):
    """Two towers, unit vectors, a learned temperature, a symmetric loss"""
    def __init__(self, d=96):
        super().__init__(); self.v = nn.Sequential(nn.Conv2d(3, 32, 4, 4), nn.GELU(), nn.Flatten(), nn.Linear(32 * 64, d)); self.e = nn.Embedding(500, d); self.t = nn.TransformerEncoderLayer(d, 4, 2 * d, dropout=0., batch_first=True); self.p = nn.Linear(d, d, bias=False); self.scale = nn.Parameter(torch.tensor(math.log(1 / .07)))
    def forward(self, x, i):
        a = F.normalize(self.v(x), dim=-1); b = F.normalize(self.p(self.t(self.e(i)).mean(1)), dim=-1); return self.scale.exp() * a @ b.t()
def contrast(net, x, i):
    z = net(x, i); y = torch.arange(z.size(0), device=z.device); return (F.cross_entropy(z, y) + F.cross_entropy(z.t(), y)) / 2
class MoE(nn.Module):
    """Two of eight experts for each token, by index_add, and a balancing loss"""
    def __init__(self, d=64, n=8): super().__init__(); self.i = nn.Linear(d, d); self.gate = nn.Linear(d, n, bias=False); self.up = nn.Parameter(torch.zeros(n, d, 4 * d)); self.down = nn.Parameter(torch.zeros(n, 4 * d, d)); self.o = nn.Linear(d, 10)
    def forward(self, x, t=None):
        x = F.relu(self.i(x)); p = F.softmax(self.gate(x), -1); w, k = torch.topk(p, 2, -1); w = w / w.sum(-1, keepdim=True); y = torch.zeros_like(x)
        h = F.one_hot(k, 8).permute(2, 1, 0).float()
        for e in range(8):
            m = (h[e] * w.t()).sum(0); y = y + m[:, None] * (F.silu(x @ self.up[e]) @ self.down[e])
        z = self.o(x + y); return z if t is None else F.cross_entropy(z, t) + .01 * 8 * (p.mean(0) * h.mean((1, 2))).sum()
class GAT(nn.Module):
    """Attention over a graph's edges: a softmax of segments by scatter_reduce and scatter_add"""
    def __init__(self, i=64, h=4, d=16, o=16): super().__init__(); self.h, self.d = h, d; self.w = nn.Linear(i, h * d, bias=False); self.s = nn.Parameter(torch.zeros(1, h, d)); self.t = nn.Parameter(torch.zeros(1, h, d)); self.o = nn.Linear(h * d, o)
    def forward(self, x, e, t=None):
        n = x.size(0); y = self.w(x).view(n, self.h, self.d); a = (y * self.s).sum(-1)[e[0]] + (y * self.t).sum(-1)[e[1]]; a = F.leaky_relu(a, .2); k = e[1][:, None].expand(-1, self.h)
        top = torch.full((n, self.h), float('-inf'), device=x.device).scatter_reduce(0, k, a.detach(), 'amax'); a = (a - top[e[1]]).exp(); a = a / torch.zeros(n, self.h, device=x.device).scatter_add(0, k, a)[e[1]].clamp(min=1e-16)
        y = torch.zeros_like(y).index_add(0, e[1], a[:, :, None] * y[e[0]]); y = self.o(F.elu(y.reshape(n, -1))); return y if t is None else F.cross_entropy(y, t)
class SpeechCTC(nn.Module):
    """Convolutions over a spectrogram, a bidirectional GRU, connectionist temporal classification"""
    def __init__(self): super().__init__(); self.c = nn.Sequential(nn.Conv2d(1, 16, 3, (1, 2), 1), nn.BatchNorm2d(16), nn.Hardtanh(0, 20, inplace=True)); self.r = nn.GRU(16 * 20, 64, bidirectional=True); self.o = nn.Linear(128, 29)
    def forward(self, x, t=None):
        y = self.c(x); y = y.permute(3, 0, 1, 2) if False else y.permute(2, 0, 1, 3).flatten(2); y = F.log_softmax(self.o(self.r(y)[0]), -1); return y if t is None else F.ctc_loss(y, t, (y.size(0),) * y.size(1), (t.size(1),) * y.size(1))
class SuperRes(nn.Module):
    def __init__(self, c=32): super().__init__(); self.a = nn.Conv2d(3, c, 5, padding=2); self.b = nn.Conv2d(c, c, 3, padding=1); self.c = nn.Conv2d(c, 12, 3, padding=1); self.p = nn.PixelShuffle(2); self.act = nn.PReLU(c)
    def forward(self, x): y = self.act(self.a(x)); y = self.act(self.b(y)) + y; return self.p(self.c(y)) + F.interpolate(x, scale_factor=2, mode='bilinear', align_corners=False)
class Field(nn.Module):
    """A radiance field: sines and cosines of positions, samples along rays, compositing by cumprod"""
    def __init__(self, d=64): super().__init__(); self.a = nn.Sequential(nn.Linear(39, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU()); self.b = nn.Linear(d + 39, d); self.s = nn.Linear(d, 1); self.c = nn.Linear(d, 3)
    def forward(self, o, d):
        z = torch.linspace(2., 6., 32, device=o.device); x = o[:, None] + d[:, None] * z[:, None]; f = [x] + [g(x * 2. ** k) for k in range(6) for g in (torch.sin, torch.cos)]; f = torch.cat(f, -1); h = F.relu(self.b(torch.cat((self.a(f), f), -1)))
        s = F.softplus(self.s(h).squeeze(-1)); dz = torch.cat((z[1:] - z[:-1], torch.full((1,), 1e10, device=z.device))); a = 1 - torch.exp(-s * dz); T = torch.cumprod(torch.cat((torch.ones_like(a[:, :1]), 1 - a + 1e-10), -1), -1)[:, :-1]
        return ((a * T)[..., None] * torch.sigmoid(self.c(h))).sum(1)

edges = lambda k: torch.stack((make('i2000 12000', k, False), (make('i1999 12000', 3, False) * 13 + 5) % 2000))
NEW = {
 'wavenet': (WaveNet, [ids(256, 4, 400), ids(256, 4, 400)], lambda p: O.Adam(p, lr=1e-3), None, None), 'critic': (Critic, [pic(16, 3, 32, 32), ids(10, 16), lambda k: make('s 16 1', k)], lambda p: O.Adam(p, lr=2e-4, betas=(0., .9)), None, None),
 'alexnet': (AlexNet, [pic(8, 3, 128, 128), ids(100, 8)], lambda p: O.SGD(p, lr=.01, momentum=.9, nesterov=True), None, None), 'stn': (STN, [pic(32, 1, 28, 28), ids(10, 32)], lambda p: O.SGD(p, lr=.01), None, None),
 'adaptive_lm': (AdaptiveLM, [ids(2000, 16, 35), ids(2000, 16, 35)], lambda p: O.Adagrad(p, lr=.1), None, .5), 'clip': (Clip, [pic(24, 3, 32, 32), ids(500, 24, 16)], lambda p: O.AdamW(p, lr=1e-3), None, 1.),
 'moe': (MoE, [pic(512, 64), ids(10, 512)], lambda p: O.Adam(p, lr=1e-3), None, None), 'gat': (GAT, [pic(2000, 64), edges, ids(16, 2000)], lambda p: O.Adam(p, lr=.005), None, None),
 'speech': (SpeechCTC, [pic(8, 1, 60, 40), lambda k: make('i28 8 12', k, False) + 1], lambda p: O.AdamW(p, lr=1e-3), None, 400.), 'superres': (SuperRes, [pic(4, 3, 32, 32), pic(4, 3, 64, 64)], lambda p: O.Adam(p, lr=1e-3), None, None), 'field': (Field, [pic(256, 3), pic(256, 3), lambda k: make('q 256 3', k)], lambda p: O.Adam(p, lr=5e-4), None, None),
}
LOSSES.update(clip=contrast, superres=lambda net, x, y: F.l1_loss(net(x), y), field=lambda net, o, d, c: F.mse_loss(net(o, d), c)); EVAL.update(clip=lambda net, *a: net(*a))
MODELS.clear(); MODELS.update(NEW)

def averaged():
    """A student, its moving average and a tuned weight: AveragedModel with the EMA of multiple tensors, then SWA by default, update_bn"""
    make_net = lambda: nn.Sequential(nn.Linear(128, 256), nn.BatchNorm1d(256), nn.ReLU(), nn.Linear(256, 10))
    net = fill(make_net()).to(dev); mark('model'); ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(.99), use_buffers=True); mark('ema'); swa = AveragedModel(net); mark('swa'); opt = O.SGD(net.parameters(), lr=.1); sched = torch.optim.swa_utils.SWALR(opt, swa_lr=.05, anneal_epochs=2); data = [make('c 64 128', k + 1) for k in range(2)]; y = ids(10, 64)(5); mark('optimizer')
    for step in range(3):
        loss = F.cross_entropy(net(data[step % 2]), y); mark(f'{step} forward'); loss.backward(); mark(f'{step} backward'); opt.step(); mark(f'{step} step'); opt.zero_grad(); ema.update_parameters(net); mark(f'{step} ema'); swa.update_parameters(net); mark(f'{step} swa'); sched.step(); losses.append([loss.item(), opt.param_groups[0]['lr']])
    del loss; torch.optim.swa_utils.update_bn(data, swa); mark('update_bn'); swa.eval()
    with torch.no_grad(): out = swa(data[0])
    mark('evaluation'); v = summary(out); del out; mark('output deleted'); return v

if __name__ == '__main__':
    if sys.argv[1] == 'list': print(' '.join(NEW), 'averaged'); sys.exit()
    name = sys.argv[1]; torch.manual_seed(0); exact = '--exact' in sys.argv
    if exact: torch.backends.cudnn.allow_tf32 = False
    if not fake: torch.cuda.init(); history(True)
    out = None; error = None
    try: out = averaged() if name == 'averaged' else train(name)
    except Exception as e: error = f'{type(e).__name__}: {str(e)[:400]}'
    t = trace()
    row = dict(model=name, torch=torch.__version__, cudnn=torch.backends.cudnn.version(), env={k: os.environ.get(k) for k in ('CUBLAS_WORKSPACE_CONFIG', 'DISABLE_ADDMM_CUDA_LT', 'PYTORCH_CUDA_ALLOC_CONF')}, tf32=not exact, marks=marks, losses=losses, evaluation=out, error=error, trace=t)
    with gzip.open(sys.argv[2], 'wt') as f: json.dump(row, f, separators=(',', ':'))
    print(name, len(marks), 'marks', len(t), 'events', losses, error or '', flush=True)
