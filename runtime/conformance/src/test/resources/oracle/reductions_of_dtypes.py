"""reductions.py with more dtypes, operations and several dimensions. usage: reductions_of_dtypes.py SEED COUNT OUTFILE"""
import sys, json, gzip, random, torch
r = random.Random(int(sys.argv[1])); rows = []
def size(lo, hi): return int(2 ** r.uniform(lo, hi))
def tail(): return [e['size'] for e in torch.cuda.memory._snapshot()['device_traces'][0] if e['action'] == 'alloc']
for i in range(int(sys.argv[2])):
    dt = r.choice(['float32', 'float32', 'float16', 'bfloat16', 'float64', 'int64', 'int32', 'uint8', 'bool'])
    fl = dt.startswith(('float', 'bf'))
    op = r.choice(['sum', 'sum', 'mean', 'amax', 'amin', 'max', 'min', 'var', 'norm', 'argmax', 'argmin', 'any', 'all', 'max_dim', 'min_dim'] if fl else ['sum', 'any', 'all', 'amax', 'argmax', 'max'] if dt != 'bool' else ['sum', 'any', 'all'])
    kind = r.choice(['full', 'rows', 'cols', 'mid', 'multi', 'multi'])
    if kind == 'full': shape, dim = [size(3, 26)], None
    elif kind == 'rows': shape, dim = [size(0, 13), size(2, 14)], [1]
    elif kind == 'cols': shape, dim = [size(2, 17), size(0, 12)], [0]
    elif kind == 'mid': shape, dim = [size(0, 6), size(2, 12), size(0, 8)], [1]
    else:
        nd = r.choice([3, 4]); shape = [size(0, 8) for _ in range(nd)]; dim = sorted(r.sample(range(nd), r.choice([1, 2, 2, 3])))
    if op in ('max', 'min', 'norm'): dim = None
    if op in ('argmax', 'argmin', 'max_dim', 'min_dim', 'any', 'all') and dim: dim = dim[:1]
    if op in ('max_dim', 'min_dim') and not dim: dim = [0]
    n = 1
    for s in shape: n *= s
    if n > 1 << 27: continue
    x = torch.ones(shape, device='cuda', dtype=getattr(torch, dt)); tr = r.random() < .15 and len(shape) > 1
    if tr: p = list(range(len(shape))); r.shuffle(p); x = x.permute(p)
    o = op.replace('_dim', '')
    f = (lambda: getattr(x, o)()) if dim is None else (lambda: getattr(x, o)(dim[0])) if op in ('argmax', 'argmin', 'max_dim', 'min_dim', 'any', 'all') else (lambda: getattr(x, o)(dim))
    try:
        f(); torch.cuda.memory._record_memory_history(enabled='all', context=None, clear_history=True)
        y = f(); row = [op, shape, dim, dt, tail()]
        if tr: row.append(p)
        rows.append(row); del y, x
    except Exception as e: print(op, shape, dim, dt, str(e)[:100])
    torch.cuda.memory._record_memory_history(enabled=None)
p = torch.cuda.get_device_properties(0)
json.dump(dict(meta=dict(torch=torch.__version__, device=p.name, multiprocessors=p.multi_processor_count, max_threads_per_multiprocessor=p.max_threads_per_multi_processor, warp=p.warp_size), rows=rows), gzip.open(sys.argv[3], 'wt'), separators=(',', ':'))
print(len(rows), 'with scratch', sum(len(x[4]) > 1 for x in rows))
