"""Wider random tensor programs than programs.py's, recorded in the same form: views, joins, lookups, norms, losses with every
reduction, in-place forms, other dtypes, autocast with gradient scaling, checkpoints, clipping, options of optimizers.

usage: wide_programs.py generate SEED COUNT OUTFILE         (no torch needed)
       wide_programs.py record INFILE OUTFILE               (on a CUDA device)
"""
import sys, json, gzip, random, gc
FLOATS = ['float32'] * 6 + ['float16', 'bfloat16', 'float64']
UN = ['relu', 'gelu', 'gelu_tanh', 'sigmoid', 'tanh', 'neg', 'abs', 'silu', 'sin', 'cos', 'erf', 'floor', 'sign', 'clone', 'pow2', 'pow3', 'sqrt_abs', 'log1p_abs', 'reciprocal_abs1', 'rsqrt_abs1', 'softmax', 'log_softmax', 'clamp', 'tril', 'contiguous', 'masked_fill_gt0', 'dropout', 'detach']
SC = ['mul_scalar', 'add_scalar', 'div_scalar', 'rsub', 'rdiv_abs1']
BI = ['add', 'sub', 'mul', 'div_abs1', 'maximum', 'minimum', 'where_gt0', 'add_alpha']
INP = ['add_', 'sub_', 'mul_', 'div_abs1_', 'copy_']
INP1 = ['relu_', 'sigmoid_', 'tanh_', 'exp_', 'zero_', 'mul_scalar_', 'add_scalar_', 'div_scalar_', 'clamp_', 'fill_', 'masked_fill_gt0_']
def numel(s):
    n = 1
    for x in s: n *= x
    return n
def generate(seed, idx):
    r = random.Random(seed * 1000003 + idx * 7 + 5)
    st, n = [], [0]
    def name(p='t'):
        n[0] += 1; return f'{p}{n[0]}'
    def inp(shape, g=False, dt='float32', p='x'):
        k = name(p); st.append(dict(op='input', out=k, shape=list(shape), requires_grad=g, dtype=dt, seed=r.randrange(1 << 16))); return k
    def index(shape, high, k=None):
        k = k or name('i'); st.append(dict(op='index', out=k, shape=list(shape), high=high, seed=r.randrange(1 << 10))); return k
    def emit(op, ins, out=None, **kw):
        out = out or name(); st.append(dict(op=op, out=out, **{'in': ins}, **kw)); return out
    def do(op, *ins, **kw): st.append(dict(op=op, **{'in': list(ins)}, **kw))
    def size(): return r.choice([1, 2, 3, 7, 8, 10, 16, 31, 32, 33, 64, 100, 127, 128, 200, 255, 256, 300, 512, 640, 1000, 1024, 2000, 4096])
    def shape(nd):
        while True:
            s = [size() for _ in range(nd)]
            if numel(s) <= 1 << 21: return s
    def opt(params):
        k = r.choice(['SGD', 'SGD', 'Adam', 'AdamW', 'AdamW']); impl = r.choice(['foreach', 'foreach', 'single', 'fused', 'default']); o = name('opt'); kw = dict(lr=0.01, weight_decay=r.choice([0, 0, .01]), maximize=r.random() < .15, impl=impl)
        if k == 'SGD':
            kw['momentum'] = r.choice([0, .9]); kw['nesterov'] = bool(kw['momentum']) and r.random() < .3; kw['dampening'] = 0 if kw['nesterov'] else r.choice([0, 0, .1])
        else: kw['amsgrad'] = r.random() < .25
        st.append(dict(op='optimizer', out=o, kind=k, params=list(params), **kw)); return o
    kind = r.choice(['soup', 'soup', 'soup', 'inplace', 'views', 'amp', 'encoder', 'bnmlp', 'embed', 'ckpt', 'losses', 'reduce'])
    dt = r.choice(FLOATS); values = dt in ('float32', 'float64')
    if kind in ('soup', 'inplace', 'views'):
        nd = r.choice([1, 2, 2, 2, 3, 3, 4]); S = shape(nd); V = {}
        def new(sh, g): k = inp(sh, g, dt); V[k] = (list(sh), dt, g); return k
        for _ in range(r.randint(1, 2)): new(S, kind != 'inplace' and r.random() < .8)
        small = [S[-1:]]
        if nd > 1: small += [[1] * (nd - 1) + S[-1:], S[:-1] + [1]]
        small.append([])
        for _ in range(r.randint(0, 2)): new(r.choice(small), r.random() < .6 and kind != 'inplace')
        made = []; hasgrad = lambda k: V[k][2]
        def bc(a, b):
            o = []
            for i in range(max(len(a), len(b))):
                x = a[-1 - i] if i < len(a) else 1; y = b[-1 - i] if i < len(b) else 1
                if x != y and 1 not in (x, y): return None
                o.append(y if x == 1 else x)
            return o[::-1]
        def put(op, ins, sh, dtp=None, g=None, **kw):
            k = emit(op, ins, **kw); V[k] = (list(sh), dtp or V[ins[0]][1], any(V[i][2] for i in ins if i in V) if g is None else g); made.append(k); return k
        for _ in range(r.randint(5, 16)):
            live = list(V); a = r.choice(live[-4:]); sh, d, g = V[a]; z = r.random(); isf = d.startswith(('float', 'bf'))
            if not isf: continue
            if kind == 'inplace' and z < .45 and made:
                t = r.choice(made[-3:])
                if not V[t][1].startswith(('float', 'bf')): continue
                if r.random() < .5:
                    c = [b for b in live if bc(V[t][0], V[b][0]) == V[t][0] and V[b][1] == V[t][1]]; b = r.choice(c); do(r.choice(INP), t, b)
                else: do(r.choice(INP1), t, scalar=r.choice([2, .5]))
                continue
            if kind == 'views' and z < .5 or z < .12:
                q = r.choice(['t', 'transpose', 'reshape', 'flatten', 'unsqueeze', 'squeeze', 'expand', 'select', 'slice', 'narrow', 'permute', 'split', 'chunk', 'cat', 'stack', 'to', 'unbind'])
                m = len(sh)
                if q == 't' and m == 2: put('transpose', [a], sh[::-1], d0=0, d1=1)
                elif q == 'transpose' and m > 1:
                    i, j = r.randrange(m), r.randrange(m); o = list(sh); o[i], o[j] = o[j], o[i]; put('transpose', [a], o, d0=i, d1=j)
                elif q == 'permute' and m > 1:
                    p = list(range(m)); r.shuffle(p); put('permute', [a], [sh[i] for i in p], dims=p)
                elif q == 'reshape' and m > 1: (lambda o: put('reshape', [a], o, shape=o))([numel(sh[:-1]), sh[-1]] if r.random() < .5 else [sh[0], numel(sh[1:])])
                elif q == 'flatten' and m > 1: put('flatten', [a], [numel(sh)])
                elif q == 'unsqueeze' and m < 4:
                    i = r.randrange(m + 1); put('unsqueeze', [a], sh[:i] + [1] + sh[i:], dim=i)
                elif q == 'squeeze' and 1 in sh: i = sh.index(1); put('squeeze', [a], sh[:i] + sh[i + 1:], dim=i)
                elif q == 'expand' and 1 in sh:
                    i = sh.index(1); o = list(sh); o[i] = r.choice([2, 5, 16]); 
                    if numel(o) <= 1 << 21: put('expand', [a], o, shape=o)
                elif q == 'select' and m > 1:
                    i = r.randrange(m); put('select', [a], sh[:i] + sh[i + 1:], dim=i, index=r.randrange(sh[i]))
                elif q == 'slice' and m:
                    i = r.randrange(m); s0 = r.randrange(sh[i]); e = r.randint(s0 + 1, sh[i]); stp = r.choice([1, 1, 2]); o = list(sh); o[i] = (e - s0 + stp - 1) // stp; put('slice', [a], o, dim=i, start=s0, end=e, step=stp)
                elif q == 'narrow' and m:
                    i = r.randrange(m); l = r.randint(1, sh[i]); o = list(sh); o[i] = l; put('narrow', [a], o, dim=i, start=r.randint(0, sh[i] - l), length=l)
                elif q in ('split', 'chunk', 'unbind') and m:
                    i = r.randrange(m); c = r.choice([2, 3, 4])
                    if q == 'unbind':
                        if sh[i] > 64 or m < 2: continue
                        put('unbind', [a], sh[:i] + sh[i + 1:], dim=i, part=r.randrange(sh[i]))
                    else:
                        if sh[i] < c: continue
                        w = -(-sh[i] // c); parts = -(-sh[i] // w); p = r.randrange(parts); o = list(sh); o[i] = min(w, sh[i] - p * w)
                        put(q, [a], o, dim=i, part=p, **({'size': w} if q == 'split' else {'chunks': c}))
                elif q in ('cat', 'stack') and m:
                    c = [b for b in live if V[b][0] == sh and V[b][1] == d]; ins = [a] + [r.choice(c) for _ in range(r.randint(1, 2))]; i = r.randrange(m + (q == 'stack'))
                    if numel(sh) * len(ins) > 1 << 22 or (q == 'stack' and m > 3): continue
                    o = list(sh)
                    if q == 'cat': o[i] *= len(ins)
                    else: o = sh[:i] + [len(ins)] + sh[i:]
                    put(q, ins, o, dim=i)
                elif q == 'to':
                    k = r.choice(['float32', 'float16', 'bfloat16', 'float64']); put('to', [a], sh, k, dtype=k)
                continue
            if z < .40:
                u = r.choice(UN)
                if u in ('softmax', 'log_softmax'):
                    if not sh: continue
                    put(u + '_dim', [a], sh, dim=r.randrange(len(sh)))
                elif u == 'dropout': put(u, [a], sh, p=r.choice([.1, .5])); values = False
                elif u == 'tril':
                    if len(sh) < 2: continue
                    put(u, [a], sh, diagonal=r.choice([0, 1, -1]))
                elif u == 'detach': put(u, [a], sh, g=False)
                else: put(u, [a], sh)
            elif z < .50: put(r.choice(SC), [a], sh, scalar=r.choice([2, 3, .5]))
            elif z < .72:
                c = [b for b in live if V[b][1].startswith(('float', 'bf')) and bc(sh, V[b][0]) is not None and numel(bc(sh, V[b][0])) <= 1 << 21 and (V[b][1] == d or r.random() < .5)]
                b = r.choice(c); op = r.choice(BI); sb, db, _ = V[b]
                order = ['bfloat16', 'float16', 'float32', 'float64']
                if len(sh) and len(sb) or len(sh) == len(sb): res = d if d == db else 'float32' if {d, db} == {'float16', 'bfloat16'} else max(d, db, key=order.index)
                else: res = d if len(sh) else db
                if op == 'where_gt0' and d != db: op = 'add'
                put(op, [a, b], bc(sh, sb), res)
            elif z < .86 and sh:
                q = r.choice(['sum_dim', 'mean_dim', 'amax', 'amin', 'max_dim', 'var_dim', 'norm', 'sum', 'mean', 'max', 'min', 'sum_dim', 'mean_dim', 'topk', 'argmax_dim'])
                i = r.randrange(len(sh)); kd = r.random() < .4; o = sh[:i] + ([1] if kd else []) + sh[i + 1:]
                if q in ('norm', 'sum', 'mean', 'max', 'min'): put(q, [a], [])
                elif q == 'argmax_dim': put(q, [a], sh[:i] + sh[i + 1:], 'int64', False, dim=i)
                elif q == 'topk':
                    k = r.randint(1, min(5, sh[-1])); put(q, [a], sh[:-1] + [k], k=k)
                elif q == 'max_dim': put(q, [a], o, dim=i, keepdim=kd)
                elif q == 'var_dim':
                    if sh[i] < 2: continue
                    put(q, [a], sh[:i] + sh[i + 1:], dims=[i])
                elif q in ('amax', 'amin'): put(q, [a], sh[:i] + sh[i + 1:], dims=[i])
                else:
                    ds = sorted(r.sample(range(len(sh)), r.randint(1, len(sh)))); put(q, [a], [x for j, x in enumerate(sh) if j not in ds or kd] if not kd else [1 if j in ds else x for j, x in enumerate(sh)], dims=ds, keepdim=kd)
            elif z < .95 and len(sh) >= 2:
                q = r.choice(['matmul', 'matmul', 'linear', 'layer_norm', 'gather', 'index', 'matmul_vec'])
                K = sh[-1]; M = r.choice([1, 8, 10, 33, 64, 128, 256])
                if numel(sh[:-1]) * M > 1 << 21 or K * M > 1 << 21: continue
                if q == 'matmul': w = new([K, M], r.random() < .6); put('matmul', [a, w], sh[:-1] + [M])if d == dt else None
                elif q == 'matmul_vec':
                    if d == dt: w = new([K], r.random() < .6); put('matmul', [a, w], sh[:-1])
                elif q == 'linear':
                    if d != dt: continue
                    w = new([M, K], r.random() < .8); ins = [a, w]
                    if r.random() < .6: ins.append(new([M], r.random() < .8))
                    put('linear', ins, sh[:-1] + [M])
                elif q == 'layer_norm':
                    if d != dt: continue
                    w = new([K], True); b = new([K], True); put('layer_norm_affine', [a, w, b], sh, dims=[K])
                elif q == 'gather':
                    i = r.randrange(len(sh)); o = list(sh); o[i] = r.choice([1, 4, 9]); x = index(o, sh[i]); put('gather', [a, x], o, dim=i)
                else:
                    c = r.choice([1, 5, 64, 300]); 
                    if c * numel(sh[1:]) > 1 << 21: continue
                    x = index([c], sh[0]); put('index_rows', [a, x], [c] + sh[1:])
            if len(made) > 3 and r.random() < .3:
                k = made.pop(r.randrange(len(made) - 1)); del V[k]; do('del', k)
        c = [k for k in V if V[k][2] and V[k][1].startswith(('float', 'bf'))]
        if c and kind != 'inplace' or c:
            a = c[-1]
            if r.random() < .25 and numel(V[a][0]):
                gk = inp(V[a][0], False, V[a][1], 'g'); do('backward_with', a, gk, retain_graph=False)
            else:
                l = emit(r.choice(['sum', 'mean']), [a], 'loss'); rg = r.random() < .3; do('backward', l, retain_graph=rg)
                if rg: do('backward', l, retain_graph=False)
            do('del', a)
    elif kind == 'reduce':
        for _ in range(r.randint(3, 8)):
            a = inp(shape(r.choice([1, 2, 3])) if r.random() < .7 else [r.choice([20000, 100003, 1 << 20]), r.choice([1, 3, 8])], r.random() < .5, r.choice(FLOATS)); m = len(st[-1]['shape']); g = st[-1]['requires_grad']
            ds = sorted(r.sample(range(m), r.randint(1, m))); q = r.choice(['sum_dim', 'mean_dim', 'amax', 'var_dim', 'norm', 'max', 'min', 'sum', 'mean', 'argmax', 'any_gt0', 'count_gt0'])
            if q == 'var_dim' and any(st[-1]['shape'][i] < 2 for i in ds): q = 'sum_dim'
            kw = {}
            if q in ('sum_dim', 'mean_dim'): kw = dict(dims=ds, keepdim=r.random() < .5)
            elif q in ('amax', 'var_dim'): kw = dict(dims=ds)
            y = emit(q, [a], **kw)
            if g and q not in ('argmax', 'any_gt0', 'count_gt0'):
                l = emit('sum', [y], 'loss'); do('backward', l, retain_graph=False); do('del', 'loss')
            do('del', y, a)
    elif kind == 'losses':
        B, C = r.choice([1, 7, 64, 1000, 4096]), r.choice([2, 10, 33, 1000, 1025, 3000])
        x = inp([B, C], True, dt)
        for _ in range(r.randint(2, 5)):
            q = r.choice(['cross_entropy_r', 'nll_r', 'mse_r', 'l1_r', 'bce_r']); red = r.choice(['mean', 'sum', 'none'])
            y = index([B], C, 'y') if q in ('cross_entropy_r', 'nll_r') else inp([B, C], False, dt, 'y')
            h = emit('log_softmax_dim', [x], 'h', dim=1) if q == 'nll_r' else x
            l = emit(q, [h, y], 'loss', reduction=red)
            if red == 'none': l = emit(r.choice(['sum', 'mean']), [l], 'loss')
            if r.random() < .3: l = emit('mul_scalar', [l], 'loss', scalar=.5)
            do('backward', l, retain_graph=False); do('del', 'loss', y, *(['h'] if h == 'h' else []))
    else:
        steps = r.randint(1, 3); B = r.choice([1, 8, 32, 100, 256, 1000]); P = []
        def par(s): k = inp(s, True, 'float32' if kind == 'amp' else dt, 'w'); P.append(k); return k
        red = r.choice(['cross_entropy', 'mse'])
        if kind == 'amp':
            adt = r.choice(['float16', 'bfloat16']); D = [r.choice([64, 100, 256, 784]), r.choice([64, 128, 512]), r.choice([64, 128, 512]), r.choice([1, 10, 100])]; bias = r.random() < .8; ln = r.random() < .4; act = r.choice(['relu', 'gelu', 'tanh', 'silu', 'sigmoid'])
            W = [(par([D[i + 1], D[i]]), par([D[i + 1]]) if bias else None) for i in range(3)]; LN = (par([D[1]]), par([D[1]])) if ln else None
            o = opt(P); sc = None
            if adt == 'float16' or r.random() < .3: sc = 'scaler'; st.append(dict(op='scaler', out=sc))
            do_clip = r.random() < .3; values = False; skip = r.random() < .3
            for s in range(steps):
                st.append(dict(op='input', out='x', shape=[B, D[0]], requires_grad=False, dtype='float32', seed=s))
                lt = r.choice(['cross_entropy', 'mse_loss', 'bce_with_logits'])
                if lt == 'cross_entropy': index([B], D[3], 'y')
                else: st.append(dict(op='input', out='y', shape=[B, D[3]], requires_grad=False, dtype='float32', seed=s))
                st.append(dict(op='autocast_begin', dtype=adt)); h = 'x'
                for i in range(3):
                    emit('linear', [h, W[i][0]] + ([W[i][1]] if bias else []), 'h'); h = 'h'
                    if i == 0 and LN: emit('layer_norm_affine', ['h', *LN], 'h', dims=[D[1]])
                    if i == 1 and r.random() < .3: emit('dropout', ['h'], 'h', p=.1)
                    if i < 2: emit(act, ['h'], 'h')
                if lt == 'bce_with_logits' or r.random() < .6: emit(lt, ['h', 'y'], 'loss'); st.append(dict(op='autocast_end'))
                else: st.append(dict(op='autocast_end')); emit('to', ['h'], 'h', dtype='float32'); emit(lt, ['h', 'y'], 'loss')
                if sc:
                    emit('scale', [sc, 'loss'], 'scaled'); do('backward', 'scaled', retain_graph=False)
                    if do_clip: do('unscale', sc, o); emit('clip_grad_norm', P, 'norm', max_norm=1.0)
                    if not (skip and s == 0): do('scaler_step', sc, o); do('scaler_update', sc)
                else:
                    do('backward', 'loss', retain_graph=False); do('step', o)
                do('zero_grad', o, set_to_none=r.random() < .8)
                if r.random() < .3: do('del', 'h', 'loss')
        elif kind == 'encoder':
            H = r.choice([1, 2, 4, 8]); Dh = r.choice([8, 16, 32]); D = H * Dh; L = r.choice([5, 16, 64, 100]); B = r.choice([1, 2, 8]); Fd = r.choice([64, 128, 512])
            wq, bq, wo, bo = par([3 * D, D]), par([3 * D]), par([D, D]), par([D]); w1, b1, w2, b2 = par([Fd, D]), par([Fd]), par([D, Fd]), par([D]); g1, h1, g2, h2 = par([D]), par([D]), par([D]), par([D]); o = opt(P); drop = r.random() < .4; values &= not drop; causal = r.random() < .4; pre = r.random() < .5
            if causal: st.append(dict(op='mask', out='m', shape=[L, L]))
            for s in range(steps):
                st.append(dict(op='input', out='x', shape=[B, L, D], requires_grad=False, dtype=dt, seed=s)); src = 'x'
                if pre: emit('layer_norm_affine', ['x', g1, h1], 'n', dims=[D]); src = 'n'
                emit('linear', [src, wq, bq], 'qkv')
                for i, k in enumerate('qkv'):
                    emit('chunk', ['qkv'], k, chunks=3, dim=2, part=i); emit('reshape', [k], k, shape=[B, L, H, Dh]); emit('transpose', [k], k, d0=1, d1=2)
                do('del', 'qkv')
                emit('transpose', ['k'], 'k', d0=2, d1=3); emit('matmul', ['q', 'k'], 's'); emit('mul_scalar', ['s'], 's', scalar=Dh ** -.5)
                if causal: emit('masked_fill', ['s', 'm'], 's', scalar=-10000.0)
                emit('softmax_dim', ['s'], 's', dim=3)
                if drop: emit('dropout', ['s'], 's', p=.1)
                emit('matmul', ['s', 'v'], 'a'); do('del', 's', 'q', 'k', 'v'); emit('transpose', ['a'], 'a', d0=1, d1=2); emit('reshape', ['a'], 'a', shape=[B, L, D]); emit('linear', ['a', wo, bo], 'a'); emit('add', ['x', 'a'], 'a')
                if not pre: emit('layer_norm_affine', ['a', g1, h1], 'a', dims=[D])
                emit('linear', ['a', w1, b1], 'f'); emit(r.choice(['gelu', 'relu']), ['f'], 'f'); emit('linear', ['f', w2, b2], 'f'); emit('add', ['a', 'f'], 'f'); emit('layer_norm_affine', ['f', g2, h2], 'f', dims=[D])
                emit('mean', ['f'], 'loss'); do('backward', 'loss', retain_graph=False)
                if r.random() < .4: do('del', 'a', 'f')
                if r.random() < .4: emit('clip_grad_norm', P, 'norm', max_norm=1.0)
                do('step', o); do('zero_grad', o, set_to_none=True)
        elif kind == 'bnmlp':
            D = [r.choice([33, 64, 256]), r.choice([16, 100, 512]), 10]; B = max(B, 8)
            w1, b1, g, b, w2, b2 = par([D[1], D[0]]), par([D[1]]), par([D[1]]), par([D[1]]), par([10, D[1]]), par([10]); rm, rv = inp([D[1]], False, dt, 'r'), inp([D[1]], False, dt, 'r'); emit('abs1', [rv], rv); o = opt(P)
            four = r.random() < .4
            for s in range(steps):
                st.append(dict(op='input', out='x', shape=[B, D[0]], requires_grad=False, dtype=dt, seed=s)); index([B], 10, 'y')
                emit('linear', ['x', w1, b1], 'h')
                if four: emit('reshape', ['h'], 'h', shape=[B, D[1], 1, 1]); emit('expand', ['h'], 'h', shape=[B, D[1], 4, 4]); emit('contiguous', ['h'], 'h')
                emit('batch_norm', ['h', rm, rv, g, b], 'h', training=r.random() < .8); emit('relu', ['h'], 'h')
                if four: emit(r.choice(['max_pool', 'avg_pool']), ['h'], 'h', k=4); emit('reshape', ['h'], 'h', shape=[B, D[1]])
                emit('linear', ['h', w2, b2], 'h'); emit('cross_entropy', ['h', 'y'], 'loss'); do('backward', 'loss', retain_graph=False); do('step', o); do('zero_grad', o, set_to_none=r.random() < .7)
                if r.random() < .4: do('del', 'h', 'loss')
            if r.random() < .5:
                st.append(dict(op='inference_begin')); emit('linear', ['x', w1, b1], 'h'); emit('batch_norm', ['h', rm, rv, g, b], 'h', training=False); emit('softmax_dim', ['h'], 'p', dim=1); st.append(dict(op='inference_end'))
        elif kind == 'embed':
            Vn, D, L = r.choice([10, 100, 1000, 20000]), r.choice([8, 64, 100, 256]), r.choice([1, 10, 64, 200]); e = par([Vn, D]); w, b = par([Vn if r.random() < .4 and Vn <= 1000 else 10, D]), None; C = st[-1]['shape'][0]; o = opt(P)
            B = min(B, 256)
            for s in range(steps):
                index([B, L], Vn, 'x'); index([B], C, 'y'); emit('embedding', ['x', e], 'h')
                if r.random() < .3: emit('dropout', ['h'], 'h', p=.1); values = False
                emit('mean_dim', ['h'], 'h', dims=[1], keepdim=False); emit('linear', ['h', w], 'h'); emit('cross_entropy', ['h', 'y'], 'loss'); do('backward', 'loss', retain_graph=False)
                if r.random() < .3: emit('clip_grad_norm', P, 'norm', max_norm=.5)
                do('step', o); do('zero_grad', o, set_to_none=r.random() < .7)
        elif kind == 'ckpt':
            D, Hd = r.choice([32, 100, 512]), r.choice([64, 512, 1000]); lay = r.randint(1, 4); re = r.random() < .5; B = r.choice([16, 100, 1000])
            w0 = par([D, D]); W = [(par([Hd, D]), par([Hd]), par([D, Hd]), par([D])) for _ in range(lay)]; o = opt(P); ck = [r.random() < .7 for _ in range(lay)]
            for s in range(steps):
                st.append(dict(op='input', out='x', shape=[B, D], requires_grad=False, dtype=dt, seed=s)); emit('linear', ['x', w0], 'h')
                for i in range(lay): emit('checkpoint_mlp' if ck[i] else 'mlp', ['h', *W[i]], 'h', reentrant=re)
                emit('pow2', ['h'], 'loss'); emit('mean', ['loss'], 'loss'); do('backward', 'loss', retain_graph=False); do('step', o); do('zero_grad', o, set_to_none=True)
                if r.random() < .5: do('del', 'h', 'loss')
    return dict(id=f'w{seed}-{idx}', kind=kind, dtype=dt, compare_values=values, statements=st)

def interpret(prog, torch):
    F = torch.nn.functional; from torch.utils.checkpoint import checkpoint
    env, opts = {}, {}; rec, error = [], None; ctx = []
    D = lambda s: getattr(torch, s)
    def fill(shape, seed):
        i = torch.arange(numel(shape), dtype=torch.int64)
        return ((((i * 2654435761 + seed * 40503) % (1 << 32)).double() / (1 << 32)) - 0.5).reshape(shape)
    def stats():
        s = torch._C._cuda_memoryStats(0)
        return [s['allocated_bytes']['all']['current'], s['allocated_bytes']['all']['peak'], s['requested_bytes']['all']['current'], s['allocation']['all']['current']]
    def mlp(x, w1, b1, w2, b2): return F.linear(F.relu(F.linear(x, w1, b1)), w2, b2)
    U = dict(relu=lambda t, s: F.relu(t[0]), gelu=lambda t, s: F.gelu(t[0]), gelu_tanh=lambda t, s: F.gelu(t[0], approximate='tanh'), sigmoid=lambda t, s: torch.sigmoid(t[0]), tanh=lambda t, s: torch.tanh(t[0]), neg=lambda t, s: -t[0], abs=lambda t, s: t[0].abs(), silu=lambda t, s: F.silu(t[0]),
        sin=lambda t, s: t[0].sin(), cos=lambda t, s: t[0].cos(), erf=lambda t, s: t[0].erf(), floor=lambda t, s: t[0].floor(), sign=lambda t, s: t[0].sign(), clone=lambda t, s: t[0].clone(), pow2=lambda t, s: t[0].pow(2), pow3=lambda t, s: t[0].pow(3), sqrt_abs=lambda t, s: t[0].abs().sqrt(), log1p_abs=lambda t, s: t[0].abs().log1p(),
        reciprocal_abs1=lambda t, s: (t[0].abs() + 1).reciprocal(), rsqrt_abs1=lambda t, s: (t[0].abs() + 1).rsqrt(), abs1=lambda t, s: t[0].abs() + 1, clamp=lambda t, s: t[0].clamp(-.25, .25), tril=lambda t, s: t[0].tril(s['diagonal']), contiguous=lambda t, s: t[0].contiguous(), masked_fill_gt0=lambda t, s: t[0].masked_fill(t[0] > 0, 0.5), masked_fill=lambda t, s: t[0].masked_fill(t[1], s['scalar']),
        dropout=lambda t, s: F.dropout(t[0], s['p']), detach=lambda t, s: t[0].detach(), mul_scalar=lambda t, s: t[0] * s['scalar'], add_scalar=lambda t, s: t[0] + s['scalar'], div_scalar=lambda t, s: t[0] / s['scalar'], rsub=lambda t, s: s['scalar'] - t[0], rdiv_abs1=lambda t, s: s['scalar'] / (t[0].abs() + 1),
        add=lambda t, s: t[0] + t[1], sub=lambda t, s: t[0] - t[1], mul=lambda t, s: t[0] * t[1], div_abs1=lambda t, s: t[0] / (t[1].abs() + 1), maximum=lambda t, s: torch.maximum(t[0], t[1]), minimum=lambda t, s: torch.minimum(t[0], t[1]), where_gt0=lambda t, s: torch.where(t[0] > 0, t[0], t[1]), add_alpha=lambda t, s: torch.add(t[0], t[1], alpha=2),
        transpose=lambda t, s: t[0].transpose(s['d0'], s['d1']), permute=lambda t, s: t[0].permute(s['dims']), reshape=lambda t, s: t[0].reshape(s['shape']), flatten=lambda t, s: t[0].flatten(), unsqueeze=lambda t, s: t[0].unsqueeze(s['dim']), squeeze=lambda t, s: t[0].squeeze(s['dim']), expand=lambda t, s: t[0].expand(s['shape']), select=lambda t, s: t[0].select(s['dim'], s['index']),
        slice=lambda t, s: t[0][(slice(None),) * s['dim'] + (slice(s['start'], s['end'], s['step']),)], narrow=lambda t, s: t[0].narrow(s['dim'], s['start'], s['length']), split=lambda t, s: t[0].split(s['size'], s['dim'])[s['part']], chunk=lambda t, s: t[0].chunk(s['chunks'], s['dim'])[s['part']], unbind=lambda t, s: t[0].unbind(s['dim'])[s['part']],
        cat=lambda t, s: torch.cat(t, s['dim']), stack=lambda t, s: torch.stack(t, s['dim']), to=lambda t, s: t[0].to(D(s['dtype'])), softmax_dim=lambda t, s: F.softmax(t[0], s['dim']), log_softmax_dim=lambda t, s: F.log_softmax(t[0], s['dim']),
        sum=lambda t, s: t[0].sum(), mean=lambda t, s: t[0].mean(), max=lambda t, s: t[0].max(), min=lambda t, s: t[0].min(), norm=lambda t, s: t[0].norm(), sum_dim=lambda t, s: t[0].sum(s['dims'], keepdim=s['keepdim']), mean_dim=lambda t, s: t[0].mean(s['dims'], keepdim=s['keepdim']), amax=lambda t, s: t[0].amax(s['dims']), amin=lambda t, s: t[0].amin(s['dims']), max_dim=lambda t, s: t[0].max(s['dim'], keepdim=s['keepdim'])[0],
        var_dim=lambda t, s: t[0].var(s['dims']), topk=lambda t, s: t[0].topk(s['k'])[0], argmax_dim=lambda t, s: t[0].argmax(s['dim']), argmax=lambda t, s: t[0].argmax(), any_gt0=lambda t, s: (t[0] > 0).any(), count_gt0=lambda t, s: (t[0] > 0).sum(),
        matmul=lambda t, s: t[0] @ t[1], linear=lambda t, s: F.linear(*t), layer_norm_affine=lambda t, s: F.layer_norm(t[0], s['dims'], t[1], t[2]), gather=lambda t, s: t[0].gather(s['dim'], t[1]), index_rows=lambda t, s: t[0][t[1]], embedding=lambda t, s: F.embedding(t[0], t[1]), batch_norm=lambda t, s: F.batch_norm(t[0], t[1], t[2], t[3], t[4], s['training']), max_pool=lambda t, s: F.max_pool2d(t[0], s['k']), avg_pool=lambda t, s: F.avg_pool2d(t[0], s['k']),
        cross_entropy=lambda t, s: F.cross_entropy(t[0], t[1]), mse_loss=lambda t, s: F.mse_loss(t[0], t[1]), bce_with_logits=lambda t, s: F.binary_cross_entropy_with_logits(t[0], t[1]), cross_entropy_r=lambda t, s: F.cross_entropy(t[0], t[1], reduction=s['reduction']), nll_r=lambda t, s: F.nll_loss(t[0], t[1], reduction=s['reduction']), mse_r=lambda t, s: F.mse_loss(t[0], t[1], reduction=s['reduction']), l1_r=lambda t, s: F.l1_loss(t[0], t[1], reduction=s['reduction']), bce_r=lambda t, s: F.binary_cross_entropy_with_logits(t[0], t[1], reduction=s['reduction']),
        mlp=lambda t, s: mlp(*t), checkpoint_mlp=lambda t, s: checkpoint(mlp, *t, use_reentrant=s['reentrant']), scale=lambda t, s: t[0].scale(t[1]), clip_grad_norm=lambda t, s: torch.nn.utils.clip_grad_norm_(t, s['max_norm']))
    I = dict(add_=lambda t, s: t[0].add_(t[1]), sub_=lambda t, s: t[0].sub_(t[1]), mul_=lambda t, s: t[0].mul_(t[1]), div_abs1_=lambda t, s: t[0].div_(t[1].abs() + 1), copy_=lambda t, s: t[0].copy_(t[1]), relu_=lambda t, s: t[0].relu_(), sigmoid_=lambda t, s: t[0].sigmoid_(), tanh_=lambda t, s: t[0].tanh_(), exp_=lambda t, s: t[0].exp_(), zero_=lambda t, s: t[0].zero_(), mul_scalar_=lambda t, s: t[0].mul_(s['scalar']), add_scalar_=lambda t, s: t[0].add_(s['scalar']), div_scalar_=lambda t, s: t[0].div_(s['scalar']), clamp_=lambda t, s: t[0].clamp_(-.25, .25), fill_=lambda t, s: t[0].fill_(s['scalar']), masked_fill_gt0_=lambda t, s: t[0].masked_fill_(t[0] > 0, 0.5),
        backward=lambda t, s: t[0].backward(retain_graph=s['retain_graph']), backward_with=lambda t, s: t[0].backward(t[1], retain_graph=s['retain_graph']))
    torch.cuda.reset_peak_memory_stats(); base = stats()
    for s in prog['statements']:
        torch.cuda.reset_peak_memory_stats(); op = s['op']; a = s.get('in', [])
        try:
            if op == 'input':
                t = fill(s['shape'], s['seed']).to(D(s['dtype'])).cuda()
                if s['requires_grad']: t.requires_grad_(True)
                env[s['out']] = t; t = None
            elif op == 'index': env[s['out']] = ((torch.arange(numel(s['shape'])) * 7 + s['seed']) % s['high']).reshape(s['shape']).cuda()
            elif op == 'mask': env[s['out']] = torch.ones(s['shape'], dtype=torch.bool).triu(1).cuda()
            elif op == 'del':
                for k in a: del env[k]
            elif op == 'autocast_begin': c = torch.amp.autocast('cuda', dtype=D(s['dtype'])); c.__enter__(); ctx.append(c)
            elif op == 'inference_begin': c = torch.inference_mode(); c.__enter__(); ctx.append(c)
            elif op in ('autocast_end', 'inference_end'): ctx.pop().__exit__(None, None, None)
            elif op == 'scaler': env[s['out']] = torch.amp.GradScaler('cuda')
            elif op == 'optimizer':
                P = [env[k] for k in s['params']]; kw = {k: s[k] for k in ('lr', 'weight_decay', 'maximize', 'momentum', 'nesterov', 'dampening', 'amsgrad') if k in s}
                kw.update({'foreach': dict(foreach=True), 'single': dict(foreach=False), 'fused': dict(fused=True), 'default': {}}[s['impl']])
                opts[s['out']] = getattr(torch.optim, s['kind'])(P, **kw); P = None
            elif op == 'step': opts[a[0]].step()
            elif op == 'zero_grad': opts[a[0]].zero_grad(set_to_none=s['set_to_none'])
            elif op == 'unscale': env[a[0]].unscale_(opts[a[1]])
            elif op == 'scaler_step': env[a[0]].step(opts[a[1]])
            elif op == 'scaler_update': env[a[0]].update()
            elif op in I: I[op]([env[k] for k in a], s)
            else: env[s['out']] = U[op]([env[k] for k in a], s)
        except Exception as e:
            error = str(e).split('\n')[0][:160]; e = None
            while ctx: ctx.pop().__exit__(None, None, None)
        x = stats(); rec.append([x[0] - base[0], x[1] - base[0], x[2] - base[2], x[3] - base[3]])
        if error: break
    while ctx: ctx.pop().__exit__(None, None, None)
    vals = {}
    if prog['compare_values']:
        for k, t in env.items():
            if not isinstance(t, torch.Tensor): continue
            for nm, z in ((k, t), (k + '.grad', t.grad if t.is_leaf and t.requires_grad else None)):
                if z is not None and z.dtype == torch.float32:
                    d = z.detach().double().flatten(); vals[nm] = [list(z.shape), d.sum().item(), d.abs().sum().item(), d[:3].tolist()]
    for o in opts.values(): o.param_groups.clear(); o.state.clear()
    env.clear(); opts.clear()
    return rec, error, vals

if __name__ == '__main__':
    if sys.argv[1] == 'generate':
        seed, count, out = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
        ps = [generate(seed, i) for i in range(count)]; json.dump(ps, gzip.open(out, 'wt'), separators=(',', ':'))
        from collections import Counter
        print(Counter(p['kind'] for p in ps), sum(len(p['statements']) for p in ps))
    else:
        import torch, os
        torch.backends.cuda.matmul.allow_tf32 = False
        ps = json.load(gzip.open(sys.argv[2])); outp = []; torch.cuda.init()
        for rnd in (0, 1):
            for p in ps:
                rec, err, vals = interpret(p, torch); gc.collect(); torch.cuda.empty_cache()
                if torch.cuda.memory_allocated() != 0 and rnd: print('leftover', p['id'], torch.cuda.memory_allocated())
                if rnd: outp.append(dict(id=p['id'], kind=p['kind'], statements=p['statements'], recorded=rec, error=err, values={k: v for k, v in vals.items() if all(x == x for x in v[3] + v[1:3])}))
        json.dump(dict(meta=dict(torch=torch.__version__, columns=['allocated', 'peak', 'requested', 'allocations'], env={k: os.environ.get(k) for k in ('CUBLAS_WORKSPACE_CONFIG', 'DISABLE_ADDMM_CUDA_LT')}), programs=outp), gzip.open(sys.argv[3], 'wt'), separators=(',', ':'))
        bad = [(p['id'], p['kind'], p['error']) for p in outp if p['error']]
        print('recorded', len(outp), 'statements', sum(len(p['recorded']) for p in outp), 'with error', len(bad), bad[:25])
