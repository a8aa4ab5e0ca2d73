"""What the recorders of this folder share: inputs that any machine can make again, and one call measured, forward and backward.

A figure row is [allocated, requested, peak allocated, peak requested, live allocations], relative to the moment before the call.
A trace is a list of requested sizes in order, positive when taken, negative when given back.
Values are [shape, dtype, sum, sum of absolute values, first three].
Before the measured call the cache is empty but for what its arguments lie in: parameters in the order of registration, then inputs.
"""
import contextlib, gc, gzip, json, os, sys, time
import torch

dev = 'cuda' if torch.cuda.is_available() else 'cpu'
fake = dev == 'cpu'                      # trying a recorder out where there is no GPU: figures are zeros
torch.backends.cuda.matmul.allow_tf32 = False
torch.set_num_threads(1); gc.freeze()   # what is imported is never garbage: collections between calls stay short

def value(shape, seed):
    """value(i) of programs.py, float32, on the host"""
    n = 1
    for s in shape: n *= s
    i = torch.arange(n, dtype=torch.int64)
    return ((((i * 2654435761 + seed * 40503) % (1 << 32)).double() / (1 << 32)) - 0.5).float().reshape(shape)

def make(spec, seed, grad=True, dtype=torch.float32):
    """A tensor from its text: a kind, then its sizes. f: value(i), may need a gradient; c: value(i), never; p: value(i) + 1; u: (value(i) + 0.5) * 0.98 + 0.01;
    q: as u, never a gradient; iN: (7 i + seed) mod N as int64; b: value(i) > 0; s: sign of value(i), 1 where it is 0, never a gradient; l: log_softmax of 4 value(i)
    over dimension 1; d: softmax of the same, never a gradient; o: int64 ones; fT (capital letter after the kind): the last two dimensions swapped in memory;
    fC: channels-last; z: complex from value(i) and value(i + n)"""
    kind, *sizes = spec.split(); shape = [int(s) for s in sizes]
    if kind[0] == 'i': 
        n = 1
        for s in shape: n *= s
        return ((torch.arange(n) * 7 + seed) % int(kind[1:])).reshape(shape).to(dev)
    if kind == 'o': return torch.ones(shape, dtype=torch.int64, device=dev)
    if kind == 'b': return (value(shape, seed) > 0).to(dev)
    v = value(shape, seed)
    if kind[0] == 'p': v = v + 1
    elif kind[0] in 'uq': v = (v + .5) * .98 + .01
    elif kind[0] == 's': v = torch.where(v >= 0, 1., -1.)
    elif kind[0] == 'l': v = torch.log_softmax(4 * v, 1)
    elif kind[0] == 'd': v = torch.softmax(4 * v, 1)
    elif kind[0] == 'z': v = torch.complex(v, value([2] + shape, seed)[1])
    if kind[1:] == 'T': v = v.transpose(-1, -2).contiguous().transpose(-1, -2)
    if kind[1:] == 'C': v = v.contiguous(memory_format=torch.channels_last if v.dim() == 4 else torch.channels_last_3d)
    if dtype != torch.float32 and kind[0] != 'z': v = v.to(dtype)
    v = v.to(dev)
    if grad and kind[0] in 'fpulz': v.requires_grad_(True)
    return v

def fill(module):
    """Parameters are value(i) with the seeds 1000, 1001, ... in their order; of one dimension named weight they are that plus 1"""
    with torch.no_grad():
        for k, (name, p) in enumerate(module.named_parameters()):
            v = value(list(p.shape), 1000 + k)
            if p.dim() == 1 and name.split('.')[-1] == 'weight': v = v + 1
            elif p.dim() > 1: v = v * (2.0 / max(1, p[0].numel()) ** .5)
            p.copy_(v)
    return module

def stats():
    if fake: return [0] * 7
    s = torch._C._cuda_memoryStats(0)
    a, r, n = s['allocated_bytes']['all'], s['requested_bytes']['all'], s['allocation']['all']
    return [a['current'], r['current'], a['peak'], r['peak'], n['current'], n['allocated'], n['freed']]

def figures(now, then): return [now[0] - then[0], now[1] - then[1], now[2] - then[0], now[3] - then[1], now[4] - then[4]]

def reset():
    if not fake: torch.cuda.reset_peak_memory_stats()

def clean():
    gc.collect()
    if not fake: torch.cuda.synchronize(); torch.cuda.empty_cache()

def history(on):
    if not fake: torch.cuda.memory._record_memory_history(enabled='all' if on else None, context=None, max_entries=10**6, clear_history=True) if on else torch.cuda.memory._record_memory_history(enabled=None)

def trace():
    if fake: return []
    return [e['size'] if e['action'] == 'alloc' else -e['size'] for e in torch.cuda.memory._snapshot()['device_traces'][0] if e['action'] in ('alloc', 'free_completed')]

def summary(t):
    d = t.detach()
    if d.is_sparse: d = d.to_dense()
    if d.is_complex(): d = torch.view_as_real(d)
    d = d.cpu().double().flatten()
    return [list(t.shape), str(t.dtype)[6:], d.sum().item(), d.abs().sum().item(), d[:3].tolist()]

def flat(o):
    if isinstance(o, torch.Tensor): return [o]
    if isinstance(o, (tuple, list)): return [t for x in o for t in flat(x)]
    if isinstance(o, dict): return [t for x in o.values() for t in flat(x)]
    if hasattr(o, 'data') and isinstance(getattr(o, 'data'), torch.Tensor): return [o.data]
    return []

def measure(build, autocast=None, grad=True, values=True):
    """build() makes (call, {name: leaf}); the first of two passes loads kernels and handles"""
    for attempt in (0, 1):
        clean(); torch.manual_seed(0)
        call, leaves = build()
        if attempt: history(True)
        reset(); base = stats()
        with contextlib.ExitStack() as stack:
            if not grad: stack.enter_context(torch.no_grad())
            if autocast is not None: stack.enter_context(torch.autocast(dev, dtype=autocast))
            out = call()
        f = stats(); row = dict(fwd=figures(f, base)); outs = flat(out); out = None
        which = next((k for k, t in enumerate(outs) if t.requires_grad), None) if grad else None
        if which is not None:
            y = outs[which]
            if values: go = value(list(y.shape), 77) + .25; go = (torch.complex(go, go) if y.is_complex() else go).to(y.dtype).to(dev)
            else: go = torch.empty_like(y, memory_format=torch.contiguous_format).fill_(1.)
            reset(); b0 = stats()
            y.backward(go); b = stats(); row['bwd'] = figures(b, b0); y = None
        if attempt:
            t = trace(); history(False)
            n = f[5] - base[5] + f[6] - base[6]; row['fwd_trace'] = t[:n]
            if which is not None: m = b0[5] - f[5] + b0[6] - f[6]; row['bwd_trace'] = t[n + m:n + m + b[5] - b0[5] + b[6] - b0[6]]; row['from'] = which
            row['out'] = [summary(t) if values else [list(t.shape), str(t.dtype)[6:]] for t in outs]
            if which is not None and values: row['grads'] = {k: summary(t.grad) for k, t in leaves.items() if t.grad is not None}
        go = None; outs.clear(); d = stats(); row['after'] = [d[0] - base[0], d[1] - base[1], d[4] - base[4]]
        call = None; leaves = None
    return row

class Rows:
    """Rows go to a file as they come, one JSON object a line, so that a time limit loses none"""
    def __init__(self, path, seconds, **meta):
        self.file = open(path, 'w'); self.t0 = time.time(); self.seconds = seconds; self.n = 0; self.bad = 0; self.name = os.path.basename(path)
        self.write(dict(_meta=dict(torch=torch.__version__, cudnn=torch.backends.cudnn.version(), device=None if fake else torch.cuda.get_device_name(),
            env={k: os.environ.get(k) for k in ('CUBLAS_WORKSPACE_CONFIG', 'DISABLE_ADDMM_CUDA_LT', 'PYTORCH_CUDA_ALLOC_CONF')}, **meta)))
    def write(self, row): self.file.write(json.dumps(row, separators=(',', ':')) + '\n'); self.file.flush()
    def over(self): return time.time() - self.t0 > self.seconds
    def add(self, key, build, autocast=None, grad=True, values=True, **more):
        if self.over(): return
        try: row = measure(build, autocast, grad, values)
        except Exception as e:
            history(False); row = dict(error=f'{type(e).__name__}: {str(e).splitlines()[0][:300] if str(e) else ""}'); self.bad += 1; e = None
            if not fake: torch.backends.cuda.matmul.allow_tf32 = False
        self.write(dict(key=key, **more, **row)); self.n += 1
        if self.n % 100 == 0: print(f'{self.name}: {self.n} rows, {self.bad} errors, {time.time() - self.t0:.0f} s, last {key}', flush=True)
    def end(self):
        print(f'{self.name}: end, {self.n} rows, {self.bad} errors, {time.time() - self.t0:.0f} s' + (' STOPPED BY TIME' if self.over() else ''), flush=True)
        self.file.close(); gc.collect()
