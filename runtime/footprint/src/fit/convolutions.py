"""Fits the rule of cuDNN's convolution workspaces: usage: convolutions.py MODELS_FOLDER RESOURCES (needs numpy)

A workspace is told apart into what cuDNN turns into another order (input x, weight w, output y, channels padded to vectors of 16 bytes, capital letters as they
are), a number of float32 pieces of the weight (p, of padded weights q), and a few bytes. Which of these a shape takes is cuDNN's heuristic: a decision tree over sizes
learns it (cart.py), one for each product (0 forward, 1 input, 2 weight), order of memory and size of an element: convolutions.txt.gz. All these shapes are a table, too, which counts before:
table.py. How near the trees are where a network has no layer in a table: held_out.py. The file in use was grown
before the rows of asked_grid, asked_networks and asked_models came; this grows it from them, too."""
import collections, gzip, json, lzma, multiprocessing, os, re, sys
import numpy as np
import cart

SIZE = dict(float32=4, float16=2, bfloat16=2)
SMALL = (0, 16, 128, 131, 144, 147, 256, 259, 272)
FIELDS = 'batch channels outputs groups channelsPerGroup outputsPerGroup taps kernel stride padding dilation inputs cells lastIn lastOut dims bfloat rows inputRows depth elements inputBytes outputBytes weightBytes whole wholeOut same pointwise single work turned tiles'.split()

def prod(a):
    n = 1
    for v in a: n *= v
    return n

def each(v, d): return [v] * d if not isinstance(v, list) else v * d if len(v) == 1 else v

def problem(kind, dtype, cl, n, c, k, g, into, kernel, s, p, di, out): return dict(kind=kind, dtype=dtype, e=SIZE[dtype], cl=int(cl), n=n, c=c, k=k, g=g, into=into, kernel=kernel, s=s, p=p, di=di, out=out)

def convolution(row):
    """The three products of a row, each with its workspace"""
    if 'q' in row: d, n, i, o, k, s, p, di, g, sp, t, cl, bias, xg = row['q']; kernel, s, p, di, op, sizes = each(k, d), each(s, d), each(p, d), each(di, d), [0] * d, [sp] * d; dtype = row['mode']
    else:
        a, kw = row['args'], row['kw']; d = int(row['module'][-2]); t = 'Transpose' in row['module']; i, o = a[0], a[1]; kernel = each(a[2], d); shape = [int(x) for x in row['inputs'][0].split()[1:]]; bias = kw.get('bias', True)
        if row['mode'] not in ('float32', 'float16', 'bfloat16'): return []
        if len(shape) == d + 1: shape = [1] + shape
        n, sizes = shape[0], shape[2:]
        if kw.get('padding') == 'same': kw['padding'] = [kw.get('dilation', 1) * (v - 1) // 2 for v in kernel]
        if kw.get('padding_mode', 'zeros') != 'zeros': sizes = [x + 2 * v for x, v in zip(sizes, each(kw['padding'], d))]; kw['padding'] = 0          # padded before
        s, p, di, op = (each(kw.get(x, y), d) for x, y in (('stride', 1), ('padding', 0), ('dilation', 1), ('output_padding', 0))); g = kw.get('groups', 1); cl = int(row['inputs'][0].startswith('fC')); xg = int(row['inputs'][0].startswith('f')); dtype = row['mode']
    cl = bool(cl); e = SIZE[dtype]
    out = [((x - 1) * s[j] - 2 * p[j] + di[j] * (kernel[j] - 1) + 1 + op[j]) if t else (x + 2 * p[j] - di[j] * (kernel[j] - 1) - 1) // s[j] + 1 for j, x in enumerate(sizes)]
    X, Y, W = n * i * prod(sizes) * e, n * o * prod(out) * e, i * o // g * prod(kernel) * e
    f, b = [v for v in row['fwd_trace']], list(row['bwd_trace']); found = []
    if not t and g > 1 and g == i and o % i == 0 and b[:1] == [W] and not cl: return []          # PyTorch's own kernel
    if Y not in f: return []
    f = f[len(f) - f[::-1].index(Y):]; found.append((1 if t else 0, f[0] if len(f) > 1 and f[1] == -f[0] else 0))
    if cl and b[0] == Y and -Y in b: b.pop(len(b) - 1 - b[::-1].index(-Y)); b = b[1:]
    def take(size, kind):
        nonlocal b
        if b[:1] != [size]: return False
        b = b[1:]; w = 0
        if len(b) > 1 and b[1] == -b[0] and b[0] not in ([o * e] if not bias else []): w = b[0]; b = b[2:]
        found.append((kind, w)); return True
    if xg and not take(X, 0 if t else 1): return []
    take(W, 2)
    c, k, into, away = (o, i, out, sizes) if t else (i, o, sizes, out)
    return [(problem(kind, dtype, cl, n, c, k, g, into, kernel, s, p, di, away), w) for kind, w in found]

def parts(q):
    e = q['e']; v = 16 // e; up = lambda c: (c + v - 1) // v * v; cg, kg, g = q['c'] // q['g'], q['k'] // q['g'], q['g']; taps = prod(q['kernel'])
    x, y = q['n'] * prod(q['into']) * e, q['n'] * prod(q['out']) * e
    return dict(x=x * up(cg) * g, X=x * cg * g, y=y * up(kg) * g, Y=y * kg * g, w=taps * up(cg) * kg * g * e, v=taps * up(cg) * up(kg) * g * e, W=taps * cg * kg * g * e, p=taps * cg * kg * g * 4, q=taps * up(cg) * kg * g * 4, r=taps * up(cg) * up(kg) * g * 4)

def label(q, ws):
    """Letters, pieces, rest; None where no sum is found"""
    if ws == 0: return '0'
    c = parts(q); found = []
    for x in ('', 'x', 'X'):
        for w in ('', 'w', 'v', 'W'):
            for y in ('', 'y', 'Y'):
                left = ws - sum(c[a] for a in x + w + y)
                if left < 0: continue
                if left < 4096: found.append((left not in SMALL, left, f'{x}{w}{y}'))
                else:
                    for u in 'pqr':
                        n, rest = divmod(left, c[u])
                        if n <= 64 and rest < 1400: found.append((2 + (rest not in SMALL) + (u != 'p') * .1, rest, f'{x}{w}{y}{n}{u}'))
                    for u in 'xy':
                        n, rest = divmod(left, c[u])
                        if n in (1, 2, 3, 4, 8, 16) and rest < 1400: found.append((3, rest, f'{x}{w}{y}{n}{u}'))
    if not found:            # partial sums of another kind, of which only the size is known: on 128 KiB, or 4
        rest, text = min((ws - sum(c[a] for a in x + w + y), x + w + y) for x in ('', 'x') for w in ('', 'w') for y in ('', 'y') if ws >= sum(c[a] for a in x + w + y))
        step = 131072 if rest >= 131072 else 4096
        return f'{text}+{rest // step * step + step // 2}'
    _, rest, text = min(found)
    return f'{text}+{rest if rest in SMALL else 16}'

def value(q, text):
    if text == '0': return 0
    c = parts(q); terms, rest = text.split('+')
    return sum((int(n) if n else 1) * c[a] for n, a in re.findall(r'(\d*)([a-zA-Z])', terms)) + int(rest)

def features(q):
    c = parts(q); cg, kg, taps = q['c'] // q['g'], q['k'] // q['g'], prod(q['kernel']); cells, inputs = prod(q['out']), prod(q['into']); v = 16 // q['e']; rows = q['n'] * cells
    return [q['n'], q['c'], q['k'], q['g'], cg, kg, taps, max(q['kernel']), max(q['s']), max(q['p']), max(q['di']), inputs, cells, q['into'][-1], q['out'][-1], len(q['into']), int(q['dtype'] == 'bfloat16'), rows, q['n'] * inputs, cg * taps, rows * q['k'], c['X'], c['Y'], c['W'],
        int(cg % v == 0), int(kg % v == 0), int(q['into'] == q['out']), int(taps == 1), int(cells == 1), rows * q['k'] * cg * taps, c['x'] + c['w'] + c['y'], -(-rows // 128) * -(-kg // 128) * q['g']]

def key(q): return ' '.join(map(str, [q['kind'], q['cl'], q['dtype'], q['n'], q['c'], q['k'], q['g']] + [','.join(map(str, q[a])) for a in ('into', 'kernel', 's', 'p', 'di')]))

def group(q):
    """Plain products are engines on cuBLAS: a tree of their own"""
    plain = q['g'] == 1 and not q['cl'] and prod(q['kernel']) == 1 and prod(q['s']) == 1 and not any(q['p'])
    return f"{q['kind']} {'plain' if plain else q['cl']} {q['e']}"

def write(nodes, names, out):
    def node(i):
        feature, bound, low, high, label = nodes[i]
        if feature < 0: out.append('=' + str(label))
        else: out.append(f'{feature} {float(np.float32(bound))!r}'); node(low); node(high)
    sys.setrecursionlimit(10000); node(0)

def read(folder):
    rows = {}
    for name in ('convolutions', 'modules'):
        for line in gzip.open(f'{folder}/{name}.jsonl.gz'):
            row = json.loads(line)
            if 'error' in row or 'fwd_trace' not in row or 'bwd_trace' not in row or not ('q' in row or row.get('module', '').startswith('Conv')): continue
            for q, w in convolution(row): rows[key(q)] = (q, w)
    # beside this script: what the recorded traces of whole models (models.tar) take at the convolutions of their ports, K and the key as below
    for line in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'of_models.txt')):
        kind, *words = line.split()
        if kind != 'K': continue
        many = [[int(v) for v in w.split(',')] for w in words[7:12]]; into, kernel, s, p, di = many
        q = problem(int(words[0]), words[2], int(words[1]), *map(int, words[3:7]), into, kernel, s, p, di, [(x + 2 * p[j] - di[j] * (kernel[j] - 1) - 1) // s[j] + 1 for j, x in enumerate(into)])
        rows[key(q)] = (q, int(words[12]))
    return rows

def recorded(name):
    """Layers on an H200, made by workspaces.py of the recorders: of well-known networks and small ones in many sizes (recorded), and random ones (swept)"""
    found = {}
    for line in lzma.open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name + '.txt.xz'), 'rt'):
        words = line.split(); into, kernel, s, p, di = ([int(v) for v in w.split(',')] for w in words[7:12])
        q = problem(int(words[0]), words[2], int(words[1]), *map(int, words[3:7]), into, kernel, s, p, di, [(x + 2 * p[j] - di[j] * (kernel[j] - 1) - 1) // s[j] + 1 for j, x in enumerate(into)])
        found[key(q)] = (q, int(words[12]))
    return found

def asked(rows, name='asked'):
    """What cuDNN answered on an H200 for layers of torchvision, timm and small networks (layers.py, asked.py), but for recorded shapes: as good as a recording, equal for 6,618 of 6,618 products that are in both"""
    found = {}
    for line in gzip.open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name + '.txt.gz'), 'rt'):
        words = line.split(); into, kernel, s, p, di = ([int(v) for v in w.split(',')] for w in words[7:12])
        q = problem(int(words[0]), words[2], int(words[1]), *map(int, words[3:7]), into, kernel, s, p, di, [(x + 2 * p[j] - di[j] * (kernel[j] - 1) - 1) // s[j] + 1 for j, x in enumerate(into)])
        if key(q) not in rows: found[key(q)] = (q, int(words[12]))
    return found

MOST_LEAVES = 5000      # more do not help what is held back

def written(path, data):
    with open(path, 'wb') as f, gzip.GzipFile(fileobj=f, mode='wb', mtime=0, filename='') as z: z.write(data)

def grown(part):
    """One group's tree, as lines, and what to tell of it"""
    g, mine = part
    texts = [label(q, w) for q, w in mine]; names = sorted(set(texts)); number = {t: i for i, t in enumerate(names)}
    x, out = np.array([features(q) for q, _ in mine], np.float32), [f'tree {g}', ' '.join(names)]
    tree = cart.grow(x, [number[t] for t in texts], MOST_LEAVES); write(tree, names, out)
    right = sum(value(q, names[i]) == w for (q, w), i in zip(mine, cart.predict(tree, x)))
    return out, f'{g}: {len(mine)} rows, {sum(n[0] < 0 for n in tree)} leaves, {len(mine) - right} that the tree does not give'

def everything(models):
    rows = read(models); rows.update(recorded('recorded')); rows.update(recorded('swept'))
    for name in ASKED: rows.update(asked(rows, name))
    return rows

ASKED = ('asked', 'asked_grid', 'asked_networks', 'asked_models', 'asked_last')

if __name__ == '__main__':
    groups = collections.defaultdict(list)
    for _, (q, w) in sorted(everything(sys.argv[1]).items()): groups[group(q)].append((q, w))
    with multiprocessing.Pool() as pool: all_ = pool.map(grown, sorted(groups.items()), 1)
    for _, told in all_: print(told)
    written(os.path.join(sys.argv[2], 'convolutions.txt.gz'), ('\n'.join(line for out, _ in all_ for line in out) + '\n').encode())
