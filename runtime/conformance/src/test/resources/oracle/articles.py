"""Run the example programs that the articles speak of on PyTorch and record the allocator after each statement.
usage: articles.py OUTFILE"""
import sys, json, gc, os, traceback, gzip
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset
torch.backends.cuda.matmul.allow_tf32 = False
dev = 'cuda'
REC = {}
cur = None
def mark(label):
    s = torch._C._cuda_memoryStats(0)
    cur['marks'].append([label, s['allocated_bytes']['all']['current'], s['allocated_bytes']['all']['peak'], s['reserved_bytes']['all']['current'], s['requested_bytes']['all']['current'], s['active_bytes']['all']['current'], s['inactive_split_bytes']['all']['current'], s['allocation']['all']['current'], s['segment']['all']['current']])
def scenario(fn):
    global cur
    gc.collect(); torch.cuda.synchronize(); torch.cuda.empty_cache(); torch._C._cuda_clearCublasWorkspaces()
    torch.manual_seed(0)
    torch.cuda.memory._record_memory_history(enabled='all', context=None, max_entries=10**6, clear_history=True)
    cur = {'marks': [], 'error': None}
    REC[fn.__name__] = cur
    torch.cuda.reset_peak_memory_stats(); torch.cuda.reset_accumulated_memory_stats()
    mark('start')
    try: fn()
    except Exception as e: cur['error'] = type(e).__name__ + ': ' + str(e); e = None
    gc.collect(); torch._C._cuda_clearCublasWorkspaces(); mark('end')
    tr = torch.cuda.memory._snapshot()['device_traces'][0]
    cur['trace'] = [[e['action'], e.get('addr', 0), e['size']] for e in tr][:6000]
    torch.cuda.memory._record_memory_history(enabled=None)
    print(fn.__name__, cur['marks'][-2][:4], 'max', max(m[2] for m in cur['marks']), cur['error'], flush=True)

def mlp(sizes):
    l = []
    for i in range(len(sizes) - 1):
        l.append(nn.Linear(sizes[i], sizes[i+1]))
        if i < len(sizes) - 2: l.append(nn.ReLU())
    return nn.Sequential(*l).to(dev)
def loop_linear(zero, iters=4, batch=1024, opt='SGD', **kw):
    model = nn.Linear(1000, 10).to(dev); mark('model')
    o = getattr(torch.optim, opt)(model.parameters(), lr=0.01, **kw); mark('optimizer')
    for i in range(iters):
        data = torch.randn(batch, 1000).to(dev); mark(f'{i}.data')
        target = torch.randint(0, 10, (batch,)).to(dev); mark(f'{i}.target')
        output = model(data); mark(f'{i}.forward')
        loss = F.cross_entropy(output, target); mark(f'{i}.loss')
        loss.backward(); mark(f'{i}.backward')
        o.step(); mark(f'{i}.step')
        if zero == 'none': o.zero_grad()
        elif zero == 'zeros': o.zero_grad(set_to_none=False)
        mark(f'{i}.zero_grad')
def s000_1_zero_grad(): loop_linear('none')
def s000_1_missing_zero_grad(): loop_linear('never')
def s000_1_zero_grad_to_zeros(): loop_linear('zeros')
def s000_2_del_and_empty_cache():
    model = nn.Linear(1000, 10).to(dev); o = torch.optim.SGD(model.parameters(), lr=.01); mark('model')
    for i in range(3):
        data = torch.randn(1024, 1000).pin_memory().cuda(non_blocking=True); target = torch.randint(0, 10, (1024,)).pin_memory().cuda(non_blocking=True); mark(f'{i}.data')
        output = model(data); loss = F.cross_entropy(output, target); mark(f'{i}.loss')
        loss.backward(); o.step(); o.zero_grad(); mark(f'{i}.step')
        del data, target, output; mark(f'{i}.del')
        torch.cuda.empty_cache(); mark(f'{i}.empty_cache')
class Net(nn.Module):
    def __init__(self, mode):
        super().__init__(); self.mode = mode
        self.layer1 = nn.Sequential(nn.Linear(512, 2048), nn.ReLU())
        self.layer2 = nn.Sequential(nn.Linear(2048, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU())
        self.layer3 = nn.Linear(2048, 10)
    def forward(self, x):
        x = self.layer1(x); mark('layer1')
        if self.mode == 'plain': x = self.layer2(x)
        else: x = checkpoint(self.layer2, x, use_reentrant=(self.mode == 'reentrant'))
        mark('layer2')
        x = self.layer3(x); mark('layer3')
        return x
def ckpt(mode):
    m = Net(mode).to(dev); o = torch.optim.SGD(m.parameters(), lr=.01); mark('model')
    for i in range(2):
        x = torch.randn(4096, 512, device=dev); t = torch.randint(0, 10, (4096,), device=dev); mark(f'{i}.data')
        out = m(x); loss = F.cross_entropy(out, t); mark(f'{i}.loss')
        torch.cuda.reset_peak_memory_stats()
        loss.backward(); mark(f'{i}.backward')
        o.step(); mark(f'{i}.step'); o.zero_grad(); mark(f'{i}.zero_grad')
def s000_3_plain(): ckpt('plain')
def s000_3_checkpoint(): ckpt('nonreentrant')
def s000_3_checkpoint_reentrant(): ckpt('reentrant')
def train_mlp(batch, opt, iters=3, **kw):
    m = mlp([784, 1024, 1024, 10]); mark('model'); o = getattr(torch.optim, opt)(m.parameters(), lr=1e-3, **kw)
    for i in range(iters):
        x = torch.randn(batch, 784, device=dev); y = torch.randint(0, 10, (batch,), device=dev); mark(f'{i}.data')
        out = m(x); mark(f'{i}.forward'); loss = F.cross_entropy(out, y); mark(f'{i}.loss')
        loss.backward(); mark(f'{i}.backward'); o.step(); mark(f'{i}.step'); o.zero_grad(); mark(f'{i}.zero_grad')
def s001_1_batch_128(): train_mlp(128, 'SGD')
def s001_1_batch_64(): train_mlp(64, 'SGD')
def s001_1_batch_2048(): train_mlp(2048, 'SGD')
def opt_sgd_momentum(): train_mlp(256, 'SGD', momentum=.9)
def opt_sgd_momentum_foreach_false(): train_mlp(256, 'SGD', momentum=.9, foreach=False)
def opt_adam(): train_mlp(256, 'Adam')
def opt_adam_foreach_false(): train_mlp(256, 'Adam', foreach=False)
def opt_adamw(): train_mlp(256, 'AdamW')
def opt_adamw_foreach_false(): train_mlp(256, 'AdamW', foreach=False)
def opt_adamw_fused(): train_mlp(256, 'AdamW', fused=True)
def s001_2_inference_with_grad():
    m = mlp([784, 1024, 1024, 10]); outs = []; mark('model')
    for i in range(4):
        x = torch.randn(512, 784, device=dev); outs.append(m(x)); mark(f'{i}.output kept')
def s001_2_no_grad_del():
    m = mlp([784, 1024, 1024, 10]); mark('model')
    with torch.no_grad():
        for i in range(4):
            x = torch.randn(512, 784, device=dev); out = m(x); mark(f'{i}.output')
            del out; mark(f'{i}.del out'); del x; mark(f'{i}.del x')
def accum(batch, steps, bug=False):
    m = mlp([784, 1024, 10]); o = torch.optim.SGD(m.parameters(), lr=.01); mark('model'); o.zero_grad()
    for i in range(8):
        x = torch.randn(batch, 784, device=dev); y = torch.randint(0, 10, (batch,), device=dev)
        if bug: o.zero_grad()
        out = m(x); loss = F.cross_entropy(out, y); loss = loss / steps; mark(f'{i}.loss')
        loss.backward(); mark(f'{i}.backward')
        if (i + 1) % steps == 0:
            o.step()
            if not bug: o.zero_grad()
            mark(f'{i}.step')
def s001_3_accumulate_4x64(): accum(64, 4)
def s001_3_single_256(): accum(256, 1)
def s004_1_accumulate_article(): accum(64, 4, bug=True)
def s002_1_dangling():
    a = torch.randn(1024, 1024, device=dev); mark('a'); b = a; mark('alias'); del a; mark('del a'); gc.collect(); torch.cuda.empty_cache(); mark('gc + empty_cache')
    b = None; mark('b = None'); torch.cuda.empty_cache(); mark('empty_cache')
def s002_2_retain_graph():
    m = mlp([784, 1024, 1024, 10]); mark('model')
    for i in range(4):
        x = torch.randn(256, 784, device=dev); loss = m(x).sum(); mark(f'{i}.loss'); loss.backward(retain_graph=True); mark(f'{i}.backward1'); loss.backward(retain_graph=True); mark(f'{i}.backward2')
def s002_2_retain_graph_kept_losses():
    m = mlp([784, 1024, 1024, 10]); mark('model'); keep = []
    for i in range(4):
        x = torch.randn(256, 784, device=dev); loss = m(x).sum(); loss.backward(retain_graph=True); keep.append(loss); mark(f'{i}.kept')
def s002_2_no_retain():
    m = mlp([784, 1024, 1024, 10]); mark('model'); keep = []
    for i in range(4):
        x = torch.randn(256, 784, device=dev); loss = m(x).sum(); loss.backward(); keep.append(loss); mark(f'{i}.kept')
def s002_2_backward_twice():
    m = mlp([784, 64, 10]); x = torch.randn(8, 784, device=dev); loss = m(x).sum(); loss.backward(); loss.backward()
def s002_5_out_of_place():
    x = torch.randn(1024, 1024, device=dev); y = torch.randn(1024, 1024, device=dev); mark('xy'); x = x + y; mark('x = x + y'); t = x * 2; mark('t = x * 2')
def s002_5_in_place():
    x = torch.randn(1024, 1024, device=dev); y = torch.randn(1024, 1024, device=dev); mark('xy'); x.add_(y); mark('x.add_(y)'); x.mul_(2); mark('x.mul_(2)'); c = x.clone(); mark('clone')
def s002_6_pinned():
    h = torch.cuda.host_memory_stats(); before = {k: h[k] for k in list(h)[:60]}
    a = torch.empty(1000, 1000, pin_memory=True); b = torch.empty(3000001, dtype=torch.uint8, pin_memory=True); mid = dict(torch.cuda.host_memory_stats()); del a, b; after = dict(torch.cuda.host_memory_stats())
    torch._C._host_emptyCache(); cleared = dict(torch.cuda.host_memory_stats())
    cur['host'] = dict(before=before, mid=mid, after=after, cleared=cleared)
def s003_1_intermediates():
    for i in range(4):
        x = torch.randn(1024, 1024, device=dev); mark(f'{i}.x'); y = torch.matmul(x, x); mark(f'{i}.y'); z = torch.relu(y); mark(f'{i}.z')
def s003_1_corrected():
    for i in range(4):
        x = torch.randn(1024, 1024, device=dev); mark(f'{i}.x')
        with torch.no_grad():
            y = torch.matmul(x, x); mark(f'{i}.y'); z = torch.relu(y); mark(f'{i}.z'); del y; mark(f'{i}.del y')
        del x; del z; mark(f'{i}.del xz')
def loader(pin, nb):
    ds = TensorDataset(torch.randn(10000, 100), torch.randn(10000, 1))
    for i, (d, t) in enumerate(DataLoader(ds, batch_size=1000, pin_memory=pin)):
        d, t = d.cuda(non_blocking=nb), t.cuda(non_blocking=nb); mark(f'{i}')
def s003_2_async(): loader(True, True)
def s003_2_sync(): loader(True, False)
def s003_3_list():
    l = []
    for i in range(100):
        l.append(torch.empty(1000, 1000, device=dev)); mark(f'{i}')
def s003_3_corrected():
    for i in range(100):
        with torch.no_grad():
            t = torch.empty(1000, 1000, device=dev); del t
    mark('done')
def amp(half, iters=3):
    m = mlp([784, 1024, 1024, 10]); mark('model')
    if half: m.half(); mark('half')
    o = torch.optim.AdamW(m.parameters(), lr=1e-3); scaler = torch.amp.GradScaler('cuda')
    for i in range(iters):
        x = torch.randn(512, 784, device=dev); y = torch.randint(0, 10, (512,), device=dev); mark(f'{i}.data')
        with torch.amp.autocast('cuda'):
            out = m(x); loss = F.cross_entropy(out, y)
        mark(f'{i}.loss'); s = scaler.scale(loss); mark(f'{i}.scaled'); s.backward(); mark(f'{i}.backward'); scaler.step(o); mark(f'{i}.step'); scaler.update(); mark(f'{i}.update'); o.zero_grad()
def s004_3_article_half_and_scaler(): amp(True)
def s004_3_autocast_only(): amp(False)
def s004_head2head():
    a, b = mlp([512, 1024, 1]), mlp([512, 1024, 1]); o = torch.optim.AdamW(list(a.parameters()) + list(b.parameters()), lr=1e-3); mark('models')
    for i in range(3):
        xa, xb = torch.randn(1024, 512, device=dev), torch.randn(1024, 512, device=dev); mark(f'{i}.data')
        d = a(xa) - b(xb); mark(f'{i}.heads'); loss = F.binary_cross_entropy_with_logits(d, torch.ones_like(d)); mark(f'{i}.loss'); loss.backward(); mark(f'{i}.backward'); o.step(); o.zero_grad(); mark(f'{i}.step')
def fragmentation():
    keep = []; tmp = []
    for i in range(40):
        tmp.append(torch.empty(3 * 1024 * 1024, dtype=torch.uint8, device=dev)); keep.append(torch.empty(1100 * 1024, dtype=torch.uint8, device=dev))
    mark('filled'); tmp.clear(); mark('every other freed'); torch.cuda.empty_cache(); mark('empty_cache'); big = torch.empty(64 << 20, dtype=torch.uint8, device=dev); mark('big')
def bptt():
    w = torch.randn(256, 256, device=dev, requires_grad=True); h = torch.zeros(64, 256, device=dev); mark('init')
    for t in range(20):
        h = torch.tanh(h @ w); mark(f'{t}.h')
    h.sum().backward(); mark('backward')
def bptt_detached():
    w = torch.randn(256, 256, device=dev, requires_grad=True); h = torch.zeros(64, 256, device=dev); mark('init')
    for t in range(20):
        h = torch.tanh(h.detach() @ w); mark(f'{t}.h')
    h.sum().backward(); mark('backward')
def loss_accumulator_leak():
    m = mlp([784, 256, 10]); total = 0
    for i in range(6):
        x = torch.randn(256, 784, device=dev); loss = m(x).pow(2).mean(); loss.backward(); total = total + loss; mark(f'{i}')
def illegal_access():
    x = torch.randn(10, device=dev); idx = torch.tensor([100], device=dev); y = x[idx]; torch.cuda.synchronize()

if __name__ == '__main__':
    torch.cuda.init(); torch.empty(1, device=dev); 
    names = [k for k, v in list(globals().items()) if callable(v) and getattr(v, '__module__', '') == '__main__' and getattr(v, '__code__', None) is not None and v.__code__.co_argcount == 0]
    names = [x for x in names if x not in ('illegal_access',)]
    for k in names:
        scenario(globals()[k])
    import subprocess
    REC['_meta'] = dict(torch=torch.__version__, env={k: os.environ.get(k) for k in ('CUBLAS_WORKSPACE_CONFIG', 'DISABLE_ADDMM_CUDA_LT', 'CUBLASLT_WORKSPACE_SIZE')}, columns=['label', 'allocated', 'allocated_peak', 'reserved', 'requested', 'active', 'inactive_split', 'allocations', 'segments'], device=torch.cuda.get_device_name(0))
    with gzip.open(sys.argv[1], 'wt') as f: json.dump(REC, f, separators=(',', ':'))
    scenario(illegal_access) if False else None
