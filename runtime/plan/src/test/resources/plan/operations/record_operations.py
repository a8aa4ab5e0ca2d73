"""Records what single operations take on a GPU: for each dispatched operation its arguments' forms, the forms of its results, and the
allocator's events meanwhile.

    python record_operations.py OUT.jsonl.gz SECONDS

A line has "case", "op", "args", "kw" and "out" (tensors as [dtype, sizes, strides, offset, device, storage]), and "events": +SIZE:ADDRESS for what is
taken, -N for what is given back of it, -x for what was taken before.
"""
import gzip, json, sys, time, warnings
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode

warnings.simplefilter("ignore")
D = "cuda"
SEEN = set()


def clear():
    torch.cuda.memory._record_memory_history(enabled=None)
    torch.cuda.memory._record_memory_history("all", context=None, stacks="python", max_entries=100000, clear_history=True)


def forms(v):
    if isinstance(v, torch.Tensor):
        if v.layout != torch.strided:
            return {"s": 1}
        return {"t": [str(v.dtype)[6:], list(v.shape), list(v.stride()), v.storage_offset(), v.device.type, v.untyped_storage().data_ptr()]}
    if isinstance(v, (list, tuple)):
        return [forms(x) for x in v]
    return v if v is None or isinstance(v, (bool, int, float, str)) else {"d": str(v)}


class Watch(TorchDispatchMode):
    def __init__(self, out):
        super().__init__()
        self.out, self.case = out, ""

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if op.namespace != "aten":
            return op(*args, **kwargs)
        has = lambda key: torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key)
        if has("CompositeImplicitAutograd") and not has("CUDA"):
            try:
                with self:
                    return op._op_dk(torch._C.DispatchKey.CompositeImplicitAutograd, *args, **kwargs)
            except NotImplementedError:
                pass
        ins, named = forms(args), forms(list(kwargs.items()))
        key = (str(op), json.dumps([strip(ins), strip(named)]))
        if key in SEEN:
            return op(*args, **kwargs)
        SEEN.add(key)
        clear()
        result = op(*args, **kwargs)
        events, live = [], {}
        for e in torch.cuda.memory._snapshot()["device_traces"][0]:
            if e["action"] == "alloc":
                live[e["addr"]] = sum(x[0] == "+" for x in events)
                events.append("+%d:%x" % (e["size"], e["addr"]))
            elif e["action"] == "free_requested":
                events.append("-%s" % live.pop(e["addr"], "x"))
        self.out.write(json.dumps({"case": self.case, "op": str(op), "args": ins, "kw": named, "out": forms(result), "events": events}) + "\n")
        return result


def strip(v):
    if isinstance(v, dict) and "t" in v:
        return {"t": v["t"][:5]}
    return [strip(x) for x in v] if isinstance(v, list) else v


def cases():
    for dt in (torch.float32, torch.bfloat16):
        r = lambda *s, g=True: torch.randn(*s, device=D).to(dt).requires_grad_(g)
        i = lambda hi, *s: torch.randint(0, hi, s, device=D)
        for big in (0, 1):
            B, C, S = ((16, 48, 40), (6, 20, 14))[big]
            n, w = ((64, 1000), (1024, 130))[big]
            for last in (0, 1):
                def image(b=B, c=C, h=S, v=S):
                    t = torch.randn(b, c, h, v, device=D).to(dt)
                    return (t.contiguous(memory_format=torch.channels_last) if last else t).requires_grad_(True)
                x, y = image(), image()
                N = dict(
                    mp=lambda: F.max_pool2d(x, 3, 2, 1), ap=lambda: F.avg_pool2d(x, 3, 2, 1), lp=lambda: F.lp_pool2d(x, 2, 2), aap=lambda: F.adaptive_avg_pool2d(x, 7),
                    aap1=lambda: F.adaptive_avg_pool2d(x, 1), amp=lambda: F.adaptive_max_pool2d(x, 5), frac=lambda: F.fractional_max_pool2d(x, 2, output_size=6),
                    ps=lambda: F.pixel_shuffle(x[:, :16], 2), pu=lambda: F.pixel_unshuffle(x, 2), cs=lambda: F.channel_shuffle(x, 4), gs=lambda: F.grid_sample(x, r(B, 8, 8, 2)),
                    gsn=lambda: F.grid_sample(x, r(B, 8, 8, 2), mode="nearest"), upn=lambda: F.interpolate(x, scale_factor=2), upne=lambda: F.interpolate(x, scale_factor=2, mode="nearest-exact"),
                    upb=lambda: F.interpolate(x, scale_factor=2, mode="bilinear"), upba=lambda: F.interpolate(x, size=(9, 11), mode="bilinear", antialias=True), ups=lambda: F.interpolate(x, size=(S, S), mode="bilinear"),
                    upc=lambda: F.interpolate(x, scale_factor=2, mode="bicubic"), upca=lambda: F.interpolate(x, size=(9, 11), mode="bicubic", antialias=True),
                    slup=lambda: F.interpolate(x[:, :4], scale_factor=2, mode="bilinear"), slun=lambda: F.interpolate(x[:, :4], scale_factor=2), slus=lambda: torch.cat([F.interpolate(x, scale_factor=2, mode="bilinear"), F.interpolate(y, scale_factor=2)], 1),
                    fold=lambda: F.fold(F.unfold(x, 3), (S, S), 3), lrn=lambda: F.local_response_norm(x, 5), inorm=lambda: F.instance_norm(x), gn=lambda: F.group_norm(x, 4, r(C), r(C)),
                    gnp=lambda: F.group_norm(x, 4), rp=lambda: F.pad(x, (1, 1, 1, 1), "reflect"), rep=lambda: F.pad(x, (1, 1, 1, 1), "replicate"), circ=lambda: F.pad(x, (1, 1, 1, 1), "circular"), zp=lambda: F.pad(x, (1, 1, 1, 1)),
                    bn=lambda: F.batch_norm(x, torch.zeros(C, device=D), torch.ones(C, device=D), r(C), r(C), True), bne=lambda: F.batch_norm(x, torch.zeros(C, device=D), torch.ones(C, device=D), r(C), r(C), False),
                    bn0=lambda: F.batch_norm(x, None, None, None, None, True), pr=lambda: F.prelu(x, r(C)), d2=lambda: F.dropout2d(x, .1), dr=lambda: F.dropout(x, .1), ad=lambda: F.alpha_dropout(x, .1),
                    fad=lambda: F.feature_alpha_dropout(x, .1), mean=lambda: x.mean((2, 3)), meank=lambda: x.mean((2, 3), keepdim=True), sumc=lambda: x.sum(1), sum0=lambda: x.sum((0, 2, 3)), var=lambda: x.var((2, 3)), amax=lambda: x.amax((2, 3)),
                    se=lambda: x * F.conv2d(F.silu(F.conv2d(x.mean((2, 3), keepdim=True), r(8, C, 1, 1), r(8))), r(C, 8, 1, 1), r(C)).sigmoid(), flat=lambda: F.linear(x.flatten(1), r(10, C * S * S)), perm=lambda: F.layer_norm(x.permute(0, 2, 3, 1), (C,), r(C), r(C)).permute(0, 3, 1, 2),
                    rmsp=lambda: F.rms_norm(x.permute(0, 2, 3, 1), (C,), r(C)), smc=lambda: x.softmax(1), lsmc=lambda: x.log_softmax(1), ce2=lambda: F.cross_entropy(x, i(C, B, S, S)), ce2w=lambda: F.cross_entropy(x, i(C, B, S, S), weight=torch.rand(C, device=D, dtype=dt)), ce2s=lambda: F.cross_entropy(x, i(C, B, S, S), label_smoothing=.1),
                    bce=lambda: F.binary_cross_entropy_with_logits(x, y.detach().sigmoid()), bcen=lambda: F.binary_cross_entropy_with_logits(x, y.detach().sigmoid(), reduction="none"), cat=lambda: torch.cat([x, y], 1), cat0=lambda: torch.cat([x, y], 0), stack=lambda: torch.stack([x, y], 1), roll=lambda: x.roll((1, 2), (2, 3)), flip=lambda: x.flip(3),
                    rot=lambda: torch.rot90(x, 1, (2, 3)), add=lambda: x + y.permute(0, 1, 3, 2), where=lambda: torch.where(x > 0, x, y), gelu=lambda: F.gelu(x), silu=lambda: F.silu(x), hsw=lambda: F.hardswish(x), lrelu=lambda: F.leaky_relu(x, .2), mish=lambda: F.mish(x), elu=lambda: F.elu(x), selu=lambda: F.selu(x), celu=lambda: F.celu(x), sp=lambda: F.softplus(x),
                    rrelu=lambda: F.rrelu(x, training=True), tanh=lambda: x.tanh(), glu=lambda: F.glu(x, 1), cum=lambda: x.cumsum(1), std=lambda: x.std(), norm=lambda: x.norm(), nrm=lambda: F.normalize(x, dim=1), gap=lambda: F.adaptive_avg_pool2d(x, 1).flatten(1) @ r(C, 9), dw=lambda: F.conv2d(x, r(C, 1, 3, 3), r(C), padding=1, groups=C),
                    gap2=lambda: F.relu(F.conv2d(F.adaptive_avg_pool2d(x, 1), r(8, C, 1, 1), r(8))), fin=lambda: torch.isfinite(x).all(), aff=lambda: F.grid_sample(x, F.affine_grid(r(B, 2, 3), (B, C, 8, 8))), chunk=lambda: x.chunk(2, 1)[0] * x.chunk(2, 1)[1].sigmoid(), fftn=lambda: torch.fft.rfft2(x.float()).abs(), ifft=lambda: torch.fft.irfft2(torch.fft.rfft2(x.float())), mpu=lambda: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2))
                for k, f in N.items():
                    yield f"{k} {dt} {big} {last}", f
            m, q, lab = r(n, w), r(n, w), i(w, n)
            v = r(B, C, 300)
            z = r(2, 8, 12, 20, 20)
            sq = torch.randn(5, 24, 24, device=D).requires_grad_(True)
            N = dict(
                ce=lambda: F.cross_entropy(m, lab), ces=lambda: F.cross_entropy(m, lab, label_smoothing=.1), cep=lambda: F.cross_entropy(m, q.detach().softmax(1)), cew=lambda: F.cross_entropy(m, lab, weight=torch.rand(w, device=D, dtype=dt)), cen=lambda: F.cross_entropy(m, lab, reduction="none"),
                mml=lambda: F.multi_margin_loss(m, lab), mlm=lambda: F.multilabel_margin_loss(m, i(w, n, w)), mls=lambda: F.multilabel_soft_margin_loss(m, torch.rand(n, w, device=D, dtype=dt)), hinge=lambda: F.hinge_embedding_loss(m, torch.ones_like(m)), kl=lambda: F.kl_div(m.log_softmax(1), q.softmax(1).detach(), reduction="batchmean"), kl2=lambda: F.kl_div(m.log_softmax(1), q.log_softmax(1), log_target=True), pois=lambda: F.poisson_nll_loss(m, q.detach().abs()), gnll=lambda: F.gaussian_nll_loss(m, q.detach(), q.abs()),
                l1=lambda: F.l1_loss(m, q), mse=lambda: F.mse_loss(m, q), msen=lambda: F.mse_loss(m, q, reduction="none"), sml=lambda: F.smooth_l1_loss(m, q), hub=lambda: F.huber_loss(m, q), trip=lambda: F.triplet_margin_loss(m, q, r(n, w)), cos=lambda: F.cosine_embedding_loss(m, q, torch.ones(n, device=D)), cossim=lambda: F.cosine_similarity(m, q), soft=lambda: F.soft_margin_loss(m, q.detach().sign()), bce=lambda: F.binary_cross_entropy(m.sigmoid(), q.detach().sigmoid()), bcew=lambda: F.binary_cross_entropy_with_logits(m, q.detach().sigmoid(), pos_weight=torch.rand(w, device=D, dtype=dt)), bceww=lambda: F.binary_cross_entropy_with_logits(m, q.detach().sigmoid(), weight=torch.rand(n, w, device=D, dtype=dt)), margin=lambda: F.margin_ranking_loss(m, q, q.detach().sign()),
                nll=lambda: F.nll_loss(m.log_softmax(1), lab), ctc=lambda: F.ctc_loss(r(60, 4, 30).float().log_softmax(2), i(29, 4, 12) + 1, torch.full((4,), 60), torch.full((4,), 12)),
                mp1=lambda: F.max_pool1d(v, 2), ap1=lambda: F.avg_pool1d(v, 2), mp3=lambda: F.max_pool3d(z, 2), ap3=lambda: F.avg_pool3d(z, 2), aap1=lambda: F.adaptive_avg_pool1d(v, 3), aap3=lambda: F.adaptive_avg_pool3d(z, 3), amp1=lambda: F.adaptive_max_pool1d(v, 3), amp3=lambda: F.adaptive_max_pool3d(z, 3), up1=lambda: F.interpolate(v, scale_factor=2, mode="linear"), upn1=lambda: F.interpolate(v, scale_factor=2), up3=lambda: F.interpolate(z, scale_factor=2, mode="trilinear"), upn3=lambda: F.interpolate(z, scale_factor=2), gs3=lambda: F.grid_sample(z, r(2, 4, 4, 4, 3)), rp1=lambda: F.pad(v, (1, 1), "reflect"), rep1=lambda: F.pad(v, (1, 1), "replicate"), rep3=lambda: F.pad(z, (1,) * 6, "replicate"), rp3=lambda: F.pad(z, (1,) * 6, "reflect"), bn1=lambda: F.batch_norm(v, torch.zeros(C, device=D), torch.ones(C, device=D), r(C), r(C), True), bn0=lambda: F.batch_norm(m, torch.zeros(w, device=D), torch.ones(w, device=D), r(w), r(w), True), bn3=lambda: F.batch_norm(z, torch.zeros(8, device=D), torch.ones(8, device=D), r(8), r(8), True), gn1=lambda: F.group_norm(v, 4), in1=lambda: F.instance_norm(v),
                ln=lambda: F.layer_norm(m, (w,), r(w), r(w)), lnp=lambda: F.layer_norm(m, (w,)), lnnb=lambda: F.layer_norm(m, (w,), r(w)), lnt=lambda: F.layer_norm(v.transpose(1, 2), (C,), r(C), r(C)), rms=lambda: F.rms_norm(m, (w,), r(w)), hsh=lambda: F.hardshrink(m), ssh=lambda: F.softshrink(m), tsh=lambda: F.tanhshrink(m), lsg=lambda: F.logsigmoid(m), gum=lambda: F.gumbel_softmax(m, hard=True), thr=lambda: F.threshold(m, .1, 1.), sm=lambda: m.softmax(1), sm0=lambda: m.softmax(0), smt=lambda: m.t().softmax(1), sm32=lambda: m.softmax(1, dtype=torch.float32), lsm=lambda: m.log_softmax(1), oh=lambda: F.one_hot(lab, w) * m, bil=lambda: F.bilinear(m[:, :24], q[:, :24], r(3, 24, 24)), pd=lambda: F.pairwise_distance(m, q), cd=lambda: torch.cdist(m[:, :60], q[:, :60]), cd1=lambda: torch.cdist(m[:20].float(), q[:20].float(), p=1), cdb=lambda: torch.cdist(v.float(), v.float().detach()), pdist=lambda: F.pdist(m[:20].float()), eb=lambda: F.embedding_bag(i(n, 40, 6), m), ebs=lambda: F.embedding_bag(i(n, 40, 6), m, mode="sum"), ebm=lambda: F.embedding_bag(i(n, 40, 6), m, mode="max"), emb=lambda: F.embedding(i(n, 40, 60), m), embp=lambda: F.embedding(i(n, 40, 100), m, padding_idx=0), embf=lambda: F.embedding(i(n, 5), m),
                stft=lambda: torch.stft(v.flatten(0, 1).float(), 64, hop_length=16, return_complex=True, window=torch.hann_window(64, device=D)).abs(), istft=lambda: torch.istft(torch.stft(v.flatten(0, 1).float(), 64, hop_length=16, return_complex=True, window=torch.hann_window(64, device=D)), 64, 16, window=torch.hann_window(64, device=D)), fft=lambda: torch.fft.fft(m.float()).real, fftn=lambda: torch.fft.fftn(v.float()).real, rfft=lambda: torch.fft.irfft(torch.fft.rfft(m.float())),
                svd=lambda: torch.linalg.svd(sq, full_matrices=False)[1], qr=lambda: torch.linalg.qr(sq)[0], inv=lambda: torch.linalg.inv(sq), solve=lambda: torch.linalg.solve(sq, sq.detach()), det=lambda: torch.linalg.det(sq), slog=lambda: torch.slogdet(sq)[1], chol=lambda: torch.linalg.cholesky(sq @ sq.mT + 30 * torch.eye(24, device=D)), eigh=lambda: torch.linalg.eigh(sq @ sq.mT)[0], pinv=lambda: torch.linalg.pinv(sq), mexp=lambda: torch.matrix_exp(sq), tri=lambda: torch.linalg.solve_triangular(sq, sq.detach(), upper=True), lst=lambda: torch.linalg.lstsq(sq.detach(), sq.detach())[0], mn=lambda: torch.linalg.matrix_norm(sq), mn2=lambda: torch.linalg.matrix_norm(sq, 2), cross=lambda: torch.cross(m[:, :3], q[:, :3], dim=1), bmm=lambda: torch.bmm(sq, sq), mt=lambda: m.t() @ q, mpow=lambda: torch.linalg.matrix_power(sq, 3),
                cums=lambda: m.cumsum(1), cums0=lambda: m.cumsum(0), cump=lambda: m.cumprod(1), lce=lambda: m.logcumsumexp(1), cmax=lambda: m.cummax(1)[0], cmin=lambda: m.cummin(1)[0], cumv=lambda: m.flatten().cumsum(0), cumb=lambda: (m > 0).cumsum(1), cumi=lambda: i(9, n, w).cumsum(0), srt=lambda: m.sort(1)[0], srt0=lambda: m.sort(0)[0], srtv=lambda: m.flatten().sort()[0], srts=lambda: torch.sort(m, dim=1, stable=True, descending=True)[0], topk=lambda: m.topk(5)[0], topk1=lambda: m.topk(1)[0], topk0=lambda: m.topk(3, 0)[0], topkv=lambda: m.flatten().topk(20)[0], kth=lambda: m.kthvalue(2)[0], med=lambda: m.median(1)[0], medv=lambda: m.median(), mode=lambda: m.mode(1)[0], nmed=lambda: m.nanmedian(), qt=lambda: m.float().quantile(.5), qtd=lambda: m.float().quantile(torch.tensor([.1, .9], device=D), dim=1), nmean=lambda: m.nanmean(), nsum=lambda: m.nansum(), histc=lambda: torch.histc(m.detach().float(), 40), bc=lambda: torch.bincount(lab), bcm=lambda: torch.bincount(lab, minlength=w), bcw=lambda: torch.bincount(lab, torch.rand(n, device=D)), uniq=lambda: torch.unique(lab), uniqi=lambda: torch.unique(lab, return_inverse=True, return_counts=True), uniqc=lambda: torch.unique_consecutive(lab), uniqd=lambda: torch.unique(i(3, n, 2), dim=0), argm=lambda: m.argmax(1), argmv=lambda: m.argmax(), args=lambda: m.argsort(1), argsi=lambda: lab.argsort(), mx=lambda: m.max(1)[0], mxv=lambda: m.max(), mmx=lambda: torch.maximum(m, q), amm=lambda: m.detach().aminmax()[0], ammd=lambda: m.detach().aminmax(dim=1)[0], prod=lambda: m.prod(), prod1=lambda: m.prod(1), lse=lambda: m.logsumexp(1), std=lambda: m.std(1), varm=lambda: torch.var_mean(m, 0)[0], vn=lambda: torch.linalg.vector_norm(m, dim=1), vni=lambda: torch.linalg.vector_norm(m, float("inf")), n1=lambda: m.norm(1), n0=lambda: m.norm(dim=0), any=lambda: (m > 9).any(), anyd=lambda: (m > 9).any(1), all=lambda: (m < 9).all(), cnt=lambda: torch.count_nonzero(m), cntd=lambda: torch.count_nonzero(m, 1), sumb=lambda: (m > 0).sum(), sumb1=lambda: (m > 0).sum(1), sumi=lambda: lab.sum(), meanf=lambda: (lab == 1).float().mean(), eqm=lambda: (m.argmax(1) == lab).sum(), trace=lambda: m.trace(), diag=lambda: m.diagonal().sum(), dem=lambda: torch.diag_embed(m[:20, :20]), diagm=lambda: torch.diag(m[0]),
                ein=lambda: torch.einsum("ij,kj->ik", m, q), ein3=lambda: torch.einsum("bct,bdt->bcd", v, v), td=lambda: torch.tensordot(m, q, dims=([1], [1])), kron=lambda: torch.kron(m[:8, :8], q[:8, :8]), outer=lambda: torch.outer(m[0], q[0]), mv=lambda: m @ q[0], dot=lambda: torch.dot(m[0], q[0]), addr=lambda: torch.addr(m, m[:, 0], q[0]), addmv=lambda: torch.addmv(m[:, 0], m, q[0]), badd=lambda: torch.baddbmm(r(B, C, C), v, v.mT),
                sca=lambda: m.scatter_add(1, i(w, n, 5), q[:, :5]), scav=lambda: m.scatter(1, i(w, n, 5), 1.), scas=lambda: m.scatter(1, i(w, n, 5), q[:, :5]), scr=lambda: m.scatter_reduce(1, i(w, n, 5), q[:, :5], "amax"), scrm=lambda: m.scatter_reduce(1, i(w, n, 5), q[:, :5], "mean"), scrs=lambda: m.scatter_reduce(1, i(w, n, 5), q[:, :5], "sum"), scrp=lambda: m.float().scatter_reduce(1, i(w, n, 5), q[:, :5].float(), "prod"), gat=lambda: m.gather(1, i(w, n, 5)), ia=lambda: m.index_add(0, i(n, 30), q[:30]), ic=lambda: m.index_copy(0, torch.arange(30, device=D), q[:30]), ifl=lambda: m.index_fill(0, i(n, 30), 1.), isel=lambda: m.index_select(0, i(n, 30)), isel1=lambda: m.index_select(1, i(w, 30)), take=lambda: m.take(i(n * w, 30)), taked=lambda: m.take_along_dim(i(w, n, 4), 1), ipa=lambda: m.index_put((i(n, 30),), q[:30], accumulate=True), ip=lambda: m.index_put((i(n, 30),), q[:30]), ip2=lambda: m.index_put((i(n, 30), i(w, 30)), q[0, :30]), idx=lambda: m[i(n, 30)], idx2=lambda: m[i(n, 30), i(w, 30)], idxb=lambda: m[m > 0], idxb1=lambda: m[lab > w // 2], setb=lambda: torch.zeros_like(m).masked_fill_(m > 0, 2.), setx=lambda: torch.zeros_like(m).index_put_((m > 1,), torch.tensor(1., device=D, dtype=dt)), msel=lambda: m.masked_select(m > 0), msc=lambda: m.masked_scatter(m > 0, q.detach()), nz=lambda: (m > 0).nonzero(), nzt=lambda: torch.where(m > 0)[0], ri=lambda: m.repeat_interleave(2, 0), rit=lambda: m[:20].repeat_interleave(i(3, 20) + 1, 0), tile=lambda: m.tile(2), rpt=lambda: m.repeat(2, 2), roll=lambda: m.roll(1, 1), renorm=lambda: m.renorm(2, 0, 1.), ss=lambda: torch.searchsorted(m[0].detach().sort()[0], q.detach()), buck=lambda: torch.bucketize(q.detach(), m[0].detach().sort()[0]), uf=lambda: m.unfold(1, 3, 1), diff=lambda: m.diff(), tril=lambda: m.tril(), cart=lambda: torch.cartesian_prod(m[0, :20], q[0, :20]), comb=lambda: torch.combinations(m[0, :20]), mesh=lambda: torch.stack(torch.meshgrid(torch.arange(9, device=D), torch.arange(9, device=D), indexing="ij")), isin=lambda: torch.isin(lab, lab[:5]), isinl=lambda: torch.isin(lab, torch.arange(200, device=D)), i0=lambda: torch.special.i0(m.float()), sinc=lambda: m.sinc(), xlogy=lambda: torch.xlogy(m, q.abs()), lndt=lambda: torch.special.log_ndtr(m.float()), erfi=lambda: m.erfinv(), lerp=lambda: m.lerp(q, .5), lae=lambda: torch.logaddexp(m, q), powt=lambda: m.abs() ** q, pow2=lambda: m ** 2, pows=lambda: 2 ** m, clampt=lambda: m.clamp(q, q + 1), clampm=lambda: m.clamp(min=0), round=lambda: m.round(), fmod=lambda: m.fmod(.5), nan=lambda: m.nan_to_num(), cmplx=lambda: torch.view_as_real(torch.polar(m.float().abs(), q.float())), vac=lambda: torch.view_as_complex(m.float().reshape(n, -1, 2)).abs(), rope=lambda: torch.view_as_real(torch.view_as_complex(m.float().reshape(n, -1, 2)) * torch.polar(torch.ones(n, w // 2, device=D), torch.ones(n, w // 2, device=D))),
                mult=lambda: torch.multinomial(m.detach().float().softmax(1), 4), mult1=lambda: torch.multinomial(m.detach().softmax(1), 1), multr=lambda: torch.multinomial(m.detach().float().softmax(1), 4, replacement=True), mult1r=lambda: torch.multinomial(m[0].detach().float().softmax(0), 50, replacement=True), bern=lambda: torch.bernoulli(m.detach().sigmoid()), poisr=lambda: torch.poisson(m.detach().float().abs()), normd=lambda: torch.distributions.Normal(m, 1.).rsample(), beta=lambda: torch.distributions.Beta(m.float().exp(), q.float().exp()).rsample(), gam=lambda: torch.distributions.Gamma(m.float().exp(), q.float().exp()).rsample(), diri=lambda: torch.distributions.Dirichlet(m.float().exp()).rsample(), catg=lambda: torch.distributions.Categorical(logits=m).entropy(), cats=lambda: torch.distributions.Categorical(logits=m).sample(), rperm=lambda: torch.randperm(n * 50, device=D), rint=lambda: torch.randint(0, 5, (n,), device=D), expo=lambda: torch.empty(n, device=D).exponential_(), dro=lambda: F.dropout(m, .1), wn=lambda: torch._weight_norm(m, r(n, 1), 0), wnc=lambda: torch._weight_norm(r(24, 8, 5), r(24, 1, 1), 0),
                tocpu=lambda: m.cpu().sum(), toh=lambda: m.half().float(), ty=lambda: m.double(), cl=lambda: m.t().contiguous(), clone=lambda: m.t().clone(), item=lambda: m.sum().item(), tol=lambda: lab.tolist(), isn=lambda: torch.isnan(m).any().item(), eq=lambda: torch.equal(m, q), alc=lambda: torch.allclose(m, q), lin=lambda: F.linear(m, r(40, w), r(40)), lin3=lambda: F.linear(v.mT, r(40, C), r(40)), lint=lambda: F.linear(v.permute(2, 0, 1), r(40, C), r(40)), lin0=lambda: F.linear(m, r(40, w)), lin1=lambda: F.linear(m, r(1, w), r(1)), conv1=lambda: F.conv1d(v, r(24, C, 3), r(24), padding=1), mha=lambda: F.multi_head_attention_forward(v.permute(2, 0, 1)[:40], v.permute(2, 0, 1)[:40], v.permute(2, 0, 1)[:40], C, 4, r(3 * C, C), r(3 * C), None, None, False, 0.1, r(C, C), r(C), True)[0],
                norms=lambda: torch.nn.utils.get_total_norm([m, q, v]), lstmc=lambda: torch.lstm_cell(r(32, 24), (r(32, 40), r(32, 40)), r(160, 24), r(160, 40), r(160), r(160))[0], gruc=lambda: torch.gru_cell(r(32, 24), r(32, 40), r(120, 24), r(120, 40), r(120), r(120)), rnnc=lambda: torch.rnn_tanh_cell(r(32, 24), r(32, 40), r(40, 24), r(40, 40), r(40), r(40)))
            for k, f in N.items():
                yield f"{k} {dt} {big}", f
        for b, h, hk, s, t, d in ((2, 8, 8, 128, 128, 64), (2, 8, 2, 100, 100, 64), (1, 4, 4, 77, 50, 40), (3, 6, 6, 1, 60, 32), (2, 4, 4, 130, 130, 80), (1, 2, 2, 64, 64, 128), (1, 2, 2, 64, 64, 256), (2, 3, 3, 50, 50, 20)):
            for mask in (0, 1, 2):
                for causal in (0, 1):
                    for drop in (0, .1):
                        if mask and causal:
                            continue
                        Q, K, V = r(b, s, h, d), r(b, t, hk, d), r(b, t, hk, d)
                        a = None if not mask else torch.ones(b, 1, s, t, dtype=torch.bool, device=D) if mask == 1 else torch.zeros(s, t, dtype=dt, device=D)
                        yield f"sdpa {dt} {(b, h, hk, s, t, d)} {mask} {causal} {drop}", lambda: F.scaled_dot_product_attention(Q.transpose(1, 2), K.transpose(1, 2), V.transpose(1, 2), a, drop, bool(causal), enable_gqa=h != hk)
        for length in (5, 900, 2000, 5000, 20000, 100000):
            for rows in (1, 2, 4, 40, 130, 300):
                if length * rows <= 4000000:
                    u = torch.randn(rows, length, device=D).to(dt)
                    yield f"sort {dt} {rows} {length}", lambda: (u.sort(1), u.sort(0) if rows > 1 else 0, u.topk(3), u.cumsum(1), u.argsort(1, descending=True), torch.sort(u, dim=1, stable=True), u.cumsum(0), u.topk(min(50, length)), u.to(torch.int64).sort(1) if dt == torch.float32 else 0) and None
    for make in (lambda p: torch.optim.ASGD(p), lambda p: torch.optim.ASGD(p, foreach=False), lambda p: torch.optim.Adafactor(p), lambda p: torch.optim.Adafactor(p, foreach=True), lambda p: torch.optim.Adam(p, capturable=True), lambda p: torch.optim.Adam(p, fused=True), lambda p: torch.optim.Adam(p, fused=True, amsgrad=True), lambda p: torch.optim.AdamW(p, amsgrad=True), lambda p: torch.optim.SGD(p, .1, momentum=.9, fused=True), lambda p: torch.optim.SGD(p, .1, momentum=.9, nesterov=True, weight_decay=.1), lambda p: torch.optim.SGD(p, .1, momentum=.9, foreach=False, weight_decay=.1), lambda p: torch.optim.Adagrad(p, fused=False), lambda p: torch.optim.Adadelta(p), lambda p: torch.optim.RAdam(p), lambda p: torch.optim.NAdam(p), lambda p: torch.optim.Rprop(p), lambda p: torch.optim.RMSprop(p, centered=True, momentum=.9), lambda p: torch.optim.Adamax(p), lambda p: torch.optim.Muon([x for x in p if x.dim() == 2], lr=.1), lambda p: torch.optim.Adam(p, lr=torch.tensor(.1)), lambda p: torch.optim.Adam(p, lr=torch.tensor(.1, device=D)), lambda p: torch.optim.AdamW(p, foreach=False)):
        p = [nn.Parameter(torch.randn(*s, device=D)) for s in ((300, 200), (200,), (64, 64))]
        o = make(p)

        def step():
            for _ in range(2):
                for x in p:
                    x.grad = torch.randn_like(x)
                torch.nn.utils.clip_grad_norm_(p, 1.)
                o.step()
        yield f"optimizer {type(o).__name__} {o.defaults}", step


def main(path):
    begin, failed = time.time(), []
    torch.cuda.init()

    with gzip.open(path, "wt") as out:
        watch = Watch(out)
        generate = cases()
        for name, call in generate:
            watch.case = name
            if time.time() - begin > float(sys.argv[2]):
                print("stopped at", name)
                break
            try:
                with watch:
                    result = call()
                    if isinstance(result, torch.Tensor) and result.requires_grad and result.is_floating_point():
                        result.float().sum().backward()
            except Exception as e:
                failed.append((name, type(e).__name__, str(e)[:90]))
    print(len(SEEN), "operations,", round(time.time() - begin), "s,", len(failed), "failed")
    for f in failed[:60]:
        print(*f)


main(sys.argv[1])
