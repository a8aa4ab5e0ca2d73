"""What cuDNN and the attention kernels take: usage: libraries.py KIND OUTFILE SECONDS [PART OF]; KIND is convolutions, recurrent or attention.

A convolution's key is dimensions|batch|in|out|kernel|stride|padding|dilation|groups|spatial|options; its rows have one forward and backward for each dtype."""
import sys, os, random
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measured import *
import torch.nn as nn, torch.nn.functional as F

DT = dict(float32=torch.float32, float16=torch.float16, bfloat16=torch.bfloat16, float64=torch.float64)

def convolutions():
    """The layers of well-known networks first, then any"""
    out, r = [], random.Random(3)
    def c(d, n, i, o, k, s, p, di, g, sp, t=0, cl=0, bias=1, xg=1): out.append((d, n, i, o, k, s, p, di, g, sp, t, cl, bias, xg))
    for n in (1, 8, 32):                                       # ResNet
        for cl in (0, 1):
            c(2, n, 3, 64, 7, 2, 3, 1, 1, 224, cl=cl, bias=0, xg=0)
            for w, sp in ((64, 56), (128, 28), (256, 14), (512, 7)):
                c(2, n, w, w, 3, 1, 1, 1, 1, sp, cl=cl, bias=0); c(2, n, w, w, 1, 1, 0, 1, 1, sp, cl=cl, bias=0); c(2, n, w, 4 * w, 1, 1, 0, 1, 1, sp, cl=cl, bias=0); c(2, n, 4 * w, w, 1, 1, 0, 1, 1, sp, cl=cl, bias=0)
                if sp > 7: c(2, n, 2 * w, 2 * w, 3, 2, 1, 1, 1, sp, cl=cl, bias=0); c(2, n, 4 * w, 8 * w, 1, 2, 0, 1, 1, sp, cl=cl, bias=0)
    for n in (4, 16):                                          # depthwise, MobileNet and EfficientNet, ConvNeXt, patches, UNet, DCGAN
        for w, k, s, sp in ((32, 3, 1, 112), (96, 3, 2, 112), (144, 3, 1, 56), (192, 5, 2, 28), (384, 3, 1, 14), (576, 5, 1, 14), (960, 3, 1, 7), (96, 7, 1, 56), (192, 7, 1, 28), (384, 7, 1, 14)): c(2, n, w, w, k, s, k // 2, 1, w, sp, bias=int(k == 7))
        c(2, n, 3, 768, 16, 16, 0, 1, 1, 224, xg=0); c(2, n, 3, 96, 4, 4, 0, 1, 1, 224, xg=0); c(2, n, 3, 32, 3, 2, 1, 1, 1, 224, bias=0, xg=0)
        for w, sp in ((64, 64), (128, 32), (256, 16), (512, 8)): c(2, n, w, w, 3, 1, 1, 1, 1, sp); c(2, n, w, 2 * w, 3, 1, 1, 1, 1, sp); c(2, n, 2 * w, w, 3, 1, 1, 1, 1, sp); c(2, n, w, w, 3, 2, 1, 1, 1, sp); c(2, n, 2 * w, w, 2, 2, 0, 1, 1, sp, t=1); c(2, n, w, w // 2, 4, 2, 1, 1, 1, sp, t=1, bias=0); c(2, n, w, 2 * w, 4, 2, 1, 1, 1, sp, bias=0)
        c(2, n, 100, 512, 4, 1, 0, 1, 1, 1, t=1, bias=0); c(2, n, 512, 1, 4, 1, 0, 1, 1, 4, bias=0); c(2, n, 3, 64, 4, 2, 1, 1, 1, 64, bias=0); c(2, n, 64, 3, 4, 2, 1, 1, 1, 32, t=1, bias=0); c(2, n, 1, 32, 3, 1, 1, 1, 1, 28, xg=0); c(2, n, 32, 64, 3, 1, 0, 1, 1, 26); c(2, n, 1, 6, 5, 1, 0, 1, 1, 28, xg=0); c(2, n, 6, 16, 5, 1, 0, 1, 1, 14)
        for k in (1, 3, 5): c(1, n, 64, 128, k, 1, k // 2, 1, 1, 256); c(1, n, 128, 128, k, 1, k // 2, 2, 1, 100)
        c(1, n, 3, 64, 1, 1, 0, 1, 1, 1024); c(1, n, 64, 1024, 1, 1, 0, 1, 1, 1024); c(1, n, 64, 32, 4, 2, 1, 1, 1, 64, t=1); c(3, n, 1, 16, 3, 1, 1, 1, 1, 16, xg=0); c(3, n, 16, 32, 3, 2, 1, 1, 1, 16); c(3, n, 32, 16, 2, 2, 0, 1, 1, 8, t=1)
    for _ in range(1500):
        d = r.choice([1, 2, 2, 2, 2, 3]); g = 1 if r.random() < .75 else r.choice([2, 4]); i = r.choice([3, 4, 8, 16, 32, 48, 64, 96, 128, 256, 512]); o = r.choice([8, 16, 32, 48, 64, 96, 128, 256, 512]); t = int(r.random() < .2)
        if d == 3: i, o = min(i, 64), min(o, 64)
        if i % g or o % g: g = 1
        if r.random() < .08: g = o = i
        k = r.choice([1, 2, 3, 3, 3, 4, 5, 7]); s = r.choice([1, 1, 1, 2, 2, 3]); p = r.choice([0, k // 2, k // 2, 1]); di = 2 if r.random() < .1 else 1
        sp = r.choice({1: [16, 64, 100, 333, 1024], 2: [7, 8, 14, 16, 28, 31, 32, 56, 64, 112], 3: [6, 8, 12, 16]}[d])
        if sp + 2 * p < di * (k - 1) + 1: continue
        c(d, r.choice([1, 2, 4, 7, 8, 16, 32, 64] if d < 3 else [1, 2, 4, 8]), i, o, k, s, p, di, g, sp, t, int(d == 2 and r.random() < .2), int(r.random() < .6), int(r.random() < .85))
    return out

def conv_case(q, dtype):
    d, n, i, o, k, s, p, di, g, sp, t, cl, bias, xg = q
    def build():
        f = getattr(F, f'conv{"_transpose" if t else ""}{d}d'); form = torch.channels_last if cl else torch.contiguous_format; some = lambda *s: torch.empty(s, device=dev, dtype=dtype, memory_format=form if len(s) == 4 else torch.contiguous_format).fill_(.1)
        x = some(n, i, *[sp] * d).requires_grad_(bool(xg)); w = some(*([i, o // g] if t else [o, i // g]), *[k] * d).requires_grad_(True); b = some(o).requires_grad_(True) if bias else None
        kw = dict(stride=s, padding=p, dilation=di, groups=g)
        return (lambda: f(x, w, b, **kw)), {}
    return build

def recurrent():
    out, r = [], random.Random(5)
    for kind in ('LSTM', 'GRU', 'RNN'):
        for T, B, I, H in ((20, 16, 32, 64), (35, 20, 200, 200), (35, 20, 650, 650), (50, 32, 256, 512), (10, 64, 128, 256), (1, 8, 16, 32), (100, 1, 64, 64), (64, 128, 300, 1024)):
            for L, bi in ((1, 0), (2, 0), (1, 1), (2, 1)): out.append((kind, T, B, I, H, L, bi, 1, 0, 0., 0, 0))
        out.append((kind, 20, 16, 32, 64, 2, 0, 1, 0, .5, 0, 0)); out.append((kind, 20, 16, 32, 64, 2, 0, 1, 1, 0., 0, 0)); out.append((kind, 20, 16, 32, 64, 1, 0, 0, 0, 0., 0, 0)); out.append((kind, 20, 16, 32, 64, 1, 0, 1, 0, 0., 1, 0)); out.append((kind, 20, 16, 32, 64, 2, 1, 1, 0, 0., 1, 0))
    for pr in (8, 24): out.append(('LSTM', 20, 16, 32, 64, 2, 0, 1, 0, 0., 0, pr))
    for _ in range(250):
        out.append((r.choice(['LSTM', 'GRU', 'RNN']), r.choice([1, 3, 10, 33, 64, 128, 200]), r.choice([1, 2, 7, 16, 32, 64, 100, 256]), r.choice([1, 10, 32, 64, 100, 256, 512]), r.choice([8, 20, 32, 64, 100, 128, 200, 256, 512, 1024]), r.choice([1, 1, 2, 3]), int(r.random() < .3), int(r.random() < .9), int(r.random() < .4), r.choice([0., 0., 0., .2]), int(r.random() < .2), 0))
    return out

def rnn_case(q, mode):
    kind, T, B, I, H, L, bi, bias, bf, drop, packed, proj = q
    def build():
        net = fill(getattr(nn, kind)(I, H, L, bias=bool(bias), batch_first=bool(bf), dropout=drop, bidirectional=bool(bi), **({'proj_size': proj} if proj else {}))).to(dev)
        dt = DT.get(mode.split('-')[-1], torch.float32) if 'native' in mode else torch.float32
        net = net.to(dt).train('eval' not in mode)
        x = value([B, T, I] if bf else [T, B, I], 1).to(dev, dt).requires_grad_('eval' not in mode)
        leaves = dict(net.named_parameters(), x=x)
        if packed:
            lengths = [max(1, T - 2 * b) for b in range(B)]
            return (lambda: net(nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=bool(bf), enforce_sorted=False))[0].data), leaves
        return (lambda: net(x)), leaves
    return build

def attention():
    out, r = [], random.Random(7)
    for D in (8, 16, 24, 32, 40, 64, 80, 96, 100, 128, 160, 192, 256, 264):
        for L in (64, 100, 256):
            for mask in ('none', 'causal'): out.append((2, 4, 4, L, L, D, mask, 0., 'default'))
    for backend in ('default', 'math', 'flash', 'efficient', 'cudnn'):
        for B, H, K, L, S, D in ((4, 8, 8, 64, 64, 64), (2, 12, 12, 1024, 1024, 64), (2, 8, 2, 128, 128, 64), (2, 8, 8, 1, 200, 64), (2, 8, 8, 77, 130, 80), (2, 8, 8, 200, 77, 64), (1, 1, 1, 17, 17, 33), (8, 16, 16, 512, 512, 128)):
            for mask in ('none', 'causal', 'bool', 'float', 'key', 'expanded', 'maskgrad'):
                for p in (0., .1): out.append((B, H, K, L, S, D, mask, p, backend))
    for _ in range(400):
        H = r.choice([1, 2, 4, 8, 12]); K = H if r.random() < .75 else r.choice([x for x in (1, 2, 4, 6, 12) if H % x == 0]); L = r.choice([1, 7, 16, 50, 64, 77, 100, 128, 200, 256, 333, 512, 1000]); S = L if r.random() < .7 else r.choice([1, 10, 64, 77, 128, 300])
        out.append((r.choice([1, 2, 3, 8]), H, K, L, S, r.choice([8, 16, 20, 32, 40, 48, 64, 64, 72, 80, 96, 128, 200, 256]), r.choice(['none', 'none', 'causal', 'bool', 'float', 'key', 'expanded', 'maskgrad', 'transposed']), r.choice([0., 0., .2]), r.choice(['default', 'default', 'default', 'math'])))
    return out

def attention_case(q, dtype, grad):
    from torch.nn.attention import sdpa_kernel, SDPBackend
    B, H, K, L, S, D, mask, p, backend = q
    def build():
        def t(h, l, seed):
            v = value([B, l, h, D] if mask == 'transposed' else [B, h, l, D], seed).to(dev, dtype).requires_grad_(grad)
            return v
        a, b, c = t(H, L, 1), t(K, S, 2), t(K, S, 3); m = None; leaves = dict(q=a, k=b, v=c)
        if mask == 'bool': m = (value([L, S], 4) > -.3); m[:, 0] = True; m = m.to(dev)
        if mask == 'float': m = value([L, S], 4).to(dev, dtype)
        if mask == 'key': m = (value([B, 1, 1, S], 4) > -.3); m[..., 0] = True; m = m.to(dev)
        if mask == 'expanded': m = value([B, H, L, S], 4).to(dev, dtype)
        if mask == 'maskgrad': m = value([1, H, L, S], 4).to(dev, dtype).requires_grad_(grad); leaves['m'] = m
        kw = dict(attn_mask=m, dropout_p=p, is_causal=mask == 'causal', enable_gqa=H != K)
        which = dict(math=SDPBackend.MATH, flash=SDPBackend.FLASH_ATTENTION, efficient=SDPBackend.EFFICIENT_ATTENTION, cudnn=SDPBackend.CUDNN_ATTENTION).get(backend)
        def call():
            x, y, z = (a.transpose(1, 2), b.transpose(1, 2), c.transpose(1, 2)) if mask == 'transposed' else (a, b, c)
            if which is None: return F.scaled_dot_product_attention(x, y, z, **kw)
            with sdpa_kernel(which): return F.scaled_dot_product_attention(x, y, z, **kw)
        return call, leaves
    return build

def chosen(q, dtype, grad):
    """The backend that PyTorch takes: as its own selection says"""
    if fake: return None
    call, leaves = attention_case(q, dtype, grad)(); B, H, K, L, S, D, mask, p, backend = q
    a, b, c = leaves['q'], leaves['k'], leaves['v']
    if mask == 'transposed': a, b, c = a.transpose(1, 2), b.transpose(1, 2), c.transpose(1, 2)
    m = {'bool': lambda: torch.ones(L, S, dtype=torch.bool, device=dev), 'float': lambda: torch.zeros(L, S, device=dev, dtype=dtype), 'key': lambda: torch.ones(B, 1, 1, S, dtype=torch.bool, device=dev), 'expanded': lambda: torch.zeros(B, H, L, S, device=dev, dtype=dtype), 'maskgrad': lambda: leaves['m']}.get(mask, lambda: None)()
    return int(torch._fused_sdp_choice(a, b, c, attn_mask=m, dropout_p=p, is_causal=mask == 'causal', enable_gqa=H != K))

if __name__ == '__main__':
    kind = sys.argv[1]; rows = Rows(sys.argv[2], float(sys.argv[3]), kind=kind); part, of = (int(x) for x in sys.argv[4:6]) if len(sys.argv) > 4 else (0, 1)
    for i, q in enumerate(dict(convolutions=convolutions, recurrent=recurrent, attention=attention)[kind]()):
        if i % of != part: continue
        if rows.over(): break
        if kind == 'convolutions':
            for dtype in ('float32', 'float16', 'bfloat16') if i % 3 == 0 or i < 200 else ('float32', 'float16'):
                rows.add('|'.join(map(str, q)) + f'|{dtype}', conv_case(q, DT[dtype]), values=False, q=q, mode=dtype)
        elif kind == 'recurrent':
            for mode in ('train-float32', 'eval-float32', 'autocast-float16', 'autocast-bfloat16', 'native-float16') if i % 2 == 0 or i < 110 else ('train-float32', 'native-float16'):
                rows.add('|'.join(map(str, q)) + f'|{mode}', rnn_case(q, mode), DT[mode[9:]] if 'autocast' in mode else None, 'eval' not in mode, q[4] <= 256 and q[1] <= 64, q=q, mode=mode)
        else:
            for dtype in ('float32', 'bfloat16', 'float16'):
                for grad in (True, False):
                    try: choice = chosen(q, DT[dtype], grad) if q[-1] == 'default' else None
                    except Exception as e: choice = str(e)[:100]
                    rows.add('|'.join(map(str, q)) + f'|{dtype}|{"grad" if grad else "nograd"}', attention_case(q, DT[dtype], grad), None, grad, q=q, mode=dtype, choice=choice)
    rows.end()
