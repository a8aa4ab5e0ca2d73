"""What merging sparse rows takes by their number, einsum of several operands, GradScaler, norms without weights: usage: merged.py OUTFILE SECONDS

Rows of sparse.py's forms; a program is a list of phases [name, figures, trace, values]."""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from sparse import *

def merge(n, rows, width, dims=1, dtype=torch.float32):
    def run(p):
        i = (torch.arange(n * dims, device=dev) * 7919 % rows).view(dims, n); v = torch.ones(n, width, device=dev, dtype=dtype)
        s = torch.sparse_coo_tensor(i, v, (rows,) * dims + (width,), check_invariants=False)
        with p('coalesce'): c = s.coalesce()
        p.values.append([c._nnz()])
        with p('to_dense'): d = c.to_dense()
        del d, c
        with p('norm'): d = s.norm()
        del d
        with p('sum'): d = s.sum()
    return run

def frequency(n, rows, width=16):
    def run(p):
        i = (torch.arange(n, device=dev) * 7 % rows); w = value([rows, width], 5).to(dev).requires_grad_()
        y = F.embedding(i, w, scale_grad_by_freq=True); g = torch.ones_like(y)
        with p('backward'): y.backward(g)
    return run

def padded(n, rows):
    def run(p):
        i = (torch.arange(n, device=dev) * 7 % rows); w = value([rows, 16], 5).to(dev).requires_grad_()
        y = F.embedding(i, w, padding_idx=3, sparse=True); g = torch.ones_like(y)
        with p('backward'): y.backward(g)
        p.values.append([w.grad._nnz()])
    return run

def two_tables(make, maximize=False):
    """Two parameters of different sizes: names of one turn live into the next"""
    def run(p):
        a, b = nn.Embedding(1000, 64, sparse=True).to(dev), nn.Embedding(500, 32, sparse=True).to(dev)
        a.weight.data.copy_(value([1000, 64], 10)); b.weight.data.copy_(value([500, 32], 11)); opt = make([a.weight, b.weight])
        for s in range(2):
            i, j = ids(s), ids(s + 5) % 200
            with p(f'{s} backward'): loss = (a(i) ** 2).sum() + (b(j) ** 2).sum(); loss.backward(); del loss
            with p(f'{s} step'): opt.step()
            with p(f'{s} zero'): opt.zero_grad()
        p.values += [seen(a.weight), seen(b.weight)]
    return run

def mixed(make):
    """A sparse and a dense parameter in one optimizer"""
    def run(p):
        a, l = table(p), nn.Linear(64, 8).to(dev); l.weight.data.copy_(value([8, 64], 3)); l.bias.data.zero_(); opt = make([a.weight, l.weight, l.bias])
        for s in range(3):
            i = ids(s)
            with p(f'{s} backward'): loss = l(a(i)).pow(2).mean(); loss.backward(); del loss
            with p(f'{s} step'): opt.step()
            with p(f'{s} zero'): opt.zero_grad()
        p.values += [seen(a.weight), seen(l.weight)]
    return run

def scaled(make, steps=6, inf_at=(2,), unscale=False, clip=False, sparse=False, **options):
    def run(p):
        if sparse: net = table(p); x = ids
        else: net = nn.Linear(256, 128).to(dev); net.weight.data.copy_(value([128, 256], 1)); net.bias.data.zero_(); x = lambda k: value([32, 256], k).to(dev)
        opt = make(net.parameters())
        with p('scaler'): scaler = torch.amp.GradScaler(dev, **options)
        for s in range(steps):
            i = x(s)
            with p(f'{s} scale'): loss = net(i).pow(2).mean() * (float('inf') if s in inf_at else 1.); z = scaler.scale(loss)
            with p(f'{s} backward'): z.backward()
            del z, loss
            if unscale:
                with p(f'{s} unscale'): scaler.unscale_(opt)
                if clip:
                    with p(f'{s} clip'): n = nn.utils.clip_grad_norm_(net.parameters(), 1.)
                    p.values.append(seen(n)); n = None
            with p(f'{s} step'): r = scaler.step(opt)
            r = None
            with p(f'{s} update'): scaler.update()
            p.values.append([scaler.get_scale(), scaler._get_growth_tracker()])
            with p(f'{s} zero'): opt.zero_grad()
        with p('state'): d = scaler.state_dict()
        p.values.append(d)
        with p('other'): other = torch.amp.GradScaler(dev); scaler.is_enabled() and other.load_state_dict(d)
        p.values.append([other.get_scale(), other._get_growth_tracker(), other.is_enabled()])
        with p('lazily'): z = other.scale(torch.ones((), device=dev))
        del z
        with p('new scale'): scaler.update(8.)
        p.values.append([scaler.get_scale()])
        with p('from tensor'): scaler.update(torch.full((), 16., device=dev))
        p.values.append([scaler.get_scale()])
        with p('several'): z = scaler.scale([torch.ones((), device=dev), (torch.ones(3, device=dev),)])
        p.values.append([seen(t) for t in flat(z)])
        with p('gone'): del z, other, scaler
    return run

PROGRAMS = {}
for n in (1, 2, 10, 100, 1000, 1500, 1792, 1793, 2000, 2304, 2305, 3000, 4000, 4608, 4609, 5000, 8000, 9216, 9217, 10000, 20000, 30000, 50000, 60000, 100000, 200000, 300000, 600000, 1000000, 3000000): PROGRAMS[f'merge {n}'] = merge(n, 1 << 20, 2)
for n in (100, 3000, 20000): PROGRAMS[f'merge wide {n}'] = merge(n, 1000, 64); PROGRAMS[f'merge half {n}'] = merge(n, 1000, 64, dtype=torch.float16); PROGRAMS[f'merge two {n}'] = merge(n, 300, 4, 2)
for n in (1, 100, 1000, 2305, 4033, 5000, 10000, 50000, 100000, 1000000): PROGRAMS[f'frequency {n}'] = frequency(n, 1000)
for n in (100, 5000, 100000): PROGRAMS[f'padded {n}'] = padded(n, 1000)
for name, make in {'SparseAdam': lambda p: O.SparseAdam(p, lr=.01), 'SparseAdam maximize': lambda p: O.SparseAdam(p, lr=.01, maximize=True), 'Adagrad': lambda p: O.Adagrad(p, lr=.1), 'SGD momentum': lambda p: O.SGD(p, lr=.1, momentum=.9), 'SGD': lambda p: O.SGD(p, lr=.1)}.items(): PROGRAMS[f'two {name}'] = two_tables(make)
for name, make in {'SGD': lambda p: O.SGD(p, lr=.1), 'SGD momentum': lambda p: O.SGD(p, lr=.1, momentum=.9), 'SGD loop': lambda p: O.SGD(p, lr=.1, momentum=.9, foreach=False), 'Adagrad': lambda p: O.Adagrad(p, lr=.1), 'SparseAdam': lambda p: O.SparseAdam(p, lr=.1)}.items(): PROGRAMS[f'mixed {name}'] = mixed(make)
sgd, adam, fused, adagrad = (lambda p: O.SGD(p, lr=.1, momentum=.9)), (lambda p: O.AdamW(p)), (lambda p: O.AdamW(p, fused=True)), (lambda p: O.Adagrad(p))
PROGRAMS.update({'scaler SGD': scaled(sgd), 'scaler AdamW': scaled(adam), 'scaler fused': scaled(fused), 'scaler growth': scaled(sgd, init_scale=1024., growth_factor=4., backoff_factor=.25, growth_interval=2), 'scaler unscale': scaled(sgd, unscale=True), 'scaler clip': scaled(adam, unscale=True, clip=True), 'scaler fused clip': scaled(fused, unscale=True, clip=True),
  'scaler disabled': scaled(sgd, enabled=False), 'scaler overflow': scaled(sgd, init_scale=2. ** 127, growth_interval=1, inf_at=()), 'scaler sparse': scaled(lambda p: O.SGD(p, lr=.1), sparse=True), 'scaler SparseAdam': scaled(lambda p: O.SparseAdam(list(p)), sparse=True)})

Q.clear()
E = 'torch.einsum'
q(['f 16 24', 'f 24 32', 'f 32 8'], f'{E}("ij,jk,kl->il", a, b, c)', f'{E}("ij,jk,kl", a, b, c)', f'{E}("ij,jk,kl->i", a, b, c)', f'{E}("ij,jk,kl->", a, b, c)')
q(['f 16 24', 'f 24 32', 'f 32 8', 'f 8 40'], f'{E}("ij,jk,kl,lm->im", a, b, c, d)')
q(['f 4 6 8 16', 'f 4 6 8 16'], f'{E}("...ij,...kj->...ik", a, b)', f'{E}("...i,...i->...", a, b)', f'{E}("b...d,b...d->b...", a, b)', f'{E}("...ij,...ij", a, b)')
q(['f 4 6 8 16', 'f 16 32'], f'{E}("...i,ij->...j", a, b)', f'{E}("b...i,ij->b...j", a, b)', f'{E}("...i,ij", a, b)')
q(['f 4 6 8 16', 'f 6 16 8'], f'{E}("...ij,...jk->...ik", a, b)', f'{E}("...ij,...ji->...", a, b)')
q(['f 4 6 8 16'], f'{E}("...ij->...ji", a)', f'{E}("...ij->...i", a)', f'{E}("i...->...", a)', f'{E}("i...->...i", a)', f'{E}("...", a)', f'{E}("...ij->...", a)')
q(['f 8 12 12'], f'{E}("bii->bi", a)', f'{E}("...ii->...i", a)', f'{E}("...ii->...", a)')
q(['f 8 16', 'f 10 16 20', 'f 8 20'], f'{E}("bi,oij,bj->bo", a, b, c)', f'{E}("bi,oij,bj", a, b, c)')
q(['f 8', 'f 12', 'f 16'], f'{E}("i,j,k->ijk", a, b, c)', f'{E}("i,j,k->kji", a, b, c)', f'{E}("i,j,k", a, b, c)')
q(['f 2 4 10 16', 'f 2 4 12 16', 'f 2 4 12 20'], f'{E}("bhqd,bhkd,bhkv->bhqv", a, b, c)', f'{E}("...qd,...kd,...kv->...qv", a, b, c)')
q(['f 16 24', 'f 24 32'], f'{E}("ij,jk->ik", [a, b])', f'{E}("Ab,bC->AC", a, b)', f'{E}("ij , jk -> ik", a, b)', f'{E}(a, [0, 1], b, [1, 2], [0, 2])', f'{E}(a, [0, 1], b, [1, 2])')
q(['f 1 24', 'f 24 32', 'f 16 32'], f'{E}("ij,jk,ik->ik", a, b, c)')
q(['f 32 48 20 20'], 'F.layer_norm(a, [20, 20])', 'F.layer_norm(a, [20], None, None, 1e-3)', 'F.group_norm(a, 8)', 'F.group_norm(a, 8, None, None, 1e-3)', 'F.instance_norm(a)', 'F.instance_norm(a, eps=1e-3)', 'F.instance_norm(a, torch.zeros(48, device=a.device), torch.ones(48, device=a.device))', 'F.instance_norm(a, torch.zeros(48, device=a.device), torch.ones(48, device=a.device), use_input_stats=False)', 'F.batch_norm(a, None, None, training=True)', 'F.batch_norm(a, torch.zeros(48, device=a.device), torch.ones(48, device=a.device))', 'F.batch_norm(a, torch.zeros(48, device=a.device), torch.ones(48, device=a.device), training=True, momentum=.3, eps=1e-3)', 'F.rms_norm(a, [20])', 'F.rms_norm(a, [20], eps=1e-3)', 'F.rms_norm(a, [20, 20])')
q(['f 32 48 20 20', 'f 20'], 'F.layer_norm(a, [20], b)', 'F.layer_norm(a, [20], b, None, 1e-3)', 'F.rms_norm(a, [20], b)'); q(['f 32 48 20 20', 'f 48', 'f 48'], 'F.instance_norm(a, weight=b, bias=c)', 'F.instance_norm(a, weight=b)', 'F.group_norm(a, 8, b)', 'F.group_norm(a, 8, b, c)', 'F.batch_norm(a, None, None, b, c, True)', 'F.batch_norm(a, None, None, b, None, True)')
q(['f 64 300'], 'F.layer_norm(a, [300])', 'F.rms_norm(a, [300])'); q(['f 64 300', 'f 300'], 'F.layer_norm(a, [300], b)')
q(['i1000 64 10', 'f 1000 64'], 'F.embedding_bag(a, b, mode="sum", padding_idx=3)', 'F.embedding_bag(a, b, mode="mean", padding_idx=3)', 'F.embedding_bag(a, b, mode="max", padding_idx=3)', 'F.embedding_bag(a, b, mode="mean", sparse=True, padding_idx=3)', 'F.embedding(a, b, padding_idx=3, scale_grad_by_freq=True)', 'F.embedding(a, b.detach().clone(), max_norm=1.)', 'F.embedding_bag(a, b, mode="sum", scale_grad_by_freq=True)', 'F.embedding_bag(a, b, mode="mean", scale_grad_by_freq=True)')
q(['i1000 640', 'f 1000 64', 'f 640'], 'F.embedding_bag(a, b, torch.arange(0, 650, 10, device=a.device), mode="sum", include_last_offset=True)', 'F.embedding_bag(a, b, torch.arange(0, 650, 10, device=a.device), mode="mean", include_last_offset=True)', 'F.embedding_bag(a, b, torch.arange(0, 640, 10, device=a.device), mode="sum", sparse=True, per_sample_weights=c)')

if __name__ == '__main__':
    try: import opt_einsum; optimal = True
    except ImportError: optimal = False
    rows = Rows(sys.argv[1], float(sys.argv[2]), opt_einsum=optimal, einsum_path=torch.backends.opt_einsum.is_available())
    for name, run in PROGRAMS.items():
        if rows.over(): break
        for attempt in (0, 1):
            clean(); p = Program(); row = {}
            try: run(p)
            except Exception as e: row = dict(error=f'{type(e).__name__}: {str(e).splitlines()[0][:400]}'); history(False); e = None
            torch.autograd.set_grad_enabled(True)
        rows.write(dict(key=name, phases=p.phases, values=p.values, **row)); rows.n += 1; p = None
    for e, ins in Q:
        for mode in ('grad', 'nograd', 'float16', 'bfloat16') if 'einsum' not in e else ('grad', 'nograd', 'autocast'):
            rows.add(f'{e}|{", ".join(ins)}|{mode}', case(e, ins, 'grad' if mode == 'autocast' else mode), torch.bfloat16 if mode == 'autocast' else None, mode != 'nograd', expression=e, inputs=ins, mode=mode, random=False)
    rows.end()
