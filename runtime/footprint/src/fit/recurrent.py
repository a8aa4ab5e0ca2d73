"""Lists the recorded workspaces of recurrent layers with projections: usage: recurrent.py MODELS_FOLDER OUTFILE

All others follow a rule (RecurrentWorkspace), which was read off cuDNN's answers: recurrent_sizes.py asks for them."""
import gzip, json, sys

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

if __name__ == '__main__':
    rows = read(sys.argv[1])
    with open(sys.argv[2], 'wb') as f, gzip.GzipFile(fileobj=f, mode='wb', mtime=0, filename='') as z: z.write(''.join(f'{k} {w}\n' for k, (q, w) in sorted(rows.items()) if q['proj']).encode())
