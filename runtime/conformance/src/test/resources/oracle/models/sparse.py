"""Sparse gradients, and what of torch.linalg needs no solver: usage: sparse.py OUTFILE SECONDS

Functions are rows of functions.py's form. A program is a list of phases [name, figures, trace, values]; a sparse tensor's values are [shape, entries, coalesced, then a summary of it dense]."""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measured import *
import torch.nn as nn, torch.nn.functional as F
import torch.optim as O

Q = []
def q(inputs, *expressions):
    for e in expressions: Q.append((e, list(inputs)))
inf = float('inf'); L = torch.linalg
q(['f 640 384'], 'L.vector_norm(a)', 'L.vector_norm(a, 1)', 'L.vector_norm(a, inf)', 'L.vector_norm(a, -inf)', 'L.vector_norm(a, 0)', 'L.vector_norm(a, 3)', 'L.vector_norm(a, 2, 0)', 'L.vector_norm(a, 2, 1, True)', 'L.vector_norm(a, 1, (0, 1))', 'L.vector_norm(a, 3, 1)', 'L.vector_norm(a, inf, 1)', 'L.vector_norm(a, dim=1, dtype=torch.float64)',
  'L.matrix_norm(a)', 'L.matrix_norm(a, 1)', 'L.matrix_norm(a, -1)', 'L.matrix_norm(a, inf)', 'L.matrix_norm(a, -inf)', 'L.matrix_norm(a, 1, keepdim=True)', 'L.norm(a, 1)', 'L.norm(a, inf)', 'L.norm(a, "fro")', 'L.norm(a, 3, dim=1)', 'L.norm(a, dim=0, keepdim=True)', 'L.diagonal(a)')
q(['f 8 16 24 20'], 'L.vector_norm(a, dim=(1, 2, 3))', 'L.matrix_norm(a)', 'L.matrix_norm(a, 1)', 'L.matrix_norm(a, inf, (1, 2))', 'L.matrix_norm(a, "fro", (0, 1))', 'L.norm(a)', 'L.norm(a, dim=(-2, -1))')
q(['f 640 384', 'f 640 384'], 'L.vecdot(a, b)', 'L.vecdot(a, b, dim=0)', 'torch.linalg.vecdot(a, b[0])')
q(['f 128 3', 'f 128 3'], 'L.cross(a, b)', 'L.cross(a, b[:1])'); q(['f 8 3 16', 'f 8 3 16'], 'L.cross(a, b, dim=1)')
q(['f 10 100', 'f 100 5', 'f 5 50', 'f 50 20'], 'L.multi_dot([a, b])', 'L.multi_dot([a, b, c])', 'L.multi_dot([a, b, c, d])', 'L.multi_dot([a[0], b, c])', 'L.multi_dot([a, b, c[:, 0]])', 'L.multi_dot([a[0], b, c, d[:, 0]])')
q(['f 64'], 'L.vander(a)', 'L.vander(a, N=5)', 'L.norm(a)', 'L.norm(a, 1)', 'L.norm(a, 0)'); q(['f 6 30'], 'L.vander(a)', 'L.vander(a, N=3)')
q(['i1000 640', 'f 1000 64'], 'F.embedding(a, b, sparse=True)', 'F.embedding(a, b, padding_idx=0, sparse=True)', 'F.embedding(a, b, scale_grad_by_freq=True)'); q(['i1000 64 10', 'f 1000 64'], 'F.embedding(a, b, sparse=True)', *[f'F.embedding_bag(a, b, mode="{m}", sparse=True)' for m in ('sum', 'mean')], 'F.embedding_bag(a, b, mode="sum", sparse=True, padding_idx=3)')
q(['i1000 640', 'f 1000 64', 'f 640'], 'F.embedding_bag(a, b, torch.arange(0, 640, 10, device=a.device), mode="sum", sparse=True)', 'F.embedding_bag(a, b, torch.arange(0, 640, 10, device=a.device), mode="sum", sparse=True, per_sample_weights=c.detach())', 'F.embedding_bag(a, b, torch.arange(0, 640, 10, device=a.device), mode="sum", per_sample_weights=c)')

def case(expression, ins, mode):
    dtype = dict(float16=torch.float16, bfloat16=torch.bfloat16).get(mode, torch.float32)
    def build():
        xs = [make(s, k + 1, mode != 'nograd', dtype) for k, s in enumerate(ins)]; names = dict(zip('abcd', xs)); code = compile(expression, expression, 'eval'); scope = dict(globals(), **names)
        return (lambda: eval(code, scope)), {k: v for k, v in names.items() if v.requires_grad}
    return build

def seen(t):
    if t is None: return None
    if t.is_sparse: return [list(t.shape), t._nnz(), t.is_coalesced(), summary(t)]
    return summary(t)

class Program:
    """with p('name'): a phase"""
    def __init__(self): self.phases, self.values = [], []
    def __call__(self, name): self.name = name; return self
    def __enter__(self): history(True); reset(); self.base = stats()
    def __exit__(self, *error):
        f = stats(); t = trace(); history(False)
        if error[0] is None: self.phases.append([self.name, figures(f, self.base), t])

def weights(): w = nn.Parameter(value([1000, 64], 10).to(dev)); return w
def ids(k): return make('i1000 400', k, False) * (1 + k) % 300
def table(p, sparse=True): e = nn.Embedding(1000, 64, sparse=sparse).to(dev); e.weight.data.copy_(value([1000, 64], 10)); return e

def steps(make_opt, coalesced=False, n=3, zero=True, shared=1, scale=None):
    def run(p):
        e = table(p); opt = make_opt([e.weight])
        for s in range(n):
            with p(f'{s} backward'):
                for k in range(shared): loss = (e(ids(3 * s + k)) ** 2).sum(); loss.backward(); del loss
            p.values.append(seen(e.weight.grad))
            if coalesced:
                with p(f'{s} coalesce'): e.weight.grad = e.weight.grad.coalesce()
            with p(f'{s} step'): opt.step()
            with p(f'{s} zero'): opt.zero_grad(set_to_none=zero)
        p.values.append(seen(e.weight)); p.values.append({k: seen(v) if isinstance(v, torch.Tensor) else v for k, v in opt.state[e.weight].items()})
    return run

def operations(p):
    e = table(p); i = ids(1)
    with p('forward'): y = e(i).pow(2).sum()
    with p('backward'): y.backward()
    g = e.weight.grad; p.values.append(seen(g))
    with p('coalesce'): c = g.coalesce()
    p.values.append(seen(c))
    with p('again'): d = c.coalesce()
    with p('indices'): a, b = c.indices(), c.values()
    p.values += [seen(a), seen(b)]
    with p('to_dense'): d = g.to_dense()
    p.values.append(seen(d))
    with p('c to_dense'): d = c.to_dense()
    with p('norm'): n = g.norm()
    p.values.append(seen(n))
    with p('clone'): n = g.clone()
    with p('mul'): n = g * 2
    with p('mul_'): g.mul_(.5)
    with p('add'): n = g + c
    p.values.append(seen(n))
    with p('add_'): w = e.weight.data; w.add_(g, alpha=-.1)
    with p('c add_'): w.add_(c, alpha=-.1)
    p.values.append(seen(w))
    with p('sum'): n = g.sum()
    with p('sparse_mask'): n = w.sparse_mask(c)
    p.values.append(seen(n))
    with p('coo'): n = torch.sparse_coo_tensor(c.indices(), c.values(), c.shape)
    with p('detach'): n = g.detach()
    with p('zero_'): g.zero_()
    p.values.append(seen(g))

def clipped(p):
    e, l = table(p), nn.Linear(64, 64).to(dev)
    l.weight.data.copy_(value([64, 64], 20)); l.bias.data.zero_()
    l(e(ids(1))).pow(2).sum().backward()
    with p('clip'): n = nn.utils.clip_grad_norm_([e.weight], .5)
    p.values += [seen(n), seen(e.weight.grad)]

def both(p):
    """A weight that is used sparsely and densely"""
    e = table(p)
    with p('forward'): y = (e(ids(1)) @ e.weight.t()).pow(2).mean()
    with p('backward'): y.backward()
    p.values.append(seen(e.weight.grad))

def accumulated(p):
    """Gradients of two uses in one backward; then of two backwards"""
    e = table(p)
    with p('twice'): (e(ids(1)).pow(2).sum() + e(ids(2)).pow(2).sum()).backward()
    p.values.append(seen(e.weight.grad))
    with p('more'): e(ids(3)).pow(2).sum().backward()
    p.values.append(seen(e.weight.grad))

def bags(p):
    e = nn.EmbeddingBag(1000, 64, mode='mean', sparse=True).to(dev); e.weight.data.copy_(value([1000, 64], 10)); opt = O.SGD(e.parameters(), lr=.1); off = torch.arange(0, 400, 8, device=dev)
    for s in range(2):
        with p(f'{s} forward'): y = e(ids(s), off).pow(2).sum()
        with p(f'{s} backward'): y.backward()
        del y; p.values.append(seen(e.weight.grad))
        with p(f'{s} step'): opt.step()
        with p(f'{s} zero'): opt.zero_grad()
    p.values.append(seen(e.weight))

PROGRAMS = {
 'operations': operations, 'clipped': clipped, 'both': both, 'accumulated': accumulated, 'bags': bags,
 'SparseAdam': steps(lambda p: O.SparseAdam(p, lr=.01)), 'SparseAdam coalesced': steps(lambda p: O.SparseAdam(p, lr=.01), True), 'SparseAdam maximize': steps(lambda p: O.SparseAdam(p, lr=.01, maximize=True)), 'SparseAdam shared': steps(lambda p: O.SparseAdam(p, lr=.01), shared=2),
 'SGD': steps(lambda p: O.SGD(p, lr=.1)), 'SGD loop': steps(lambda p: O.SGD(p, lr=.1, foreach=False)), 'SGD momentum': steps(lambda p: O.SGD(p, lr=.1, momentum=.9)), 'SGD momentum loop': steps(lambda p: O.SGD(p, lr=.1, momentum=.9, foreach=False)), 'SGD nesterov': steps(lambda p: O.SGD(p, lr=.1, momentum=.9, nesterov=True)), 'SGD coalesced': steps(lambda p: O.SGD(p, lr=.1), True), 'SGD decay': steps(lambda p: O.SGD(p, lr=.1, weight_decay=.1)), 'SGD maximize': steps(lambda p: O.SGD(p, lr=.1, maximize=True)), 'SGD fused': steps(lambda p: O.SGD(p, lr=.1, fused=True)),
 'Adagrad': steps(lambda p: O.Adagrad(p, lr=.1)), 'Adagrad loop': steps(lambda p: O.Adagrad(p, lr=.1, foreach=False)), 'Adagrad foreach': steps(lambda p: O.Adagrad(p, lr=.1, foreach=True)), 'Adagrad coalesced': steps(lambda p: O.Adagrad(p, lr=.1), True), 'Adagrad decay': steps(lambda p: O.Adagrad(p, lr=.1, weight_decay=.1)),
 'Adam': steps(lambda p: O.Adam(p, lr=.1)), 'AdamW': steps(lambda p: O.AdamW(p)), 'RMSprop': steps(lambda p: O.RMSprop(p)), 'SGD zeros': steps(lambda p: O.SGD(p, lr=.1), zero=False), 'SparseAdam zeros': steps(lambda p: O.SparseAdam(p, lr=.01), zero=False),
}

if __name__ == '__main__':
    rows = Rows(sys.argv[1], float(sys.argv[2]))
    for name, run in PROGRAMS.items():
        for attempt in (0, 1):
            clean(); p = Program(); row = {}
            try: run(p)
            except Exception as e: row = dict(error=f'{type(e).__name__}: {str(e).splitlines()[0][:400]}'); history(False); e = None
        rows.write(dict(key=name, phases=p.phases, values=p.values, **row)); rows.n += 1; p = None
    for e, ins in Q:
        for mode in ('grad', 'nograd', 'float16', 'bfloat16'): rows.add(f'{e}|{", ".join(ins)}|{mode}', case(e, ins, mode), None, mode != 'nograd', expression=e, inputs=ins, mode=mode, random=False)
    rows.end()
