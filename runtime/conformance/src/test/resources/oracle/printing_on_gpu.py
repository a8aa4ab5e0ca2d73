"""How PyTorch prints tensors of a GPU, and what that allocates. usage: printing_on_gpu.py OUTFILE (gzipped JSON)"""
import gzip, json, math, sys, torch as T
g = T.Generator().manual_seed(7); cases = []
def case(x, way=''):
    flat = x.reshape(-1)[:97].contiguous()
    one = {'name': 'gpu', 'dtype': str(x.dtype)[6:], 'shape': list(x.shape), 'bytes': flat.view(T.uint8).numpy().tobytes().hex(), 'way': way, 'grad': ''}
    y = flat[T.arange(x.numel()) % max(1, flat.numel())].reshape(x.shape).cuda()
    if way == 'leaf': y.requires_grad_()
    if way == 'parameter': y = T.nn.Parameter(y)
    if way == 't': y = y.t()
    if way == 'relu': y, one['way'], one['grad'] = y.requires_grad_().relu(), '', 'relu'
    s = T.cuda.memory_stats; T.cuda.synchronize(); T.cuda.reset_peak_memory_stats(); k = 'allocation.all.allocated'; b = 'allocated_bytes.all.'; n, m = s().get(k, 0), s().get(b + 'current', 0)
    one['text'] = repr(y); one['allocations'] = s()[k] - n; one['peak'] = s()[b + 'peak'] - m
    cases.append(one)
for d in (T.float32, T.float64, T.float16, T.bfloat16, T.int64, T.int32, T.uint8, T.bool):
    for shape in ((), (1,), (3,), (5,), (6,), (7,), (8,), (2, 3), (2, 7), (3, 4, 2), (40,), (1000, 1000), (0,), (2, 0)):
        x = (T.randn(shape, generator=g) * 3).abs().to(d); case(x)
        if d.is_floating_point: [case(x, w) for w in ('leaf', 'parameter', 'relu')]
        if len(shape) == 2: case(x, 't')
gzip.open(sys.argv[1], 'wt').write(json.dumps({'torch': T.__version__, 'cases': cases}, indent=0))
