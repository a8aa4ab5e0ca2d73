"""What torch.linalg's factorizations and solvers take on a GPU: usage: factors.py OUTFILE SECONDS PART OF [LARGE]

The first half of the parts are functions, the rest primitives; with LARGE these are of larger matrices, in fewer forms. Solvers need cuBLAS workspaces, which are
there before what is measured, so that no setting takes them away.

A primitive's row has "op", "dtype", "shape" (the sizes of its matrices, then those of what stands on the right), "form" (its options) and "events": +SIZE for each
block taken, in order, -N for the Nth of them given back, -x for one that was there before. A function's row is one of functions.py, its inputs of these kinds too:
e: value(i) + 4 on the diagonal; h: symmetric, value(i) + value(transposed), n on the diagonal; y: symmetric, as h with 0.3 * row on the diagonal; g: as e, lower triangle alone."""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measured
from measured import *

L, A = torch.linalg, torch.ops.aten

def make(spec, seed, grad=True, dtype=torch.float32):
    kind, *sizes = spec.split(); shape = [int(s) for s in sizes]
    if kind not in ('e', 'h', 'y', 'g'): return measured.make(spec, seed, grad, dtype)
    v = value(shape, seed); n = shape[-1]
    if kind in 'hy': v = v + v.mT
    v = v + torch.diag({'e': torch.full((n,), 4.), 'g': torch.full((n,), 4.), 'h': torch.full((n,), float(n)), 'y': .3 * torch.arange(n, dtype=torch.float32)}[kind])
    if kind == 'g': v = v.tril()
    return v.to(dtype).to(dev).requires_grad_(grad)

# primitives: what the dispatcher runs

def square(b, n, dtype, kind='e'):
    m = torch.randn(*b, n, n, device=dev, dtype=dtype)
    return m + n * torch.eye(n, device=dev, dtype=dtype) if kind == 'e' else m @ m.mT / n + torch.eye(n, device=dev, dtype=dtype) if kind == 'h' else m + m.mT

def events():
    out, live, n = [], {}, 0
    for e in torch.cuda.memory._snapshot()['device_traces'][0] if not fake else ():
        if e['action'] == 'alloc': live[e['addr']] = n; n += 1; out.append('+%d' % e['size'])
        elif e['action'] == 'free_requested': out.append('-%s' % live.pop(e['addr'], 'x'))
    return ' '.join(out)

def one(rows, op, form, shape, dtype, build):
    if rows.over(): return
    row = dict(op=op, form=form, shape=shape, dtype=str(dtype)[6:])
    try:
        call = build()
        history(True); out = call(); row['events'] = events()
        row['out'] = [[list(t.shape), list(t.stride()), str(t.dtype)[6:]] for t in flat(out)]
    except Exception as e: row['error'] = f'{type(e).__name__}: {str(e).splitlines()[0][:200]}'
    history(False); out = call = None
    rows.write(row); rows.n += 1

def r(*s, dt=torch.float32): return torch.randn(*s, device=dev, dtype=dt)
def lower(m): return m.tril()

# (op, form): matrices -> call; s: square kinds, rhs: number of columns on the right
SQUARE = {
 'linalg_cholesky_ex': [('', 'h', lambda a: A.linalg_cholesky_ex(a)), ('upper', 'h', lambda a: A.linalg_cholesky_ex(a, upper=True)), ('T', 'h', lambda a: A.linalg_cholesky_ex(a.mT))],
 'cholesky_inverse': [('', 'e', lambda a: A.cholesky_inverse(a.tril()))],
 'linalg_lu_factor_ex': [('', 'e', lambda a: A.linalg_lu_factor_ex(a)), ('T', 'e', lambda a: A.linalg_lu_factor_ex(a.mT))],
 'linalg_lu': [('', 'e', lambda a: A.linalg_lu(a))],
 'linalg_inv_ex': [('', 'e', lambda a: A.linalg_inv_ex(a)), ('T', 'e', lambda a: A.linalg_inv_ex(a.mT))],
 '_linalg_det': [('', 'e', lambda a: A._linalg_det(a))],
 '_linalg_slogdet': [('', 'e', lambda a: A._linalg_slogdet(a))],
 '_linalg_eigh': [('', 'y', lambda a: A._linalg_eigh(a)), ('values', 'y', lambda a: A._linalg_eigh(a, compute_v=False)), ('U', 'y', lambda a: A._linalg_eigh(a, UPLO='U'))],
 'linalg_ldl_factor_ex': [('', 'y', lambda a: A.linalg_ldl_factor_ex(a))],
 'linalg_matrix_exp': [('', 'z', lambda a: A.linalg_matrix_exp(a))],
 'linalg_eig': [('', 'z', lambda a: A.linalg_eig(a)), ('values', 'z', lambda a: A.linalg_eigvals(a))],
}
RIGHT = {
 '_linalg_solve_ex': [('', lambda a, b: A._linalg_solve_ex(a, b)), ('right', lambda a, b: A._linalg_solve_ex(a, b.mT.contiguous(), left=False)), ('vector', lambda a, b: A._linalg_solve_ex(a, b[..., 0].contiguous()))],
 'linalg_lu_solve': [('', lambda a, b: A.linalg_lu_solve(*LU, b)), ('adjoint', lambda a, b: A.linalg_lu_solve(*LU, b, adjoint=True)), ('right', lambda a, b: A.linalg_lu_solve(*LU, b.mT.contiguous(), left=False))],
 'linalg_solve_triangular': [('', lambda a, b: A.linalg_solve_triangular(a, b, upper=True)), ('lower', lambda a, b: A.linalg_solve_triangular(a, b, upper=False)), ('right', lambda a, b: A.linalg_solve_triangular(a, b.mT.contiguous(), upper=True, left=False)), ('T', lambda a, b: A.linalg_solve_triangular(a.mT, b, upper=True))],
 'cholesky_solve': [('', lambda a, b: A.cholesky_solve(b, a))],
}
RECTANGLE = {
 'linalg_qr': [(m, lambda a, m=m: A.linalg_qr(a, m)) for m in ('reduced', 'complete', 'r')],
 '_linalg_svd': [('', lambda a: A._linalg_svd(a)), ('full', lambda a: A._linalg_svd(a, full_matrices=True)), ('values', lambda a: A._linalg_svd(a, compute_uv=False))] + [(d, lambda a, d=d: A._linalg_svd(a, driver=d)) for d in ('gesvd', 'gesvdj', 'gesvda')],
 'geqrf': [('', lambda a: A.geqrf(a))], 'linalg_lu_factor_ex': [('', lambda a: A.linalg_lu_factor_ex(a))], 'linalg_lu': [('', lambda a: A.linalg_lu(a))],
 'linalg_lstsq': [('', lambda a: A.linalg_lstsq(a, torch.ones(*a.shape[:-1], 3, device=dev, dtype=a.dtype))) ],
}
SLOW = {'_linalg_svd': 512, '_linalg_eigh': 1100, 'linalg_eig': 200, 'linalg_matrix_exp': 600, 'linalg_qr': 2100, 'linalg_ldl_factor_ex': 600}
ONE = [1, 2, 3, 4, 5, 8, 12, 16, 20, 24, 31, 32, 33, 40, 48, 50, 63, 64, 65, 80, 96, 100, 120, 127, 128, 129, 150, 160, 192, 200, 255, 256, 257, 300, 320, 384, 400, 450, 500, 511, 512, 513, 600, 640, 700, 768, 800, 900, 1000, 1023, 1024, 1025, 1100, 1280, 1500, 1536, 1800, 2000, 2047, 2048, 2049, 2500, 3000, 4000, 4096]
MANY = [(b, n) for b in (2, 3, 4, 8, 9, 16, 32, 33, 100) for n in (1, 2, 4, 8, 16, 24, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 200, 256, 257, 300, 511, 512, 513, 600, 1024) if b * n * n <= 9000000 and (b < 9 or n < 520)]
OBLONG = [(m, n) for n in (1, 3, 8, 16, 31, 32, 33, 50, 64, 100, 128, 200, 256, 300, 400, 512) for m in (2 * n, n + 1, 5 * n, 300, 1000, n + 32)] + [(n, m) for n in (3, 8, 16, 32, 33, 64, 100, 128, 200, 256) for m in (2 * n, n + 1, 300, 1000)]

def large():
    """Fewer forms, for larger matrices"""
    for table, keep in ((SQUARE, dict(linalg_cholesky_ex='', cholesky_inverse='', linalg_lu_factor_ex='', linalg_lu='', linalg_inv_ex='', _linalg_det='', _linalg_slogdet='', _linalg_eigh=' values', linalg_eig='')), (RIGHT, dict(_linalg_solve_ex=' vector', linalg_lu_solve=' adjoint right', linalg_solve_triangular=' right', cholesky_solve='')), (RECTANGLE, dict(linalg_qr='reduced complete r', _linalg_svd=' full values', linalg_lstsq='', linalg_lu_factor_ex=''))):
        for op in list(table):
            table[op] = [f for f in table[op] if op in keep and f[0] in keep[op].split(' ')]
    ONE[:] = [n for n in ONE if n > 64]
    MANY[:] = [(b, n) for b, n in MANY if n > 64 and b in (2, 3, 9, 16) or (b, n) in ((2, 24), (9, 24), (2, 4), (100, 33))]
    OBLONG[:] = [(m, n) for m, n in OBLONG if min(m, n) in (8, 33, 50, 100, 200, 256, 300)]

def primitives(rows, part, of):
    every = sorted([(n, ()) for n in ONE] + [(n, (b,)) for b, n in MANY] + [(n, (2, 3)) for n in (4, 24, 64, 200)], key=cost)
    squares(rows, part, of, [c for c in every if cost(c)[0] < 3e7]); oblongs(rows, part, of); squares(rows, part, of, [c for c in every if cost(c)[0] >= 3e7])

def cost(c): return c[0] ** 3 * (c[1] or (1,))[0], c[1]

def squares(rows, part, of, sizes):
    k = -1
    for size, b in sizes:
        for op, forms_ in SQUARE.items():
            if size > SLOW.get(op, 5000): continue
            for form, kind, call in forms_:
                for dt in (torch.float32, torch.float64):
                    k += 1
                    if k % of == part: one(rows, op, form, [[*b, size, size]], dt, lambda: (lambda a: lambda: call(a))(square(b, size, dt, kind)))
        for op, forms_ in RIGHT.items():
            for form, call in forms_:
                for cols in ((1, size, 7) if size != 7 else (1, 7)) if len(sys.argv) < 6 else (7,):
                    for dt in (torch.float32, torch.float64):
                        k += 1
                        if k % of != part: continue
                        def build():
                            global LU
                            a, y = square(b, size, dt, 'h' if op == 'cholesky_solve' else 'e'), r(*b, size, cols, dt=dt)
                            if op == 'linalg_lu_solve': LU = A.linalg_lu_factor_ex(a)[:2]
                            if op == 'cholesky_solve': a = L.cholesky(a)
                            return lambda: call(a, y)
                        one(rows, op, form, [[*b, size, size], [*b, size, cols]], dt, build)
        for op, forms_ in RECTANGLE.items():
            if size > SLOW.get(op, 2100) or op in SQUARE: continue
            for form, call in forms_:
                for dt in (torch.float32, torch.float64):
                    k += 1
                    if k % of == part: one(rows, op, form, [[*b, size, size]], dt, lambda: (lambda a: lambda: call(a))(r(*b, size, size, dt=dt)))

def oblongs(rows, part, of):
    k = -1
    for b in ((), (2,), (9,), (40,)) if len(sys.argv) < 6 else ((), (9,)):
        for m, n in OBLONG:
            if b and m * n * b[0] > 2000000: continue
            for op, forms_ in RECTANGLE.items():
                if min(m, n) > SLOW.get(op, 2100) or op == 'linalg_lstsq' and m < n: continue
                for form, call in forms_:
                    for dt in (torch.float32, torch.float64):
                        k += 1
                        if k % of == part: one(rows, op, form, [[*b, m, n]], dt, lambda: (lambda a: lambda: call(a))(r(*b, m, n, dt=dt)))

# functions, forward and backward

Q = []
def q(inputs, *expressions):
    for e in expressions: Q.append((e, list(inputs)))
for b in ('', '4 ', '100 ', '2 3 '):
    for n in (3, 24, 100) if b != '100 ' else (3, 24):
        q([f'e {b}{n} {n}'], 'L.inv(a)', 'torch.inverse(a)', 'L.det(a)', 'L.slogdet(a)', 'L.slogdet(a)[1]', 'torch.logdet(a.mT @ a)', 'L.inv_ex(a)', 'L.lu_factor(a)', 'L.lu(a)', 'L.matrix_power(a, -1)', 'L.matrix_power(a, 3)', 'L.cond(a, 1)', 'L.cond(a)', 'torch.linalg.tensorinv(a, 1)' if not b else 'L.inv(a.mT)')
        q([f'e {b}{n} {n}', f'f {b}{n} 5'], 'L.solve(a, b)', 'L.solve(a, b[..., 0])', 'L.solve(a, b.mT, left=False)', 'L.solve_ex(a, b)', 'L.lu_solve(*L.lu_factor(a), b)', 'L.lstsq(a, b)[0]', 'L.solve(a.detach(), b)', 'L.solve(a, b.detach())')
        q([f'e {b}{n} {n}', f'f {n} 5'], 'L.solve(a, b)')
        q([f'h {b}{n} {n}'], 'L.cholesky(a)', 'L.cholesky(a, upper=True)', 'L.cholesky_ex(a)', 'torch.cholesky_inverse(L.cholesky(a))', 'L.inv(a)', 'L.cholesky(a).diagonal(dim1=-2, dim2=-1).log().sum(-1)', 'L.ldl_factor(a)')
        q([f'h {b}{n} {n}', f'f {b}{n} 5'], 'torch.cholesky_solve(b, L.cholesky(a))', 'L.solve(a, b)')
        q([f'g {b}{n} {n}', f'f {b}{n} 5'], 'L.solve_triangular(a, b, upper=False)', 'L.solve_triangular(a.mT, b, upper=True)', 'L.solve_triangular(a, b.mT, upper=False, left=False)', 'L.solve_triangular(a, b, upper=False, unitriangular=True)', 'torch.triangular_solve(b, a, upper=False)[0]')
        q([f'y {b}{n} {n}'], 'L.eigh(a)', 'L.eigh(a)[1]', 'L.eigvalsh(a)', 'L.eigh(a, UPLO="U")', '(lambda w, v: (v * w.unsqueeze(-2)) @ v.mT)(*L.eigh(a))', 'L.matrix_exp(a * .1)', 'L.matrix_rank(a, hermitian=True)', 'L.pinv(a, hermitian=True)', 'L.eigvals(a).real')
    for m, n in ((24, 24), (30, 12), (12, 30), (200, 50)):
        q([f'f {b}{m} {n}'], 'L.qr(a)', 'L.qr(a)[1]', 'L.qr(a, "complete")', 'L.qr(a, "r")[1]', 'L.svd(a)', 'L.svd(a, full_matrices=False)', 'L.svd(a, full_matrices=False)[1]', 'L.svdvals(a)', 'L.pinv(a)', 'L.matrix_rank(a)', 'L.matrix_norm(a, 2)', 'L.matrix_norm(a, -2)', 'L.matrix_norm(a, "nuc")', 'L.norm(a, 2, dim=(-2, -1))', '(lambda u, s, v: (u * s.unsqueeze(-2)) @ v)(*L.svd(a, full_matrices=False))', 'torch.svd_lowrank(a, 4)[1]', 'L.lu(a)')
        if m >= n: q([f'f {b}{m} {n}', f'f {b}{m} 5'], 'L.lstsq(a, b)[0]', 'L.lstsq(a, b)'); q([f'f {b}{m} {n}'], 'L.qr(a)[0]', '(lambda q, r: q @ r)(*L.qr(a))', 'L.householder_product(*torch.geqrf(a))')
q(['f 640 384'], 'torch.fft.rfft(a).abs()', 'torch.fft.irfft(torch.fft.rfft(a))', 'torch.view_as_real(torch.fft.fft(a))', 'torch.fft.irfft2(torch.fft.rfft2(a))', 'torch.fft.fftshift(a)', 'torch.fft.ifftshift(a, 1)', 'torch.fft.fft(a, 512).abs()', 'torch.fft.fft(a, dim=0).real', 'torch.fft.fft2(a).imag', 'torch.fft.ifft2(torch.fft.fft2(a)).real', 'torch.fft.rfft(a, norm="ortho").abs()', 'torch.fft.hfft(a)', 'torch.view_as_real(torch.fft.ihfft(a))', 'torch.fft.fftfreq(640, device=a.device)', 'torch.fft.rfftfreq(640, device=a.device)')
q(['f 8 16 24 20'], 'torch.fft.fftn(a).abs()', 'torch.fft.rfftn(a, dim=(1, 2, 3)).abs()', 'torch.fft.irfftn(torch.fft.rfftn(a, dim=(2, 3)), dim=(2, 3))', 'torch.fft.fft2(a).abs()', 'torch.fft.rfft2(a, norm="ortho").abs()', 'torch.fft.fft(a, dim=1).abs()', 'torch.fft.fftshift(a, (2, 3))', 'torch.fft.rfft(a, dim=2).abs()')
q(['z 8 64 20', 'z 64 20'], 'torch.view_as_real(a)', 'a * b', 'a.abs()', 'a.conj() * b', 'torch.fft.ifft(a).real', 'torch.fft.fft(a)', 'torch.fft.ifft2(a).real', 'a.real', 'a.angle()')

def case(expression, ins, mode):
    dtype = torch.float64 if mode == 'float64' else torch.float32
    def build():
        xs = [make(s, k + 1, mode != 'nograd', dtype) for k, s in enumerate(ins)]; names = dict(zip('abcd', xs)); code = compile(expression, expression, 'eval'); scope = dict(globals(), **names)
        return (lambda: eval(code, scope)), {k: v for k, v in names.items() if v.requires_grad}
    return build

def functions(rows, part, of):
    for k, (e, ins) in enumerate(Q):
        if k % of != part: continue
        for mode in ('grad', 'nograd', 'float64'): rows.add(f'{e}|{", ".join(ins)}|{mode}', case(e, ins, mode), None, mode != 'nograd', expression=e, inputs=ins, mode=mode, random=False)

if __name__ == '__main__':
    rows = Rows(sys.argv[1], float(sys.argv[2])); part, of = int(sys.argv[3]), int(sys.argv[4])
    if len(sys.argv) > 5: large()
    if part < of // 2: functions(rows, part, of // 2)
    else: primitives(rows, part - of // 2, of - of // 2)
    rows.end()
