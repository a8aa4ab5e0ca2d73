"""What topk and the gradient of indexed rows allocate. usage: sorting_scratch.py OUTFILE (JSON; the test resource holds its rows as lists)"""
import sys, json, torch
out = {}
def seq(f):
    f(); torch.cuda.synchronize(); torch.cuda.memory._record_memory_history(enabled='all', context=None, clear_history=True)
    y = f(); t = [('+' if e['action'] == 'alloc' else '-') + str(e['size']) for e in torch.cuda.memory._snapshot()['device_traces'][0] if e['action'] in ('alloc', 'free_completed')]
    torch.cuda.memory._record_memory_history(enabled=None); return ' '.join(t)
def index(n, rows, width=4):
    w = torch.zeros(rows, width, device='cuda', requires_grad=True); i = torch.arange(n, device='cuda') % rows; y = w[i]; g = torch.ones_like(y)
    return seq(lambda: torch.autograd.grad(y, w, g, retain_graph=True))
def small(n): return ' +1 -1 ' in index(n, 1000)
lo, hi = 641, 4095
while lo < hi:
    m = (lo + hi + 1) // 2
    if small(m): lo = m
    else: hi = m - 1
out['index_single_tile_up_to'] = lo
lo2, hi2 = 641, 4095
def small8(n): return ' +1 -1 ' in index(n, 100)
while lo2 < hi2:
    m = (lo2 + hi2 + 1) // 2
    if small8(m): lo2 = m
    else: hi2 = m - 1
out['index_single_tile_100_rows'] = lo2
for rows in (1, 2, 127, 128, 129, 255, 256, 257, 1000, 16384, 65535, 65536, 65537, 70000, 1 << 20, (1 << 24) + 1): out[f'index 5000 rows {rows}'] = index(5000, rows, 1)
for n in (lo, lo + 1, 4608, 4609, 9216, 9217, 46080, 46081, 500000, 1000003): out[f'index {n}'] = index(n, 1000)
for w in (1, 3, 32, 33, 1000): out[f'index 5000 width {w}'] = index(5000, 50, w)
w = torch.zeros(40, 30, 20, device='cuda', requires_grad=True); i2 = torch.arange(60, device='cuda').reshape(6, 10) % 40; y = w[i2]; out['index 2d'] = seq(lambda: torch.autograd.grad(y, w, torch.ones_like(y), retain_graph=True))
def topk(s, k, dt=torch.float32, kk=5):
    x = torch.zeros(s, k, device='cuda', dtype=dt); return seq(lambda: x.topk(kk))
for s in list(range(4096, 140000, 1024)): out[f'topk {s}'] = topk(s, 400, torch.float16).split()[-12:]
for s, k in ((1, 19999), (1, 20000), (1, 1000000), (10, 100000), (20, 20000), (21, 10000), (40, 9999), (40, 10000), (41, 8000), (80, 8000), (81, 5000), (100, 50000), (199, 5000), (200, 5000), (200, 3000), (799, 3000), (800, 800), (800, 3000), (4000, 800), (4001, 400), (3, 3000000), (500, 100000)):
    out[f'topk {s} {k}'] = topk(s, k)
for dt in (torch.float64, torch.int64, torch.int32, torch.uint8, torch.bfloat16): out[f'topk 30 20000 {dt}'] = topk(30, 20000, dt)
out['topk k1'] = topk(30, 20000, kk=1); out['topk k4097'] = topk(30, 20000, kk=4097); out['topk k100'] = topk(5000, 800, kk=100); out['topk small k100'] = topk(50, 300, kk=100); out['topk k2049 small'] = topk(2, 5000, kk=2049); out['topk k1025'] = topk(2, 5000, kk=1025); out['topk k33'] = topk(2, 5000, kk=33)
p = torch.cuda.get_device_properties(0); out['props'] = {k: getattr(p, k) for k in dir(p) if isinstance(getattr(p, k), int) and not k.startswith('_')}
json.dump(out, open(sys.argv[1], 'w'), indent=0)
