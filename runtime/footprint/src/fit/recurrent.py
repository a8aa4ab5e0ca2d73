"""Fits the rule of cuDNN's recurrent workspaces: usage: recurrent.py MODELS_FOLDER OUTFILE (needs scipy); prints the errors on held-back shapes.

A workspace is 8 MiB for each layer and direction and a sum over sizes, whose factors are fitted for each kind of layer, size of an element, and training or not;
recorded shapes follow as a table. The reserve needs no fit: RecurrentMemory.reserve."""
import gzip, json, os, sys
import numpy as np
from scipy.optimize import nnls

GATES = dict(LSTM=4, GRU=3, RNN=1)
BASE = 8 << 20

def read(folder):
    rows = {}
    for line in gzip.open(f'{folder}/recurrent.jsonl.gz'):
        row = json.loads(line)
        if 'q' not in row: continue
        kind, T, B, I, H, L, bi, bias, bf, drop, packed, proj = row['q']; mode = row['mode']; e = 4 if mode.endswith('float32') else 2; D = 2 if bi else 1; N = sum(max(1, T - 2 * b) for b in range(B)) if packed else T * B; train = 'eval' not in mode
        # the workspace is the largest request that is given back before the call ends, after the results
        f = row['fwd_trace']; big = [v for i, v in enumerate(f) if v >= BASE * L * D and -v in f[i + 1:i + 3]]
        if big: rows[f"{kind} {e} {int(train)} {T} {B} {N} {I} {H} {L} {D} {bias} {proj} {int(drop > 0 and train)}"] = (dict(kind=kind, e=e, train=train, T=T, B=B, N=N, I=I, H=H, L=L, D=D, proj=proj), max(big))
    for line in gzip.open(f'{folder}/modules.jsonl.gz'):
        row = json.loads(line)
        if row.get('module') not in GATES or row['mode'] not in ('float32', 'eval', 'float16') or 'fwd_trace' not in row: continue
        a, kw = row['args'], row['kw']; shape = [int(v) for v in row['inputs'][0].split()[1:]]; shape = shape if len(shape) == 3 else [shape[0], 1, shape[1]]; T, B, I = shape if not kw.get('batch_first') else [shape[1], shape[0], shape[2]]; L = a[2] if len(a) > 2 else 1; D = 2 if kw.get('bidirectional') else 1; train = row['mode'] != 'eval'; e = 2 if row['mode'] == 'float16' else 4; proj = kw.get('proj_size', 0)
        f = row['fwd_trace']; big = [v for i, v in enumerate(f) if v >= BASE * L * D and -v in f[i + 1:i + 3]]
        if big: rows[f"{row['module']} {e} {int(train)} {T} {B} {T * B} {I} {a[1]} {L} {D} {int(kw.get('bias', True))} {proj} {int(kw.get('dropout', 0) > 0 and train)}"] = (dict(kind=row['module'], e=e, train=train, T=T, B=B, N=T * B, I=I, H=a[1], L=L, D=D, proj=proj), max(big))
    return rows

def sizes(q):
    L, D, N, H, I, B, g = q['L'], q['D'], q['N'], q['H'], q['I'], q['B'], GATES[q['kind']]
    return [L * D * N * H, D * N * I, (L - 1) * D * D * N * H, L * D * B * H, D * I * H * g, L * D * H * H * g, (L - 1) * D * D * H * H * g, L * D * H, N * H, L * D * B * I, 1]

def fit(qs, ws):
    full = np.array(ws, float); A = np.array([sizes(q) for q in qs], float); y = np.array([(w - BASE * q['L'] * q['D']) / q['e'] for q, w in zip(qs, ws)]); e = qs[0]['e']; weight = e / full
    c, _ = nnls(A * weight[:, None], y * weight)
    for _ in range(20):
        off = np.abs(A @ c - y) * e / full; w = weight / np.maximum(off, 1e-3) ** .5; c, _ = nnls(A * w[:, None], y * w)
    return c

def guess(c, q): return BASE * q['L'] * q['D'] + q['e'] * float(np.dot(c, sizes(q)))

if __name__ == '__main__':
    rows = read(sys.argv[1]); out = []; table = []
    for g in sorted({(q['kind'], q['e'], q['train']) for q, _ in rows.values()}):
        mine = [(k, q, w) for k, (q, w) in sorted(rows.items()) if (q['kind'], q['e'], q['train']) == g and not q['proj']]; off = []
        for f in range(5):
            c = fit([q for i, (k, q, w) in enumerate(mine) if i % 5 != f], [w for i, (k, q, w) in enumerate(mine) if i % 5 != f]); off += [abs(guess(c, q) - w) / w for i, (k, q, w) in enumerate(mine) if i % 5 == f]
        c = fit([q for _, q, _ in mine], [w for _, _, w in mine]); out.append(f"{g[0]} {g[1]} {int(g[2])} " + ' '.join(f'{v:.4f}' for v in c))
        print(f'held back: {g}: {len(mine)} shapes, error of the workspace: median {np.median(off):.3f}, mean {np.mean(off):.3f}, worst {max(off):.3f}')
    of_models = [line.strip()[2:] for line in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'of_models.txt')) if line.startswith('R ')]   # as in convolutions.py
    out.append('table'); out += of_models + [f'{k} {w}' for k, (q, w) in sorted(rows.items())]
    with open(sys.argv[2], 'wb') as f, gzip.GzipFile(fileobj=f, mode='wb', mtime=0, filename='') as z: z.write(('\n'.join(out) + '\n').encode())
