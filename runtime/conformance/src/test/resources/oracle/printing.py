"""How PyTorch prints tensors of the CPU; see printing_on_gpu.py for those of a GPU. usage: printing.py OUTFILE (gzipped JSON)

A case: dtype, shape, the elements' bytes in row-major order (hexadecimal; the first comes again after the last, so that
large tensors take little), what was done to the tensor, the text."""
import gzip, json, math, sys, torch
T = torch
cases = []
g = T.Generator().manual_seed(2011)
FLOATS = [T.float32, T.float64, T.float16, T.bfloat16]
INTS = [T.int64, T.int32, T.uint8]
SMALL = [(), (1,), (3,), (7,), (2, 3), (2, 3, 4), (1, 1, 1), (2, 1, 3, 2), (30,)]
LARGE = [(1000,), (1001,), (2000,), (50, 50), (1, 1001), (1001, 1), (8, 9, 20), (2, 2, 300), (7, 7, 7, 7), (2,) * 11, (40, 3, 9)]
WAYS = {'leaf': lambda x: x.requires_grad_(), 'parameter': lambda x: T.nn.Parameter(x), 'frozen': lambda x: T.nn.Parameter(x, False),
    't': lambda x: x.t(), 'every second': lambda x: x[:, ::2], 'row': lambda x: x[1], 'expand': lambda x: x.unsqueeze(0).expand(3, *x.shape)}
GRADS = {'clone': lambda x: x.clone(), 'mul': lambda x: x * 1, 'add': lambda x: x + 0, 'sub': lambda x: x - 0, 'div': lambda x: x / 1, 'neg': lambda x: x.neg(),
    'abs': lambda x: x.abs(), 'relu': lambda x: x.relu(), 'view': lambda x: x.view(-1), 't': lambda x: x.t(), 'transpose': lambda x: x.transpose(0, 1),
    'permute': lambda x: x.permute(1, 0), 'select': lambda x: x.select(0, 1), 'slice': lambda x: x[:, 1:3], 'unsqueeze': lambda x: x.unsqueeze(1), 'squeeze': lambda x: x.unsqueeze(1).squeeze(1),
    'expand': lambda x: x.unsqueeze(0).expand(2, *x.shape), 'sum': lambda x: x.sum(), 'sum0': lambda x: x.sum(0), 'mean': lambda x: x.mean(), 'max': lambda x: x.max(), 'amax': lambda x: x.amax(1),
    'float64': lambda x: x.double(), 'clamp': lambda x: x.clamp(-1, 1), 'mm': lambda x: x.mm(T.eye(x.shape[1])), 'mul_': lambda x: x.clone().mul_(1), 'triu': lambda x: x.triu(), 'flatten': lambda x: x.flatten()}
def rand(n): return T.rand(n, generator=g, dtype=T.float64)
def normal(n): return T.randn(n, generator=g, dtype=T.float64)
def spread(n): return normal(n).sign() * 10 ** (rand(n) * 12 - 6)
def mixed(a, extra):
    a = a.clone(); a[::3] = T.tensor(extra, dtype=T.float64).repeat(a.numel())[:a[::3].numel()]; return a
inf, nan = math.inf, math.nan
FLOAT_VALUES = {'normal': normal, 'uniform': rand, 'tiny': lambda n: rand(n) * 1e-5, 'spread': spread, 'whole': lambda n: (normal(n) * 9).round(), 'large whole': lambda n: (normal(n) * 1e9).round(),
    'thousandth': lambda n: mixed(rand(n) * 900 + 100, [1., .5]), 'ties': lambda n: (normal(n) * 64).round() / 32 + 1 / 64, 'ties of five digits': lambda n: ((normal(n) * 1e5).round() * 2 + 1) * 2.0 ** -21,
    'zero': lambda n: T.zeros(n, dtype=T.float64), 'minus zero': lambda n: mixed(normal(n) * 1e-1, [-0., 0.]), 'nonfinite': lambda n: mixed(normal(n), [nan, inf, -inf]), 'nonfinite whole': lambda n: mixed((normal(n) * 99).round(), [inf, nan, -inf]),
    'nonfinite spread': lambda n: mixed(spread(n), [inf, nan, -inf, 0.]), 'nan': lambda n: T.full((n,), nan, dtype=T.float64), 'hundreds': lambda n: normal(n) * 100, 'nearly zero': lambda n: mixed(rand(n) + 1, [.001, -.00004])}
EDGES = [[1., 1000.], [1., 1001.], [1.5, 1500.], [1.5, 1500.5], [1e8, 5e7], [1e8 + 8, 1e8], [1e-4, .05], [.00011, .05], [9.9e-5, .05], [.99995, 1.], [9.99995, .5], [99999.5, 99], [.03125, .5], [-.00001, -.5], [65504., 65500.], [123456., 1.], [-1e-5, -0.]]
def bits(n, dtype): return T.randint(0, 256, (n * dtype.itemsize,), generator=g, dtype=T.uint8).view(dtype)
def case(name, flat, shape, way='', grad=''):
    n = math.prod(shape)
    flat = flat[:n].contiguous()
    raw = flat.view(T.uint8).numpy().tobytes() if n else b''
    x = flat[T.arange(n) % max(1, flat.numel())].reshape(shape)
    one = {'name': name, 'dtype': str(x.dtype)[6:], 'shape': list(shape), 'bytes': raw.hex(), 'way': way, 'grad': grad}
    y = x.clone()
    if grad: y = GRADS[grad](y.requires_grad_())
    if way: y = WAYS[way](y)
    one['text'] = repr(y)
    cases.append(one)
for dtype in FLOATS:
    for i, (name, make) in enumerate(FLOAT_VALUES.items()):
        for shape in (SMALL if dtype == T.float32 else SMALL[i % 3::3]): case(name, make(max(1, math.prod(shape))).to(dtype), shape)
        case(name, make(97).to(dtype), LARGE[(i + 2 * FLOATS.index(dtype)) % len(LARGE)])
    for e in EDGES: case('edge', T.tensor(e, dtype=T.float64).to(dtype), (2,))
for dtype in FLOATS + INTS:
    for shape in SMALL + LARGE: case('bits', bits(97, dtype), shape)
    case('empty', bits(1, dtype), (0,)); case('empty', bits(1, dtype), (0, 3)); case('empty', bits(1, dtype), (2, 0, 4))
    if dtype in INTS:
        for shape in SMALL + LARGE[:4]: case('small', T.randint(0, 120, (97,), generator=g).to(dtype) - (0 if dtype == T.uint8 else 60), shape)
for shape in SMALL + LARGE[:4] + [(0,), (0, 2)]: case('truth', T.randint(0, 2, (97,), generator=g, dtype=T.bool), shape)
for dtype in FLOATS:
    for shape in [(), (3,), (9,), (2, 3), (5, 7), (40, 30), (0,), (0, 3)]:
        for way in ['leaf', 'parameter', 'frozen']: case('normal', normal(97).to(dtype), shape, way)
for dtype in FLOATS + INTS:
    for shape in [(2, 3), (3, 5), (40, 30), (7, 200)]:
        for way in ['t', 'every second', 'row', 'expand']: case('bits', bits(97, dtype), shape, way)
for grad in GRADS:
    for shape in [(2, 3), (3, 11), (30, 50)]: case('whole', (normal(97) * 9).round().float() + 0, shape, '', grad)  # no -0: its sign is the operation's
with gzip.GzipFile(sys.argv[1], 'w', mtime=0) as f: f.write(json.dumps({'torch': T.__version__, 'cases': cases}, indent=0).encode())
print(len(cases))
