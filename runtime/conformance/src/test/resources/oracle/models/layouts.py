"""Orders of memory: usage: layouts.py OUT PART PARTS (every PARTS-th expression from PART on); what each expression takes from the allocator, forward and backward, and the strides of results and gradients, of inputs whose channels lie side by side or not"""
import sys, os, json, gzip
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measured import *
import torch.nn as nn, torch.nn.functional as F
CL = torch.channels_last
N, C, H, W = 4, 8, 6, 10
def m(make):
    def f(x): return make.to(dev)(x)
    return f
U = {}
for n in 'relu sigmoid tanh exp log1p sqrt abs neg square sin erf rsqrt reciprocal'.split(): U[n] = (lambda n: lambda x: getattr(torch, n)(x.abs() + 1 if n in ('log1p', 'sqrt', 'rsqrt') else x))(n)
for n in 'gelu silu elu leaky_relu hardtanh relu6 hardswish hardsigmoid mish softplus selu celu logsigmoid softsign softshrink hardshrink tanhshrink'.split(): U[n] = (lambda n: lambda x: getattr(F, n)(x))(n)
U['gelu_tanh'] = lambda x: F.gelu(x, approximate='tanh')
U['threshold'] = lambda x: F.threshold(x, .1, 2.)
U['glu'] = lambda x: F.glu(x, 1)
for n in 'relu silu elu hardswish leaky_relu relu6 mish hardsigmoid'.split(): U[n + '_inplace'] = (lambda n: lambda x: getattr(F, n)(x * 1, inplace=True))(n)
U['prelu'] = lambda x: F.prelu(x, torch.full((C,), .25, device=dev))
U['dropout'] = lambda x: F.dropout(x, .5, True)
U['dropout2d'] = lambda x: F.dropout2d(x, .5, True)
U['max_pool2d'] = lambda x: F.max_pool2d(x, 2); U['max_pool2d_3_2_1'] = lambda x: F.max_pool2d(x, 3, 2, 1); U['avg_pool2d'] = lambda x: F.avg_pool2d(x, 2); U['avg_pool2d_3_1_1'] = lambda x: F.avg_pool2d(x, 3, 1, 1)
U['lp_pool2d'] = lambda x: F.lp_pool2d(x.abs() + .1, 2, 2)
for s in ((1, 1), (2, 2), (1, 5), (3, 4), (6, 10)): U[f'adaptive_avg_{s[0]}_{s[1]}'] = (lambda s: lambda x: F.adaptive_avg_pool2d(x, s))(s)
for s in ((1, 1), (2, 2)): U[f'adaptive_max_{s[0]}_{s[1]}'] = (lambda s: lambda x: F.adaptive_max_pool2d(x, s))(s)
for mode in 'nearest bilinear bicubic nearest-exact area'.split(): U['up_' + mode] = (lambda mode: lambda x: F.interpolate(x, scale_factor=2, mode=mode))(mode)
U['down_bilinear'] = lambda x: F.interpolate(x, size=(3, 5), mode='bilinear')
for mode in 'constant reflect replicate circular'.split(): U['pad_' + mode] = (lambda mode: lambda x: F.pad(x, (1, 2, 1, 1), mode=mode))(mode)
U['pixel_shuffle'] = lambda x: F.pixel_shuffle(x, 2); U['pixel_unshuffle'] = lambda x: F.pixel_unshuffle(x, 2); U['channel_shuffle'] = lambda x: F.channel_shuffle(x, 2)
U['channel_shuffle_by_hand'] = lambda x: x.view(N, 2, C // 2, H, W).transpose(1, 2).reshape(N, C, H, W)
U['cat1'] = lambda x: torch.cat((x, x * 2), 1); U['cat0'] = lambda x: torch.cat((x, x * 2), 0); U['cat3'] = lambda x: torch.cat((x, x * 2), 3); U['cat_with_plain'] = lambda x: torch.cat((x, torch.zeros(N, 2, H, W, device=dev)), 1); U['cat_plain_first'] = lambda x: torch.cat((torch.zeros(N, 2, H, W, device=dev), x), 1)
U['stack'] = lambda x: torch.stack((x, x * 2), 0)
U['chunk_mul'] = lambda x: (lambda a, b: a * b)(*x.chunk(2, 1)); U['split_cat'] = lambda x: torch.cat(x.split(4, 1)[::-1], 1); U['narrow_conv'] = lambda x: x[:, :4] * 2
U['slice_space'] = lambda x: x[:, :, 1:-1, ::2] * 2
U['add_vector'] = lambda x: x + torch.ones(C, 1, 1, device=dev); U['mul_gate'] = lambda x: x * torch.sigmoid(x.mean((2, 3), keepdim=True)); U['gate_mul'] = lambda x: torch.sigmoid(x.mean((2, 3), keepdim=True)) * x; U['mul_gate_pool'] = lambda x: torch.sigmoid(F.adaptive_avg_pool2d(x, 1)) * x
U['add_time'] = lambda x: x + (torch.ones(N, C, device=dev) * 2)[:, :, None, None]
U['add_plain'] = lambda x: x + torch.zeros(N, C, H, W, device=dev); U['plain_add'] = lambda x: torch.zeros(N, C, H, W, device=dev) + x; U['add_self'] = lambda x: x + x * 2; U['sub_scalar'] = lambda x: 1 - x; U['add_in_place'] = lambda x: (x * 1).add_(torch.ones(N, C, H, W, device=dev)); U['plain_in_place'] = lambda x: torch.ones(N, C, H, W, device=dev).mul_(2).add_(x)
U['where'] = lambda x: torch.where(x > 0, x, torch.zeros_like(x)); U['clamp'] = lambda x: x.clamp(-.1, .1); U['pow'] = lambda x: x ** 2; U['maximum'] = lambda x: torch.maximum(x, torch.zeros_like(x)); U['lerp'] = lambda x: torch.lerp(x, torch.zeros_like(x), .3)
U['masked_fill'] = lambda x: x.masked_fill(x > 0, 0.)
for n, k in (('sum', {}), ('mean', {}), ('amax', {}), ('logsumexp', {})):
    for d in ((2, 3), (1,), (0, 2, 3)):
        for keep in (False, True): U[f'{n}_{"".join(map(str, d))}_{int(keep)}'] = (lambda n, d, keep: lambda x: getattr(torch, n)(x, d, keep))(n, d, keep)
U['var_23'] = lambda x: x.var((2, 3), keepdim=True); U['std_1'] = lambda x: x.std(1, keepdim=True); U['sum_all'] = lambda x: x.sum(); U['mean_all'] = lambda x: x.mean(); U['norm_1'] = lambda x: x.norm(dim=1, keepdim=True); U['normalize'] = lambda x: F.normalize(x, dim=1); U['max_1'] = lambda x: x.max(1, keepdim=True)[0]; U['cumsum'] = lambda x: x.cumsum(1)
U['softmax1'] = lambda x: F.softmax(x, 1); U['log_softmax1'] = lambda x: F.log_softmax(x, 1); U['softmax3'] = lambda x: F.softmax(x, 3)
U['flatten'] = lambda x: torch.flatten(x, 1) * 1; U['flatten2'] = lambda x: x.flatten(2).transpose(1, 2) * 1; U['flatten2_contiguous'] = lambda x: x.flatten(2).transpose(1, 2).contiguous(); U['permute'] = lambda x: x.permute(0, 2, 3, 1) * 1; U['permute_contiguous'] = lambda x: x.permute(0, 2, 3, 1).contiguous(); U['reshape'] = lambda x: x.reshape(N, C * H, W) * 1
U['permute_linear'] = lambda x: m(fill(nn.Linear(C, 16)))(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
U['permute_norm'] = lambda x: m(fill(nn.LayerNorm(C)))(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
U['clone'] = lambda x: x.clone(); U['contiguous'] = lambda x: x.contiguous(); U['to_last'] = lambda x: x.contiguous(memory_format=CL); U['half'] = lambda x: x.half(); U['double'] = lambda x: x.double(); U['detach_mul'] = lambda x: x * x.detach(); U['flip'] = lambda x: x.flip(3); U['roll'] = lambda x: x.roll((1, 2), (2, 3)); U['repeat'] = lambda x: x.repeat(1, 2, 1, 1); U['expand_as'] = lambda x: x.mean(1, keepdim=True).expand_as(x) * 1; U['unfold'] = lambda x: F.unfold(x, 3, 1, 1); U['interleave'] = lambda x: x.repeat_interleave(2, 1); U['tril'] = lambda x: x.tril(); U['gather'] = lambda x: x.gather(1, torch.zeros(N, 2, H, W, dtype=torch.int64, device=dev)); U['index_select'] = lambda x: x.index_select(1, torch.tensor([1, 0, 3], device=dev)); U['index'] = lambda x: x[torch.tensor([1, 0], device=dev)]; U['zeros_like'] = lambda x: torch.zeros_like(x) + x; U['randn_like'] = lambda x: torch.randn_like(x) * x; U['new_zeros'] = lambda x: x.new_zeros(x.shape) + x; U['squeeze'] = lambda x: x[:, :, :1, :1].squeeze(3) * 1
U['group_norm'] = lambda x: F.group_norm(x, 2, torch.ones(C, device=dev), torch.zeros(C, device=dev)); U['GroupNorm'] = m(fill(nn.GroupNorm(2, C))); U['GroupNorm1'] = m(fill(nn.GroupNorm(1, C))); U['GroupNorm_plain'] = m(nn.GroupNorm(2, C, affine=False))
U['InstanceNorm'] = m(fill(nn.InstanceNorm2d(C, affine=True))); U['InstanceNorm_plain'] = m(nn.InstanceNorm2d(C)); U['LocalResponseNorm'] = m(nn.LocalResponseNorm(3)); U['LayerNorm_all'] = m(fill(nn.LayerNorm((C, H, W))))
U['BatchNorm'] = m(fill(nn.BatchNorm2d(C))); U['BatchNorm_plain'] = m(nn.BatchNorm2d(C, affine=False)); U['BatchNorm_eval'] = m(fill(nn.BatchNorm2d(C)).eval()); U['BatchNorm_plain_eval'] = m(nn.BatchNorm2d(C, affine=False).eval()); U['BatchNorm_untracked'] = m(fill(nn.BatchNorm2d(C, track_running_stats=False)))
L = lambda mod: fill(mod).to(memory_format=CL)
U['conv'] = m(fill(nn.Conv2d(C, 16, 3, padding=1))); U['conv_last'] = m(L(nn.Conv2d(C, 16, 3, padding=1))); U['conv1_last'] = m(L(nn.Conv2d(C, 16, 1, bias=False))); U['conv_step_last'] = m(L(nn.Conv2d(C, 16, 3, 2, 1))); U['group_last'] = m(L(nn.Conv2d(C, C, 3, padding=1, groups=2))); U['depth_last'] = m(L(nn.Conv2d(C, C, 3, padding=1, groups=C))); U['depth'] = m(fill(nn.Conv2d(C, C, 3, padding=1, groups=C))); U['up_last'] = m(L(nn.ConvTranspose2d(C, 16, 2, 2))); U['up4_last'] = m(L(nn.ConvTranspose2d(C, 16, 4, 2, 1))); U['up_plain'] = m(fill(nn.ConvTranspose2d(C, 16, 2, 2))); U['conv_reflect_last'] = m(L(nn.Conv2d(C, 16, 3, padding=1, padding_mode='reflect'))); U['conv_single_out'] = m(L(nn.Conv2d(C, 1, 3, padding=1)))
U['conv_bn_relu'] = lambda x: F.relu(F.batch_norm(F.conv2d(x, torch.ones(C, C, 3, 3, device=dev).contiguous(memory_format=CL) * .1, padding=1), None, None, torch.ones(C, device=dev), torch.zeros(C, device=dev), True), inplace=True)
U['pool_conv_last'] = lambda x: m(L(nn.Conv2d(C, 16, 1)))(F.adaptive_avg_pool2d(x, 1)); U['pool_relu_conv_last'] = lambda x: torch.sigmoid(m(L(nn.Conv2d(16, C, 1)))(F.relu(m(L(nn.Conv2d(C, 16, 1)))(F.adaptive_avg_pool2d(x, 1))))) * x
U['grid_sample'] = lambda x: F.grid_sample(x, torch.zeros(N, 3, 3, 2, device=dev), align_corners=False)
U['cross_entropy'] = lambda x: F.cross_entropy(x, torch.zeros(N, H, W, dtype=torch.int64, device=dev)); U['bce'] = lambda x: F.binary_cross_entropy_with_logits(x, torch.zeros(N, C, H, W, device=dev)); U['bce_like'] = lambda x: F.binary_cross_entropy_with_logits(x, torch.zeros_like(x)); U['mse'] = lambda x: F.mse_loss(x, torch.zeros(N, C, H, W, device=dev)); U['mse_like'] = lambda x: F.mse_loss(x, torch.zeros_like(x)); U['l1_like'] = lambda x: F.l1_loss(x, torch.zeros_like(x)); U['smooth_like'] = lambda x: F.smooth_l1_loss(x, torch.zeros_like(x)); U['mse_none'] = lambda x: F.mse_loss(x, torch.zeros_like(x), reduction='none')
U['attention'] = lambda x: F.scaled_dot_product_attention(*(x.flatten(2).transpose(1, 2).reshape(N, H * W, 2, C // 2).transpose(1, 2),) * 3).transpose(1, 2).reshape(N, H * W, C).transpose(1, 2).reshape(N, C, H, W)
U['matmul'] = lambda x: x.flatten(2).transpose(1, 2) @ x.flatten(2); U['baddbmm'] = lambda x: torch.bmm(x.view(N, C, H * W) if x.is_contiguous() else x.reshape(N, C, H * W), torch.ones(N, H * W, 5, device=dev))
U['view_conv'] = lambda x: m(L(nn.Conv2d(C, 16, 1)))(x.permute(0, 2, 3, 1).reshape(N, H * W, C).transpose(1, 2).reshape(N, C, H, W))
def size(t): return None if t is None else list(t.stride())
def one(key, f, last, gl, dtype, cast):
    res = {}
    for attempt in (0, 1):
        torch.manual_seed(0)
        x = value((N, C, H, W), 1).to(dtype).to(dev); x = x.contiguous(memory_format=CL) if last else x
        x.requires_grad_(True); x.register_hook(lambda g: res.__setitem__('grad', size(g)))
        if attempt: history(True)
        b = stats()
        with torch.autocast(dev, dtype=torch.bfloat16, enabled=cast): y = f(x)
        a = stats(); t = trace() if attempt else []; res['out'] = size(y); res['shape'] = list(y.shape); res['dtype'] = str(y.dtype)[6:]
        if y.requires_grad:
            g = torch.full(y.shape, .5, device=dev, dtype=y.dtype)
            if gl and y.dim() == 4: g = g.contiguous(memory_format=CL)
            n0 = len(trace()) if attempt else 0; y.backward(g)
            if attempt: res['bwd'] = trace()[n0:]
        if attempt: res['fwd'] = t; history(False)
        x = y = g = None
    return res
out = open(sys.argv[1], 'w'); part, parts = int(sys.argv[2]), int(sys.argv[3])
for name, f in list(U.items())[part::parts]:
    for last in (1, 0):
        for gl in (1, 0):
            for kind, dtype, cast in (('float32', torch.float32, False), ('bfloat16', torch.bfloat16, False), ('autocast', torch.float32, True)):
                if kind != 'float32' and not last: continue
                if kind == 'bfloat16' and any(w in name for w in ('conv', 'up_last', 'up4', 'up_plain', 'depth', 'group_last', 'Norm', 'norm', 'linear')): continue
                key = f'{name}|{"last" if last else "plain"}|{"last" if gl else "plain"}|{kind}'
                try: row = one(key, f, last, gl, dtype, cast)
                except Exception as e:
                    history(False); row = dict(error=f'{type(e).__name__}: {str(e)[:120]}')
                out.write(json.dumps(dict(key=key, **row), separators=(',', ':')) + '\n'); out.flush()
out.close(); print(len(U), 'expressions')
