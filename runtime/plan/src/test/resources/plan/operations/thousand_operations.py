"""A thousand cases, forward and with backward, as one run on an H100 recorded them (PyTorch 2.11).

    OUT=FOLDER python thousand_operations.py                 on the GPU: FOLDER/thousand.events, a line for each case: its name, and what was taken
                                                             (+BYTES) and given back (-N of what it took), in order
    vramlab_trace.py -o FILE --device H100-80GB thousand_operations.py

Before each case a marker of 7 MiB and 512 bytes for each case before it is taken and given back. Cases that PyTorch refuses are in it as empty ones.
"""
import os

import torch, torch.nn as nn, torch.nn.functional as F
dev = "cuda"; CASES = []
f32, f64, f16, bf16, c64, c128, i64, i32, u8 = torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64, torch.complex128, torch.int64, torch.int32, torch.uint8
R = lambda *s, dt=f32, g=False: (torch.randn(*s, device=dev, dtype=dt).requires_grad_(g))
I = lambda hi, *s: torch.randint(0, hi, s, device=dev)
def case(name, fn): CASES.append((name, fn))
def bw(y):
    if isinstance(y, (tuple, list)): y = [v for v in y if torch.is_tensor(v) and v.requires_grad]
    else: y = [y]
    torch.autograd.backward(y, [torch.ones_like(v) for v in y])
def fb(name, make, op):
    """forward alone, forward and backward"""
    def fw():
        with torch.no_grad(): op(*[a.detach() for a in make()])
    def fbw():
        xs = make()
        bw(op(*xs))
    case(name, fw); case(name + "+b", fbw)
n1 = 300_000; m1 = (1000, 777)
# ---- prod with zeros
def z(*s):
    x = torch.randn(*s, device=dev); x.view(-1)[::7] = 0; return x.requires_grad_()
fb("prod_all_zeros", lambda: [z(1000, 300)], lambda x: x.prod())
fb("prod_all_one_zero", lambda: [(lambda x: x.index_fill(0, torch.tensor([5], device=dev), 0.).requires_grad_())(torch.rand(100000,
    device=dev) + .5)], lambda x: x.prod())
fb("prod_all_nozero", lambda: [(torch.rand(1000, 300, device=dev) + .5).requires_grad_()], lambda x: x.prod())
fb("prod_dim1_zeros", lambda: [z(1000, 300)], lambda x: x.prod(1))
fb("prod_dim0_zeros", lambda: [z(1000, 300)], lambda x: x.prod(0))
fb("prod_dim1_keep_zeros", lambda: [z(1000, 300)], lambda x: x.prod(1, keepdim=True))
fb("prod_dim1_nozero", lambda: [(torch.rand(1000, 300, device=dev) + .5).requires_grad_()], lambda x: x.prod(1))
fb("prod_dim2_zeros", lambda: [z(100, 64, 30)], lambda x: x.prod(2))
fb("prod_dim1of3_zeros", lambda: [z(100, 64, 30)], lambda x: x.prod(1))
fb("cumprod_zeros", lambda: [z(1000, 300)], lambda x: x.cumprod(1))
fb("cumprod_nozero", lambda: [(torch.rand(1000, 300, device=dev) + .5).requires_grad_()], lambda x: x.cumprod(1))
fb("cumprod_one_zero", lambda: [(lambda x: x.index_fill(1, torch.tensor([5], device=dev), 0.).requires_grad_())(torch.rand(1000, 300,
    device=dev) + .5)], lambda x: x.cumprod(1))
# ---- linalg
for n in (16, 100, 500):
    fb(f"matrix_exp_{n}", lambda n=n: [(R(n, n) * .05).detach().requires_grad_()], torch.matrix_exp)
fb("matrix_exp_small_norm", lambda: [(R(64, 64) * .0005).detach().requires_grad_()], torch.matrix_exp)
fb("matrix_exp_large_norm", lambda: [(R(64, 64) * 2).detach().requires_grad_()], torch.matrix_exp)
fb("matrix_exp_batch", lambda: [(R(40, 32, 32) * .05).detach().requires_grad_()], torch.matrix_exp)
for n in (16, 100, 400):
    case(f"linalg_eig_{n}", lambda n=n: torch.linalg.eig(R(n, n)))
    case(f"linalg_eigvals_{n}", lambda n=n: torch.linalg.eigvals(R(n, n)))
case("linalg_eig_batch", lambda: torch.linalg.eig(R(8, 24, 24)))
fb("linalg_eig_b", lambda: [R(40, 40, g=True)], lambda x: torch.linalg.eig(x)[0].abs())
fb("linalg_eigvals_b", lambda: [R(40, 40, g=True)], lambda x: torch.linalg.eigvals(x).abs())
fb("householder_product", lambda: [R(64, 32, g=True), R(32, g=True)], torch.linalg.householder_product)
fb("householder_product_batch", lambda: [R(10, 64, 32, g=True), R(10, 32, g=True)], torch.linalg.householder_product)
for (a, b) in ((600, 200), (200, 600), (1500, 500), (500, 1500), (2048, 64), (64, 2048), (1200, 1200), (2000, 1000)):
    case(f"svd_{a}x{b}", lambda a=a, b=b: torch.linalg.svd(R(a, b), full_matrices=False))
    case(f"svdfull_{a}x{b}", lambda a=a, b=b: torch.linalg.svd(R(a, b)) if max(a, b) <= 1500 else None)
    case(f"svdvals_{a}x{b}", lambda a=a, b=b: torch.linalg.svdvals(R(a, b)))
    case(f"qr_{a}x{b}", lambda a=a, b=b: torch.linalg.qr(R(a, b)))
    case(f"qr_complete_{a}x{b}", lambda a=a, b=b: torch.linalg.qr(R(a, b), mode="complete"))
    case(f"qr_r_{a}x{b}", lambda a=a, b=b: torch.linalg.qr(R(a, b), mode="r"))
    case(f"qr64_{a}x{b}", lambda a=a, b=b: torch.linalg.qr(R(a, b, dt=f64)))
fb("svd_b", lambda: [R(300, 100, g=True)], lambda x: torch.linalg.svd(x, full_matrices=False))
fb("svdvals_b", lambda: [R(300, 100, g=True)], lambda x: torch.linalg.svdvals(x))
fb("qr_b", lambda: [R(300, 100, g=True)], torch.linalg.qr)
fb("qr_wide_b", lambda: [R(100, 300, g=True)], lambda x: torch.linalg.qr(x)[1])
fb("nuc_norm", lambda: [R(300, 200, g=True)], lambda x: torch.linalg.matrix_norm(x, "nuc"))
fb("spectral_norm2", lambda: [R(300, 200, g=True)], lambda x: torch.linalg.matrix_norm(x, 2))
for n in (1000, 1200, 1300, 1600, 2048, 3000):
    case(f"lu64_{n}", lambda n=n: torch.linalg.lu_factor(R(n, n, dt=f64)))
    case(f"lu32_{n}", lambda n=n: torch.linalg.lu_factor(R(n, n)))
    case(f"solve64_{n}", lambda n=n: torch.linalg.solve(R(n, n, dt=f64), R(n, 3, dt=f64)))
    case(f"chol64_{n}", lambda n=n: torch.linalg.cholesky(torch.eye(n, device=dev, dtype=f64)))
case("lu_rect_64", lambda: torch.linalg.lu_factor(R(1500, 700, dt=f64)))
case("inv64_1500", lambda: torch.linalg.inv(R(1500, 1500, dt=f64)))
case("eigh64_700", lambda: torch.linalg.eigh(R(700, 700, dt=f64)))
case("eigh32_1500", lambda: torch.linalg.eigh(R(1500, 1500)))
case("eigvalsh32_900", lambda: torch.linalg.eigvalsh(R(900, 900)))
case("lstsq_tall", lambda: torch.linalg.lstsq(R(2000, 100), R(2000, 4)))
case("lstsq_wide", lambda: torch.linalg.lstsq(R(100, 2000), R(100, 4)))
case("pinv", lambda: torch.linalg.pinv(R(500, 100)))
case("pinv_wide", lambda: torch.linalg.pinv(R(100, 500)))
case("matrix_rank", lambda: torch.linalg.matrix_rank(R(500, 100)))
case("cond", lambda: torch.linalg.cond(R(200, 200)))
case("matrix_power", lambda: torch.linalg.matrix_power(R(300, 300), 7))
case("matrix_power_neg", lambda: torch.linalg.matrix_power(R(300, 300), -2))
case("multi_dot", lambda: torch.linalg.multi_dot([R(100, 800), R(800, 50), R(50, 900)]))
fb("tensorsolve", lambda: [R(4, 6, 24, g=True), R(4, 6, g=True)], torch.linalg.tensorsolve)
fb("vander", lambda: [R(1000, g=True)], lambda x: torch.linalg.vander(x, N=20))
fb("cross", lambda: [R(5000, 3, g=True), R(5000, 3, g=True)], lambda a, b: torch.linalg.cross(a, b))
fb("ldl", lambda: [R(100, 100)], lambda a: torch.linalg.ldl_factor(a @ a.T)[0])
case("ldl_solve", lambda: torch.linalg.ldl_solve(*torch.linalg.ldl_factor((lambda a: a @ a.T)(R(100, 100))), R(100, 5)))
case("lu_solve", lambda: torch.linalg.lu_solve(*torch.linalg.lu_factor(R(300, 300)), R(300, 50)))
case("lobpcg", lambda: torch.lobpcg((lambda a: a @ a.T)(R(300, 300)), k=4, niter=5))
case("svd_lowrank", lambda: torch.svd_lowrank(R(1000, 400), q=10))
case("pca_lowrank", lambda: torch.pca_lowrank(R(1000, 400), q=10))
fb("cholesky_solve", lambda: [R(300, 20, g=True), torch.eye(300, device=dev).requires_grad_()], torch.cholesky_solve)
fb("cholesky_inverse", lambda: [torch.eye(300, device=dev).requires_grad_()], torch.cholesky_inverse)
fb("slogdet", lambda: [R(300, 300, g=True)], lambda x: torch.linalg.slogdet(x)[1])
fb("logdet_batch", lambda: [R(50, 30, 30, g=True)], lambda x: torch.linalg.slogdet(x)[1])
fb("inv_batch", lambda: [R(50, 30, 30, g=True)], torch.linalg.inv)
fb("kron", lambda: [R(30, 30, g=True), R(20, 40, g=True)], torch.kron)
# ---- reductions, selection
for d in (None, 0, 1):
    fb(f"nanmedian_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.nanmedian() if d is None else x.nanmedian(d)[0])
    fb(f"median_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.median() if d is None else x.median(d)[0])
    fb(f"nanmean_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.nanmean() if d is None else x.nanmean(d))
    fb(f"nansum_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.nansum() if d is None else x.nansum(d))
    fb(f"quantile_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.quantile(.3) if d is None else x.quantile(.3, d))
    fb(f"logsumexp_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.logsumexp((0, 1) if d is None else d))
    if d is not None:
        fb(f"mode_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.mode(d)[0])
        fb(f"kthvalue_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.kthvalue(5, d)[0])
        fb(f"cummax_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.cummax(d)[0])
        fb(f"logcumsumexp_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.logcumsumexp(d))
        fb(f"renorm_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.renorm(2, d, 1.))
        fb(f"trapezoid_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: torch.trapezoid(x, dim=d))
        fb(f"cumtrapz_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: torch.cumulative_trapezoid(x, dim=d))
        fb(f"gradient_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: torch.gradient(x, dim=d)[0])
        fb(f"aminmax_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: torch.aminmax(x, dim=d))
        fb(f"diff_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.diff(dim=d))
        fb(f"std_mean_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: torch.std_mean(x, dim=d))
        fb(f"count_nonzero_{d}", lambda: [R(*m1)], lambda x, d=d: torch.count_nonzero(x, d))
        fb(f"sort_stable_{d}", lambda: [R(*m1, g=True)], lambda x, d=d: x.sort(dim=d, stable=True)[0])
        fb(f"argsort_{d}", lambda: [R(*m1)], lambda x, d=d: x.argsort(d, descending=True))
        fb(f"msort_{d}", lambda: [R(*m1)], lambda x, d=d: x.msort())
        case(f"unique_dim_{d}", lambda d=d: I(3, 2000, 4).unique(dim=d))
        case(f"unique_dim_inv_{d}", lambda d=d: I(3, 2000, 4).unique(dim=d, return_inverse=True, return_counts=True))
case("aminmax_all", lambda: torch.aminmax(R(*m1)))
case("unique", lambda: I(50, n1).unique())
case("unique_inv", lambda: I(50, n1).unique(return_inverse=True))
case("unique_cnt", lambda: I(50, n1).unique(return_counts=True))
case("unique_both", lambda: I(50, n1).unique(return_inverse=True, return_counts=True))
case("unique_f32", lambda: R(n1).unique(return_inverse=True))
case("unique_bool", lambda: (R(n1) > 0).unique(return_counts=True))
case("unique_small", lambda: I(5, 100).unique(return_counts=True))
case("unique_cons", lambda: I(3, n1).unique_consecutive())
case("unique_cons_cnt", lambda: I(3, n1).unique_consecutive(return_inverse=True, return_counts=True))
case("unique_cons_dim", lambda: I(3, 3000, 2).unique_consecutive(dim=0, return_counts=True))
case("histc", lambda: torch.histc(R(n1), 100))
case("histc_range", lambda: torch.histc(R(n1), 100, -1, 1))
case("bincount", lambda: torch.bincount(I(50, n1)))
case("bincount_min", lambda: torch.bincount(I(50, n1), minlength=200))
case("bincount_w", lambda: torch.bincount(I(50, n1), R(n1)))
case("bucketize", lambda: torch.bucketize(R(n1), torch.linspace(-1, 1, 20, device=dev)))
case("bucketize_i32", lambda: torch.bucketize(R(n1), torch.linspace(-1, 1, 20, device=dev), out_int32=True))
case("searchsorted", lambda: torch.searchsorted(R(100, 50).sort(-1)[0], R(100, 300)))
case("searchsorted_nc", lambda: torch.searchsorted(R(100, 50).sort(-1)[0], R(300, 100).t()))
case("isin", lambda: torch.isin(I(50, n1), I(50, 10)))
case("isin_big", lambda: torch.isin(I(5000, n1), I(5000, 3000)))
case("multinomial", lambda: torch.multinomial(torch.rand(100, 5000, device=dev), 20))
case("multinomial_rep", lambda: torch.multinomial(torch.rand(100, 5000, device=dev), 20, replacement=True))
case("multinomial_1", lambda: torch.multinomial(torch.rand(100, 5000, device=dev), 1))
case("multinomial_1d_rep", lambda: torch.multinomial(torch.rand(5000, device=dev), 2000, replacement=True))
case("combinations", lambda: torch.combinations(R(300)))
case("cartesian", lambda: torch.cartesian_prod(R(300), R(200)))
case("tril_indices", lambda: torch.tril_indices(500, 500, device=dev))
case("histogramdd", lambda: torch.cov(R(20, 5000)))
case("corrcoef", lambda: torch.corrcoef(R(20, 5000)))
case("argwhere", lambda: torch.argwhere(R(*m1) > 0))
case("nonzero_tuple", lambda: torch.nonzero(R(*m1) > 0, as_tuple=True))
case("where1", lambda: torch.where(R(*m1) > 0))
case("nonzero_static", lambda: torch.nonzero_static(R(*m1) > 0, size=1000))
case("randperm_big", lambda: torch.randperm(n1, device=dev))
case("randperm_small", lambda: torch.randperm(1000, device=dev))
case("tensordot", lambda: torch.tensordot(R(10, 20, 30), R(20, 30, 5), dims=2))
case("repeat_interleave", lambda: I(100, 5000).repeat_interleave(I(5, 5000)))
case("repeat_interleave_sz", lambda: R(5000, 8).repeat_interleave(torch.full((5000,), 3, device=dev), dim=0, output_size=15000))
fb("repeat_interleave_b", lambda: [R(500, 8, g=True)], lambda x: x.repeat_interleave(torch.full((500,), 3, device=dev), dim=0))
fb("repeat_interleave_int", lambda: [R(500, 8, g=True)], lambda x: x.repeat_interleave(3, dim=1))
fb("pdist", lambda: [R(600, 32, g=True)], torch.pdist)
fb("pdist_p1", lambda: [R(600, 32, g=True)], lambda x: torch.pdist(x, 1))
for p in (1., 2., 3., float("inf")):
    fb(f"cdist_{p}", lambda: [R(300, 20, g=True), R(400, 20, g=True)], lambda a, b, p=p: torch.cdist(a, b, p))
for red in ("sum", "mean", "prod", "amax", "amin"):
    fb(f"scatter_reduce_{red}", lambda: [R(500, 64, g=True), R(3000, 64, g=True)], lambda a, s, red=red: a.scatter_reduce(0, (torch.arange(3000,
        device=dev) % 500)[:, None].expand(3000, 64), s, red))
    fb(f"scatter_reduce_noself_{red}", lambda: [R(500, 64, g=True), R(3000, 64, g=True)], lambda a, s, red=red: a.scatter_reduce(0,
        (torch.arange(3000, device=dev) % 500)[:, None].expand(3000, 64), s, red, include_self=False))
    if red != "sum":
        fb(f"index_reduce_{red}", lambda: [R(500, 64, g=True), R(3000, 64, g=True)], lambda a, s, red=red: a.index_reduce(0, torch.arange(3000,
            device=dev) % 500, s, red))
    if red in ("sum", "mean", "amax", "amin"):
        fb(f"segment_reduce_{red}", lambda: [R(3000, 64, g=True)], lambda s, red=red: torch.segment_reduce(s, {"amax": "max", "amin": "min"}.get(red,
            red), lengths=torch.full((500,), 6, device=dev), unsafe=True))
fb("segment_reduce_1d", lambda: [R(n1, g=True)], lambda s: torch.segment_reduce(s, "sum", lengths=torch.full((1000,), n1 // 1000, device=dev)))
for op in ("index_add", "index_copy"):
    fb(op, lambda: [R(500, 64, g=True), R(500, 64, g=True)], lambda a, s, op=op: getattr(a, op)(0, torch.arange(500, device=dev), s))
fb("index_add_d1", lambda: [R(64, 500, g=True), R(64, 3000, g=True)], lambda a, s: a.index_add(1, torch.arange(3000, device=dev) % 500, s))
fb("index_fill", lambda: [R(500, 64, g=True)], lambda a: a.index_fill(0, torch.arange(100, device=dev), 0.))
fb("index_put_acc", lambda: [R(500, 64, g=True), R(3000, 64, g=True)], lambda a, s: a.index_put((torch.arange(3000, device=dev) % 500,), s, accumulate=True))
fb("take", lambda: [R(500, 64, g=True)], lambda a: a.take(torch.arange(7000, device=dev) * 3 % 32000))
fb("put", lambda: [R(500, 64, g=True), R(700, g=True)], lambda a, s: a.put(torch.arange(700, device=dev) * 3, s))
fb("take_along", lambda: [R(500, 64, g=True)], lambda a: a.take_along_dim(a.argsort(1), 1))
fb("masked_scatter", lambda: [R(500, 64, g=True), R(500, 64, g=True)], lambda a, s: a.masked_scatter(torch.ones(500, 64, device=dev, dtype=torch.bool), s))
fb("masked_select", lambda: [R(500, 64, g=True)], lambda a: a.masked_select(a > 0))
fb("masked_fill_t", lambda: [R(500, 64, g=True), torch.zeros((), device=dev, requires_grad=True)], lambda a, v: a.masked_fill(a > 0, v))
fb("scatter_add", lambda: [R(500, 64, g=True), R(3000, 64, g=True)], lambda a, s: a.scatter_add(0, (torch.arange(3000, device=dev) % 500)[:,
    None].expand(3000, 64), s))
fb("select_scatter", lambda: [R(500, 64, g=True), R(64, g=True)], lambda a, s: a.select_scatter(s, 0, 3))
fb("slice_scatter", lambda: [R(500, 64, g=True), R(50, 64, g=True)], lambda a, s: a.slice_scatter(s, 0, 3, 53))
fb("diagonal_scatter", lambda: [R(64, 64, g=True), R(64, g=True)], lambda a, s: a.diagonal_scatter(s))
fb("diag_embed", lambda: [R(100, 64, g=True)], torch.diag_embed)
fb("block_diag", lambda: [R(100, 64, g=True), R(64, 32, g=True)], torch.block_diag)
fb("tril", lambda: [R(500, 500, g=True)], lambda x: x.tril())
fb("roll", lambda: [R(*m1, g=True)], lambda x: x.roll((3, 5), (0, 1)))
fb("flip", lambda: [R(*m1, g=True)], lambda x: x.flip(0, 1))
fb("rot90", lambda: [R(*m1, g=True)], lambda x: x.rot90())
fb("unfold", lambda: [R(100, 1000, g=True)], lambda x: x.unfold(1, 64, 16) * 1)
fb("im2col", lambda: [R(4, 16, 64, 64, g=True)], lambda x: F.unfold(x, 3, padding=1))
fb("col2im", lambda: [R(4, 16 * 9, 64 * 64, g=True)], lambda x: F.fold(x, (64, 64), 3, padding=1))
# ---- special
for name in "digamma lgamma erfinv i0 i0e i1 i1e ndtri log_ndtr entr bessel_j0 bessel_j1 modified_bessel_k0 expit logit sinc xlog1py zeta polygamma multigammaln softplus erfcx spherical_bessel_j0".split():
    f = getattr(torch.special, name, None) or getattr(torch, name, None) or getattr(F, name)
    g = {"zeta": lambda x: torch.special.zeta(x + 2, x), "xlog1py": lambda x: torch.special.xlog1py(x, x),
        "polygamma": lambda x: torch.special.polygamma(2, x), "multigammaln": lambda x: torch.special.multigammaln(x + 5, 3)}.get(name, f)
    nob = {"bessel_j0", "bessel_j1", "modified_bessel_k0", "spherical_bessel_j0"}
    mk = lambda: [(torch.rand(*m1, device=dev) * .8 + .1).requires_grad_()]
    if name in nob or name == "zeta": case("sp_" + name, lambda mk=mk, g=g: g(mk()[0].detach()))
    else: fb("sp_" + name, mk, g)
for name in "igamma igammac".split(): case("sp_" + name, lambda name=name: getattr(torch, name)(torch.rand(*m1, device=dev) + 1, torch.rand(*m1, device=dev)))
for name in "hypot atan2 logaddexp logaddexp2 fmod remainder copysign nextafter heaviside ldexp float_power xlogy fmax fmin maximum".split():
    b = name not in ("nextafter", "heaviside")
    mk = lambda b=b: [(torch.rand(*m1, device=dev) + .5).requires_grad_(b), (torch.rand(*m1, device=dev) + .5).requires_grad_(b)]
    fb("bi_" + name, mk, getattr(torch, name)) if b else case("bi_" + name, lambda mk=mk, name=name: getattr(torch, name)(*mk()))
for name in "frac trunc sign exp2 expm1 log1p log2 asinh acosh atanh tan sinh cosh rad2deg nan_to_num angle reciprocal square rsqrt frexp".split():
    x = lambda: [(torch.rand(*m1, device=dev) * .5 + (1.1 if name == "acosh" else .1)).requires_grad_()]
    fb("un_" + name, lambda a=1.1 if name == "acosh" else .1: [(torch.rand(*m1, device=dev) * .5 + a).requires_grad_()], getattr(torch,
        name) if name != "frexp" else (lambda x: torch.frexp(x)[0]))
for name in "celu selu elu hardswish hardsigmoid hardshrink softshrink tanhshrink threshold prelu rrelu glu logsigmoid mish softsign relu6 leaky_relu gumbel_softmax softmin normalize".split():
    op = {"threshold": lambda x: F.threshold(x, .1, 0.), "prelu": None, "rrelu": lambda x: F.rrelu(x, training=True),
        "gumbel_softmax": lambda x: F.gumbel_softmax(x, hard=True), "glu": lambda x: F.glu(x, 0), "softmin": lambda x: F.softmin(x, 1)}.get(name, getattr(F,
        name))
    if name == "prelu": fb("ac_prelu", lambda: [R(*m1, g=True), R(777, g=True)], F.prelu)
    else: fb("ac_" + name, lambda: [R(*m1, g=True)], op)
# ---- losses
for name in "huber_loss smooth_l1_loss l1_loss mse_loss soft_margin_loss multilabel_soft_margin_loss kl_div poisson_nll_loss".split():
    t = {"soft_margin_loss": lambda: R(*m1).sign(), "multilabel_soft_margin_loss": lambda: (R(*m1) > 0).float(),
        "kl_div": lambda: R(*m1).softmax(1)}.get(name, lambda: R(*m1).abs())
    fb("lo_" + name, lambda t=t: [R(*m1, g=True), t()], getattr(F, name))
fb("lo_ce_smooth_w", lambda: [R(*m1, g=True), torch.rand(777, device=dev)], lambda x, w: F.cross_entropy(x, torch.arange(1000, device=dev) % 777, w,
    label_smoothing=.1))
fb("lo_ce_prob", lambda: [R(*m1, g=True), R(*m1).softmax(1).detach()], F.cross_entropy)
fb("lo_ce_2d", lambda: [R(4, 19, 64, 64, g=True)], lambda x: F.cross_entropy(x, torch.arange(4 * 64 * 64, device=dev).view(4, 64, 64) % 19, ignore_index=3))
fb("lo_gaussian_nll", lambda: [R(*m1, g=True), R(*m1), (torch.rand(*m1, device=dev) + .1).requires_grad_()], F.gaussian_nll_loss)
fb("lo_multi_margin", lambda: [R(*m1, g=True)], lambda x: F.multi_margin_loss(x, torch.arange(1000, device=dev) % 777))
fb("lo_multilabel_margin", lambda: [R(100, 77, g=True)], lambda x: F.multilabel_margin_loss(x, torch.arange(7700, device=dev).view(100, 77) % 77))
fb("lo_cosine", lambda: [R(*m1, g=True), R(*m1, g=True)], lambda a, b: F.cosine_embedding_loss(a, b, torch.ones(1000, device=dev)))
fb("lo_triplet", lambda: [R(*m1, g=True), R(*m1, g=True), R(*m1, g=True)], F.triplet_margin_loss)
fb("lo_tripletd", lambda: [R(*m1, g=True), R(*m1, g=True), R(*m1, g=True)], lambda a, b, c: F.triplet_margin_with_distance_loss(a, b, c,
    distance_function=lambda x, y: 1 - F.cosine_similarity(x, y)))
fb("lo_margin_rank", lambda: [R(1000, g=True), R(1000, g=True)], lambda a, b: F.margin_ranking_loss(a, b, torch.ones(1000, device=dev)))
fb("lo_hinge", lambda: [R(1000, g=True)], lambda a: F.hinge_embedding_loss(a, torch.ones(1000, device=dev)))
fb("lo_pairwise", lambda: [R(*m1, g=True), R(*m1, g=True)], F.pairwise_distance)
fb("lo_cossim", lambda: [R(*m1, g=True), R(*m1, g=True)], F.cosine_similarity)
fb("lo_bcel_pos", lambda: [R(*m1, g=True), (R(*m1) > 0).float()], lambda x, t: F.binary_cross_entropy_with_logits(x, t, pos_weight=torch.ones(777,
    device=dev), weight=torch.ones(777, device=dev)))
# ---- fft
for nm, sh, op in (("fft", (64, 1000), lambda x: torch.fft.fft(x)), ("rfft2_irfft2", (8, 16, 64, 64), lambda x: torch.fft.irfft2(torch.fft.rfft2(x),
    s=(64, 64))), ("fftn", (8, 32, 32, 32), lambda x: torch.fft.fftn(x, dim=(1, 2, 3)).abs()), ("rfft_ortho", (64, 1024), lambda x: torch.fft.rfft(x,
    norm="ortho").abs()),
                   ("fft_dim0", (500, 64), lambda x: torch.fft.fft(x, dim=0).real), ("fft_dim1of3", (16, 500, 8), lambda x: torch.fft.rfft(x,
                       dim=1).abs()), ("hfft", (64, 500), lambda x: torch.fft.hfft(x)), ("ihfft", (64, 500), lambda x: torch.fft.ihfft(x).abs()), ("fft2_shift", (8, 64, 64),
                       lambda x: torch.fft.fftshift(torch.fft.fft2(x)).abs()), ("ifft2", (8, 64, 64), lambda x: torch.fft.ifft2(torch.fft.fft2(x) * 2).real),
                   ("rfft_pad", (64, 1000), lambda x: torch.fft.rfft(x, n=2048).abs()), ("rfft_trim", (64, 1000), lambda x: torch.fft.rfft(x,
                       n=512).abs()), ("fft_prime", (64, 1009), lambda x: torch.fft.fft(x).abs()), ("fft_bigprime", (64, 10007),
                       lambda x: torch.fft.fft(x).abs()), ("rfft_8192", (64, 8192), lambda x: torch.fft.rfft(x).abs()), ("rfft_16384", (64, 16384),
                       lambda x: torch.fft.rfft(x).abs()), ("fft_16384", (64, 16384), lambda x: torch.fft.fft(x).abs()), ("rfft_12000", (64, 12000),
                       lambda x: torch.fft.rfft(x).abs()), ("rfft_65536", (8, 65536), lambda x: torch.fft.rfft(x).abs()), ("rfft_48000", (8, 48000),
                       lambda x: torch.fft.rfft(x).abs()), ("rfft_1m", (2, 1 << 20), lambda x: torch.fft.rfft(x).abs()), ("rfft2_512", (4, 512, 512),
                       lambda x: torch.fft.rfft2(x).abs()), ("fft2_256x300", (4, 256, 300), lambda x: torch.fft.fft2(x).abs()), ("rfftn_4d", (2, 8, 32, 32, 16),
                       lambda x: torch.fft.irfftn(torch.fft.rfftn(x, dim=(2, 3, 4)), dim=(2, 3, 4))),
                   ("fftconv", (16, 4000), lambda x: torch.fft.irfft(torch.fft.rfft(x, n=8000) * torch.fft.rfft(x, n=8000), n=8000)[:, :4000])):
    fb("ff_" + nm, lambda sh=sh: [R(*sh, g=True)], op)
fb("stft", lambda: [R(8, 16000, g=True)], lambda x: torch.stft(x, 512, 128, window=torch.hann_window(512, device=dev), return_complex=True).abs())
fb("istft", lambda: [R(8, 16000, g=True)], lambda x: torch.istft(torch.stft(x, 512, 128, window=torch.hann_window(512, device=dev),
    return_complex=True), 512, 128, window=torch.hann_window(512, device=dev)))
# ---- complex copies
C = lambda *s, g=False: torch.randn(*s, device=dev, dtype=c64).requires_grad_(g)
fb("cx_mul", lambda: [C(300, 400, g=True), C(300, 400, g=True)], lambda a, b: a * b)
fb("cx_mm", lambda: [C(300, 400, g=True), C(400, 200, g=True)], lambda a, b: a @ b)
fb("cx_mm_H", lambda: [C(300, 400, g=True)], lambda a: a @ a.mH)
fb("cx_einsum", lambda: [C(8, 16, 32, 32, g=True), C(16, 24, 32, 32, g=True)], lambda a, b: torch.einsum("bixy,ioxy->boxy", a, b))
fb("cx_einsum1", lambda: [C(8, 16, 300, g=True), C(16, 24, 300, g=True)], lambda a, b: torch.einsum("bix,iox->box", a, b))
fb("cx_abs", lambda: [C(300, 400, g=True)], lambda a: a.abs())
fb("cx_angle", lambda: [C(300, 400, g=True)], lambda a: a.angle())
fb("cx_polar", lambda: [(torch.rand(300, 400, device=dev)).requires_grad_(), R(300, 400, g=True)], torch.polar)
fb("cx_complex", lambda: [R(300, 400, g=True), R(300, 400, g=True)], torch.complex)
fb("cx_realimag", lambda: [C(300, 400, g=True)], lambda a: a.real * a.imag)
fb("cx_conj", lambda: [C(300, 400, g=True)], lambda a: (a * a.conj()).real)
fb("cx_view", lambda: [R(300, 400, 2, g=True)], lambda a: torch.view_as_real(torch.view_as_complex(a) * 2j))
fb("cx_exp", lambda: [C(300, 400, g=True)], lambda a: torch.exp(1j * a).real)
fb("cx_cat", lambda: [C(300, 400, g=True)], lambda a: torch.cat([a, a.conj()], 1).contiguous().abs())
fb("cx_sum", lambda: [C(300, 400, g=True)], lambda a: a.sum(0).abs())
fb("cx_bmm_conj", lambda: [C(8, 30, 40, g=True)], lambda a: torch.bmm(a.conj().transpose(1, 2), a))
fb("cx_conv", lambda: [C(4, 8, 32, 32, g=True), C(8, 8, 3, 3, g=True)], lambda x, w: F.conv2d(x, w, padding=1))
fb("cx_linear", lambda: [C(64, 100, g=True), C(50, 100, g=True)], lambda x, w: F.linear(x, w))
fb("cx_solve", lambda: [C(50, 50, g=True), C(50, 3, g=True)], torch.linalg.solve)
fb("cx_eigh", lambda: [C(50, 50)], lambda a: torch.linalg.eigh(a @ a.mH)[0])
# ---- 1-D depthwise
for dt in (f16, bf16, f32):
    for c, k, L, st, pad in ((256, 4, 1024, 1, 3), (512, 3, 500, 1, 1), (128, 31, 800, 1, 15), (256, 7, 1000, 2, 3), (64, 4, 333, 1, 3), (1536, 4, 512, 1, 3)):
        fb(f"dw1_{str(dt)[6:]}_{c}_{k}_{L}_{st}", lambda c=c, k=k, L=L, dt=dt: [R(8, c, L, dt=dt, g=True), R(c, 1, k, dt=dt, g=True), R(c, dt=dt,
            g=True)], lambda x, w, b, c=c, st=st, pad=pad: F.conv1d(x, w, b, st, pad, groups=c))
    fb(f"dw1nb_{str(dt)[6:]}", lambda dt=dt: [R(8, 256, 1024, dt=dt, g=True), R(256, 1, 4, dt=dt, g=True)], lambda x, w: F.conv1d(x, w, None, 1, 3,
        groups=256)[..., :1024])
    fb(f"dw1t_{str(dt)[6:]}", lambda dt=dt: [R(8, 1024, 256, dt=dt, g=True), R(256, 1, 4, dt=dt, g=True), R(256, dt=dt, g=True)], lambda x, w,
        b: F.conv1d(x.transpose(1, 2), w, b, 1, 3, groups=256)[..., :1024])
    fb(f"dw2_{str(dt)[6:]}", lambda dt=dt: [R(8, 96, 56, 56, dt=dt, g=True), R(96, 1, 7, 7, dt=dt, g=True), R(96, dt=dt, g=True)], lambda x, w,
        b: F.conv2d(x, w, b, 1, 3, groups=96))
    fb(f"dw2t_{str(dt)[6:]}", lambda dt=dt: [R(8, 96, 28, 28, dt=dt, g=True), R(96, 1, 4, 4, dt=dt, g=True)], lambda x, w: F.conv_transpose2d(x, w,
        None, 2, 1, groups=96))
    fb(f"dw3_{str(dt)[6:]}", lambda dt=dt: [R(2, 32, 8, 28, 28, dt=dt, g=True), R(32, 1, 3, 3, 3, dt=dt, g=True)], lambda x, w: F.conv3d(x, w, None,
        1, 1, groups=32))
    fb(f"grp1_{str(dt)[6:]}", lambda dt=dt: [R(8, 128, 500, dt=dt, g=True), R(128, 8, 9, dt=dt, g=True)], lambda x, w: F.conv1d(x, w, None, 1, 4, groups=16))
# ---- recurrent with projections
for dt in (f32, f16):
    for (B, T, inp, H, P, L, bi) in ((16, 50, 64, 128, 64, 1, 0), (16, 50, 64, 128, 64, 2, 0), (16, 50, 64, 128, 64, 2, 1), (32, 80, 80, 256, 128, 3,
        1), (8, 100, 40, 512, 256, 2, 0), (5, 33, 17, 48, 20, 1, 1)):
        def lstm(train, B=B, T=T, inp=inp, H=H, P=P, L=L, bi=bi, dt=dt):
            m = nn.LSTM(inp, H, L, batch_first=True, proj_size=P, bidirectional=bool(bi)).to(dev, dt)
            x = R(B, T, inp, dt=dt)
            if train: m(x)[0].sum().backward()
            else:
                with torch.no_grad(): m(x)
        case(f"lstmp_{str(dt)[6:]}_{B}_{T}_{inp}_{H}_{P}_{L}_{bi}",
            lambda lstm=lstm: lstm(False)); case(f"lstmp_{str(dt)[6:]}_{B}_{T}_{inp}_{H}_{P}_{L}_{bi}+b", lambda lstm=lstm: lstm(True))
# ---- sparse
def coo(m, n, nnz, g=False): return torch.sparse_coo_tensor(torch.stack([I(m, nnz), I(n, nnz)]), R(nnz), (m, n)).coalesce().requires_grad_(g)
def csr(m, n, d=.02): return torch.where(torch.rand(m, n, device=dev) < d, R(m, n), torch.zeros((), device=dev)).to_sparse_csr()
for (m, n, k) in ((2000, 2000, 64), (5000, 3000, 16), (500, 800, 300)):
    case(f"sp_mm_coo_{m}", lambda m=m, n=n, k=k: torch.sparse.mm(coo(m, n, m * 10), R(n, k)))
    case(f"sp_mm_csr_{m}", lambda m=m, n=n, k=k: csr(m, n) @ R(n, k))
    case(f"sp_mv_csr_{m}", lambda m=m, n=n, k=k: csr(m, n) @ R(n))
    case(f"sp_mm_coo_b_{m}", lambda m=m, n=n, k=k: torch.sparse.mm(coo(m, n, m * 10), R(n, k, g=True)).sum().backward())
    case(f"sp_spsp_{m}", lambda m=m, n=n, k=k: torch.sparse.mm(coo(m, n, m * 4), coo(n, m, m * 4)))
    case(f"sp_addmm_{m}", lambda m=m, n=n, k=k: torch.sparse.addmm(R(m, k), coo(m, n, m * 10), R(n, k)))
    case(f"sp_softmax_{m}", lambda m=m, n=n: torch.sparse.softmax(coo(m, n, m * 10), 1))
    case(f"sp_sum_{m}", lambda m=m, n=n: torch.sparse.sum(coo(m, n, m * 10), 1).to_dense())
    case(f"sp_tocsr_{m}", lambda m=m, n=n: coo(m, n, m * 10).to_sparse_csr())
    case(f"sp_add_{m}", lambda m=m, n=n: (coo(m, n, m * 10) + coo(m, n, m * 10)).coalesce())
    case(f"sp_dense_{m}", lambda m=m, n=n: coo(m, n, m * 10).to_dense())
    case(f"sp_sampled_{m}", lambda m=m, n=n, k=k: torch.sparse.sampled_addmm(csr(m, n), R(m, k), R(k, n)))
    case(f"sp_tosparse_{m}", lambda m=m, n=n: (R(m, n) > 2).float().to_sparse())
    case(f"sp_t_{m}", lambda m=m, n=n, k=k: torch.sparse.mm(coo(m, n, m * 10).t(), R(m, k)))
    case(f"sp_select_{m}", lambda m=m, n=n, k=k: coo(m, n, m * 10).index_select(0, I(m, 50)))
# ---- nested
nt = lambda g=False: torch.nested.nested_tensor([torch.randn(l, 64) for l in (30, 50, 20, 70)], layout=torch.jagged, device=dev, requires_grad=g)
case("nt_make", lambda: nt())
case("nt_linear", lambda: nn.Linear(64, 32).to(dev)(nt()).to_padded_tensor(0.))
case("nt_ln_b", lambda: (lambda y: torch.nested.to_padded_tensor(y, 0.).sum().backward())(nn.LayerNorm(64).to(dev)(nn.Linear(64, 64).to(dev)(nt()))))
case("nt_sdpa", lambda: (lambda q: F.scaled_dot_product_attention(q, q, q))(nt().unflatten(-1, [4, 16]).transpose(1, 2).to(f16)))
case("nt_sum", lambda: nt().sum(dim=1))
case("nt_mean", lambda: nt().mean(dim=1))
case("nt_softmax", lambda: torch.softmax(nt(), -1))
case("nt_strided", lambda: torch.nested.nested_tensor([torch.randn(l, 64, device=dev) for l in (30, 50, 20, 70)]).to_padded_tensor(0.))
case("pad_seq", lambda: nn.utils.rnn.pad_sequence([R(l, 8) for l in (30, 50, 20, 70)], batch_first=True))
# ---- func
case("fn_hessian", lambda: torch.func.hessian(lambda x: (x.sin() ** 3).sum())(R(200)))
case("fn_jacrev",
    lambda: torch.func.jacrev(lambda x: torch.tanh(W @ x))(R(100)) if False else torch.func.jacrev(lambda x: torch.tanh(x.outer(x)).sum(0))(R(100)))
case("fn_jacfwd", lambda: torch.func.jacfwd(lambda x: torch.tanh(x.outer(x)).sum(0))(R(100)))
case("fn_vmap_grad", lambda: (lambda m: torch.func.vmap(torch.func.grad(lambda p, x: torch.func.functional_call(m, p, (x[None],)).sum()), (None,
    0))(dict(m.named_parameters()), R(64, 3, 16, 16)))(nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 196, 5)).to(dev)))
case("fn_jvp", lambda: torch.func.jvp(lambda x: x.sin().cumsum(0), (R(1000, 300),), (R(1000, 300),)))
case("fn_vjp", lambda: torch.func.vjp(lambda x: x.sin() @ x.T, R(300, 200))[1](R(300, 300)))
case("fn_linearize", lambda: torch.func.linearize(lambda x: x.sin() @ x.T, R(300, 200))[1](R(300, 200)))
case("fn_vmap_rand", lambda: torch.func.vmap(lambda x: F.dropout(x, .5) + torch.randn_like(x), randomness="different")(R(50, 300)))
case("fn_vmap_chunk", lambda: torch.func.vmap(lambda x: x.outer(x).sum(), chunk_size=10)(R(50, 300)))
case("fn_stack", lambda: (lambda ms: torch.func.vmap(lambda p, b, x: torch.func.functional_call(ms[0], (p, b), (x,)), (0, 0,
    None))(*torch.func.stack_module_state(ms), R(64, 32)))([nn.Sequential(nn.Linear(32, 64), nn.Tanh(), nn.Linear(64, 4)).to(dev) for _ in range(5)]))
# ---- sampling distributions
D = torch.distributions
for nm, mk in dict(gamma=lambda: D.Gamma(torch.full((1000,), 2., device=dev, requires_grad=True), torch.ones(1000, device=dev)),
    beta=lambda: D.Beta(torch.full((1000,), 2., device=dev, requires_grad=True), torch.full((1000,), 2., device=dev)),
    dirichlet=lambda: D.Dirichlet(torch.ones(1000, 20, device=dev, requires_grad=True)), studentt=lambda: D.StudentT(torch.full((1000,), 3., device=dev,
    requires_grad=True)), mvn=lambda: D.MultivariateNormal(torch.zeros(40, device=dev, requires_grad=True), torch.eye(40, device=dev)),
    lowrank=lambda: D.LowRankMultivariateNormal(torch.zeros(40, device=dev, requires_grad=True), R(40, 3), torch.ones(40, device=dev)),
    laplace=lambda: D.Laplace(torch.zeros(1000, device=dev, requires_grad=True), 1.), vonmises=lambda: D.VonMises(torch.zeros(1000, device=dev),
    torch.ones(1000, device=dev)), gumbel=lambda: D.Gumbel(torch.zeros(1000, device=dev, requires_grad=True), torch.ones(1000, device=dev)),
    relaxed=lambda: D.RelaxedOneHotCategorical(torch.tensor(1., device=dev), logits=R(1000, 10, g=True)), kuma=lambda: D.Kumaraswamy(torch.ones(1000,
    device=dev, requires_grad=True), torch.ones(1000, device=dev))).items():
    def ds(mk=mk):
        d = mk(); x = d.rsample((4,)) if d.has_rsample else d.sample((4,)); l = d.log_prob(x)
        if l.requires_grad: l.sum().backward()
    case("d_" + nm, ds)
case("d_cat", lambda: (lambda d: d.log_prob(d.sample()) + d.entropy())(D.Categorical(logits=R(1000, 50))))
case("d_poisson", lambda: (torch.poisson(torch.rand(*m1, device=dev) * 4), torch.binomial(torch.full((1000,), 9., device=dev), torch.full((1000,), .3,
    device=dev)), torch.bernoulli(torch.rand(*m1, device=dev)), torch.empty(1000, device=dev).exponential_().geometric_(.3).cauchy_().log_normal_()))
# ---- layers, windows
fb("ly_bilinear", lambda: [R(64, 20, g=True), R(64, 30, g=True), R(10, 20, 30, g=True)], lambda a, b, w: F.bilinear(a, b, w))
fb("ly_lrn", lambda: [R(4, 32, 28, 28, g=True)], lambda x: F.local_response_norm(x, 5))
fb("ly_instnorm", lambda: [R(4, 32, 28, 28, g=True)], lambda x: F.instance_norm(x))
fb("ly_gn", lambda: [R(4, 32, 28, 28, g=True), R(32, g=True), R(32, g=True)], lambda x, w, b: F.group_norm(x, 8, w, b))
fb("ly_rms", lambda: [R(1000, 512, g=True), R(512, g=True)], lambda x, w: F.rms_norm(x, (512,), w))
for nm, op in dict(lp=lambda x: F.lp_pool2d(x, 2, 3), amax=lambda x: F.adaptive_max_pool2d(x, 5), aavg=lambda x: F.adaptive_avg_pool2d(x, 5),
    frac=lambda x: F.fractional_max_pool2d(x, 2, output_ratio=(.6, .6)), unpool=lambda x: (lambda y, i: F.max_unpool2d(y, i, 2))(*F.max_pool2d(x, 2,
    return_indices=True)), ps=lambda x: F.pixel_shuffle(x, 4), pu=lambda x: F.pixel_unshuffle(x, 4), cs=lambda x: F.channel_shuffle(x, 4),
    refl=lambda x: F.pad(x, (3, 3, 3, 3), mode="reflect"), rep=lambda x: F.pad(x, (3, 3, 3, 3), mode="replicate"), circ=lambda x: F.pad(x, (3, 3, 3, 3),
    mode="circular"), const=lambda x: F.pad(x, (3, 3, 3, 3)), up_bic=lambda x: F.interpolate(x, scale_factor=2, mode="bicubic"),
    up_bil_aa=lambda x: F.interpolate(x, size=(20, 20), mode="bilinear", antialias=True), up_bic_aa=lambda x: F.interpolate(x, size=(20, 20),
    mode="bicubic", antialias=True), up_near_exact=lambda x: F.interpolate(x, scale_factor=2, mode="nearest-exact"), up_area=lambda x: F.interpolate(x,
    size=(9, 9), mode="area"), grid=lambda x: F.grid_sample(x, torch.rand(4, 20, 20, 2, device=dev) * 2 - 1, align_corners=False),
    grid_bic=lambda x: F.grid_sample(x, torch.rand(4, 20, 20, 2, device=dev) * 2 - 1, mode="bicubic", padding_mode="border", align_corners=True),
    drop2=lambda x: F.dropout2d(x, .3), fad=lambda x: F.feature_alpha_dropout(x, .3, True), alpha=lambda x: F.alpha_dropout(x, .3, True)).items():
    fb("ly_" + nm, lambda: [R(4, 32, 28, 28, g=True)], op)
fb("ly_grid3", lambda: [R(2, 8, 10, 20, 20, g=True), (torch.rand(2, 5, 8, 8, 3, device=dev) * 2 - 1).requires_grad_()], lambda x, g: F.grid_sample(x,
    g, align_corners=False))
fb("ly_trilinear", lambda: [R(2, 8, 10, 20, 20, g=True)], lambda x: F.interpolate(x, scale_factor=2, mode="trilinear"))
fb("ly_embbag", lambda: [R(5000, 64, g=True)], lambda w: F.embedding_bag(torch.arange(8000, device=dev) % 5000, w, torch.arange(0, 8000, 20,
    device=dev), mode="max"))
fb("ly_embbag_w", lambda: [R(5000, 64, g=True), R(8000, g=True)], lambda w, s: F.embedding_bag(torch.arange(8000, device=dev) % 5000, w,
    torch.arange(0, 8000, 20, device=dev), mode="sum", per_sample_weights=s))
fb("ly_ctc", lambda: [R(100, 8, 30, g=True)], lambda x: F.ctc_loss(x.log_softmax(-1), I(29, 8, 20) + 1, torch.full((8,), 100, device=dev),
    torch.full((8,), 20, device=dev), zero_infinity=True))
fb("ly_ctc_flat", lambda: [R(100, 8, 30, g=True)], lambda x: F.ctc_loss(x.log_softmax(-1), torch.randint(1, 30, (160,)), torch.full((8,), 100),
    torch.full((8,), 20)))
fb("ly_weightnorm", lambda: [R(64, 32, 5, g=True), R(64, 1, 1, g=True)], lambda v, g: torch._weight_norm(v, g, 0))
fb("ly_int8mm", lambda: [R(64, 128, dt=bf16)], lambda x: (x @ torch.randint(-100, 100, (128, 256), device=dev, dtype=torch.int8).to(bf16)))
case("int_mm", lambda: torch._int_mm(torch.randint(-9, 9, (64, 128), device=dev, dtype=torch.int8), torch.randint(-9, 9, (128, 256), device=dev,
    dtype=torch.int8)))
case("fp8_mm", lambda: torch._scaled_mm(R(64, 128).to(torch.float8_e4m3fn), R(256, 128).to(torch.float8_e4m3fn).t(), torch.ones((), device=dev),
    torch.ones((), device=dev), out_dtype=bf16))
case("u8_sum", lambda: (I(9, *m1).to(u8).sum(dtype=f32), I(9, *m1).to(u8).sum(0, dtype=i64), I(9, *m1).to(u8).sum(), (R(*m1) > 0).sum(1),
    (R(*m1) > 0).float().mean()))
case("i32_ops", lambda: (I(9, *m1).to(i32).sum(), I(9, *m1).to(i32).float().mean(0), I(9, *m1) // 3, I(9, *m1) % 4, I(9, *m1).bitwise_and(3), I(9, *m1) << 2))
case("argmax_kinds", lambda: (R(*m1).argmax(), R(*m1, dt=bf16).argmax(1), R(*m1).max(0), R(*m1).min(1), R(*m1).topk(5), R(*m1).topk(50, 0), R(*m1).sort()))
# ---- optimizers, one step each
for nm in "Adadelta Adagrad Adam AdamW Adamax ASGD NAdam RAdam RMSprop Rprop SGD Adafactor Muon".split():
    for kw in ({}, {"foreach": False}, {"fused": True}):
        if kw.get("fused") and nm not in ("Adam", "AdamW", "SGD", "Adagrad"): continue
        if nm in ("Muon",) and kw: continue
        def st(nm=nm, kw=kw):
            m = nn.Sequential(nn.Linear(300, 400, bias=nm != "Muon"), nn.Linear(400, 200, bias=nm != "Muon")).to(dev)
            o = getattr(torch.optim, nm)(m.parameters(), lr=.01, **kw)
            for _ in range(2): m(R(8, 300)).sum().backward(); o.step(); o.zero_grad()
        case(f"op_{nm}_{'_'.join(kw)}_{len(kw) and list(kw.values())[0]}", st)
case("op_lbfgs", lambda: (lambda m: torch.optim.LBFGS(m.parameters(), max_iter=5,
    line_search_fn="strong_wolfe").step(lambda: (lambda l: (l.backward(), l)[1])(m(torch.ones(8, 300, device=dev)).pow(2).mean())))(nn.Linear(300,
    40).to(dev)))

def taken(events, names):
    markers, lines, case, live, count = {7 * 2**20 + 512 * i: i for i in range(len(names) + 1)}, {}, -1, {}, 0
    for e in events:
        if e["action"] == "alloc" and markers.get(e["size"]) == case + 1:
            case, live, count = case + 1, {}, 0
            lines[case] = []
        elif e["action"] == "alloc" and case >= 0:
            live[e["addr"]], count = count, count + 1
            lines[case].append(f"+{e['size']}")
        elif e["action"] == "free_requested" and e["addr"] in live:
            lines[case].append(f"-{live.pop(e['addr'])}")
    return [f"{name}\t{' '.join(lines[i])}" for i, name in enumerate(names)]


torch.manual_seed(0)
out = os.environ.get("OUT")
if out:
    torch.cuda.memory._record_memory_history("all", context=None, max_entries=4_000_000)
a = R(64, 64)
(a @ a).sum()                                                  # cuBLAS's workspace
del a
for i, (name, case_of) in enumerate([*CASES, ("", lambda: None)]):
    m = torch.empty(7 * 2**20 + 512 * i, dtype=u8, device=dev)
    del m
    try:
        case_of()
    except Exception as told:
        print(name, type(told).__name__, str(told)[:100])
if out:
    with open(os.path.join(out, "thousand.events"), "w") as f:
        print("\n".join(taken(torch.cuda.memory._snapshot()["device_traces"][0], [name for name, _ in CASES])), file=f)
