"""Every module of torch.nn, forward and backward: usage: modules.py OUTFILE SECONDS [PART OF]

A row's key is module|arguments|inputs|mode; modes are float32, eval (float32, evaluation, no gradient), float16 and bfloat16 (under autocast), exact (float32
without TF32 in cuDNN, for its values; memory may differ), nograd (training mode under no_grad). Inputs are texts that measured.make reads."""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measured import *
import torch.nn as nn

X1, X2, X3 = 'f 8 16 48', 'f 8 16 24 20', 'f 4 8 6 10 12'
M = []   # (module, args, kwargs, inputs, options)
def m(name, args=(), inputs=(X2,), lib=False, random=False, **kw): M.append((name, list(args), kw, list(inputs), dict(lib=lib, random=random)))

# activations
for a in 'ReLU ReLU6 LeakyReLU ELU SELU CELU GELU SiLU Mish Sigmoid Tanh Hardtanh Hardswish Hardsigmoid LogSigmoid Softplus Softsign Softshrink Hardshrink Tanhshrink GLU Identity'.split(): m(a)
for a in 'ReLU ReLU6 LeakyReLU ELU SELU CELU SiLU Mish Hardtanh Hardswish Hardsigmoid'.split(): m(a, inplace=True, inputs=('f+ 8 16 24 20',))
m('LeakyReLU', [.2]); m('ELU', [.5]); m('CELU', [.7]); m('GELU', approximate='tanh'); m('Hardtanh', [-.2, .3]); m('Softplus', [2., .5]); m('Softshrink', [.1]); m('Hardshrink', [.1])
m('Threshold', [.1, -.5]); m('PReLU'); m('PReLU', [16]); m('PReLU', [1], inputs=('f 640 384',)); m('RReLU', random=True); m('GLU', [-1]); m('GLU', inputs=('f 640 384',), dim=1)
for a in 'Softmax LogSoftmax Softmin'.split(): m(a, [1]); m(a, [-1], inputs=('f 640 384',))
m('Softmax2d')
for a in 'GELU SiLU Mish Sigmoid Tanh ELU LeakyReLU Hardswish Softplus'.split(): m(a, inputs=('f 640 384',)); m(a, inputs=('fT 640 384',))
# linear
m('Linear', [384, 256], ('f 640 384',)); m('Linear', [384, 256], ('f 640 384',), bias=False); m('Linear', [384, 256], ('f 4 160 384',)); m('Linear', [384, 256], ('c 640 384',)); m('Linear', [384, 1], ('f 640 384',)); m('Linear', [64, 32], ('f 64',))
m('Bilinear', [20, 30, 40], ('f 128 20', 'f 128 30')); m('Bilinear', [20, 30, 40], ('f 128 20', 'f 128 30'), bias=False)
m('Flatten'); m('Flatten', [0, 1]); m('Unflatten', [1, [4, 4]]); m('Identity', inputs=('f 640 384',))
# convolutions
for L, x, d in ((1, X1, 'Conv1d'), (2, X2, 'Conv2d'), (3, X3, 'Conv3d')):
    c = 16 if L < 3 else 8
    m(d, [c, 32, 3], (x,), lib=True); m(d, [c, 32, 3], (x,), lib=True, padding=1); m(d, [c, 32, 3], (x,), lib=True, bias=False, padding=1); m(d, [c, 32, 3], (x,), lib=True, stride=2, padding=1)
    m(d, [c, 32, 1], (x,), lib=True); m(d, [c, c, 3], (x,), lib=True, groups=c, padding=1); m(d, [c, 32, 3], (x,), lib=True, groups=4, padding=1); m(d, [c, 32, 3], (x,), lib=True, dilation=2)
    m(d, [c, 32, 3], (x,), lib=True, padding='same'); m(d, [c, 32, 3], (x,), lib=True, padding=1, padding_mode='circular'); m(d, [c, 32, 3], (x,), lib=True, padding=1, padding_mode='reflect'); m(d, [c, 32, 3], (x,), lib=True, padding=1, padding_mode='replicate')
    m(d, [c, 32, 3], (x.replace('f', 'c'),), lib=True, padding=1)
    t = d.replace('Conv', 'ConvTranspose')
    m(t, [c, 32, 3], (x,), lib=True); m(t, [c, 32, 4], (x,), lib=True, stride=2, padding=1); m(t, [c, 32, 3], (x,), lib=True, stride=2, padding=1, output_padding=1); m(t, [c, 32, 3], (x,), lib=True, groups=2); m(t, [c, 32, 2], (x,), lib=True, stride=2, bias=False); m(t, [c, 32, 3], (x,), lib=True, dilation=2)
m('Conv2d', [16, 32, [3, 5]], lib=True, stride=[2, 1], padding=[1, 2]); m('Conv2d', [16, 32, 3], ('fC 8 16 24 20',), lib=True, padding=1); m('Conv2d', [16, 32, [1, 7]], lib=True, padding=[0, 3], dilation=[1, 1])
m('Conv2d', [3, 64, 7], ('c 8 3 64 64',), lib=True, stride=2, padding=3, bias=False); m('Conv2d', [3, 96, 4], ('f 8 3 64 64',), lib=True, stride=4); m('Conv2d', [16, 32, 3], ('f 16 24 20',), lib=True)
# pooling
for L, x in ((1, X1), (2, X2), (3, X3)):
    for p in ('MaxPool', 'AvgPool'):
        n = f'{p}{L}d'; m(n, [2], (x,)); m(n, [3], (x,), stride=2, padding=1); m(n, [3], (x,), stride=2, ceil_mode=True); m(n, [3], (x,), stride=1)
    m(f'MaxPool{L}d', [2], (x,), return_indices=True); m(f'MaxPool{L}d', [2], (x,), dilation=2); m(f'AvgPool{L}d', [3], (x,), stride=2, padding=1, count_include_pad=False)
    m(f'LPPool{L}d', [2, 3], (x.replace('f', 'p'),)); m(f'LPPool{L}d', [2, 2], (x.replace('f', 'p'),), stride=2)
    for p in ('AdaptiveAvgPool', 'AdaptiveMaxPool'):
        n = f'{p}{L}d'; m(n, [1], (x,)); m(n, [4], (x,)); m(n, [5], (x,))
m('AdaptiveAvgPool2d', [[4, 5]]); m('AdaptiveAvgPool2d', [[None, 5]]); m('AdaptiveAvgPool2d', [[1, 1]], ('fC 8 16 24 20',)); m('AdaptiveAvgPool2d', [7], ('f 8 16 7 7',)); m('AdaptiveMaxPool2d', [[3, 2]], return_indices=True)
m('MaxPool2d', [2], ('fC 8 16 24 20',)); m('AvgPool2d', [[2, 3]], stride=[2, 1]); m('AvgPool2d', [2], divisor_override=3); m('FractionalMaxPool2d', [3], random=True, output_size=[10, 8]); m('FractionalMaxPool3d', [2], (X3,), random=True, output_size=[3, 5, 6])
for L, x, y in ((1, 'f 8 16 24', 'i24 8 16 24'), (2, 'f 8 16 12 10', 'i120 8 16 12 10'), (3, 'f 4 8 3 5 6', 'i90 4 8 3 5 6')): m(f'MaxUnpool{L}d', [2], (x, y), stride=2)
# normalization
for L, x in ((1, X1), (2, X2), (3, X3)):
    c = 16 if L < 3 else 8
    m(f'BatchNorm{L}d', [c], (x,)); m(f'BatchNorm{L}d', [c], (x,), affine=False); m(f'BatchNorm{L}d', [c], (x,), track_running_stats=False); m(f'BatchNorm{L}d', [c], (x,), momentum=None)
    m(f'InstanceNorm{L}d', [c], (x,)); m(f'InstanceNorm{L}d', [c], (x,), affine=True); m(f'InstanceNorm{L}d', [c], (x,), affine=True, track_running_stats=True); m(f'InstanceNorm{L}d', [c], (x,), track_running_stats=True)
m('BatchNorm1d', [384], ('f 640 384',)); m('BatchNorm2d', [16], ('fC 8 16 24 20',)); m('SyncBatchNorm', [16])
for g in (1, 4, 8, 16): m('GroupNorm', [g, 16])
m('GroupNorm', [4, 16], affine=False); m('GroupNorm', [4, 16], (X1,)); m('GroupNorm', [4, 16], ('f 64 16',)); m('GroupNorm', [32, 256], ('f 8 256 16 16',)); m('GroupNorm', [4, 16], ('fC 8 16 24 20',)); m('GroupNorm', [1, 16], ('f 2 16 64 64',))
m('LayerNorm', [384], ('f 640 384',)); m('LayerNorm', [[24, 20]]); m('LayerNorm', [[16, 24, 20]]); m('LayerNorm', [384], ('f 4 160 384',), elementwise_affine=False); m('LayerNorm', [384], ('f 4 160 384',), bias=False)
m('RMSNorm', [384], ('f 640 384',)); m('RMSNorm', [384], ('f 4 160 384',), eps=1e-6); m('RMSNorm', [384], ('f 640 384',), elementwise_affine=False); m('RMSNorm', [[24, 20]]); m('RMSNorm', [33], ('f 1000 33',)); m('RMSNorm', [64], ('f 100000 64',))
for n in (2, 3, 5): m('LocalResponseNorm', [n])
m('LocalResponseNorm', [5], (X1,), alpha=.001, beta=.5, k=2.); m('LocalResponseNorm', [2], (X3,)); m('CrossMapLRN2d', [5])
# dropout
for d, x in (('Dropout', X2), ('Dropout1d', X1), ('Dropout2d', X2), ('Dropout3d', X3), ('AlphaDropout', X2), ('FeatureAlphaDropout', X2)): m(d, [.3], (x,), random=True)
m('Dropout', [.5], ('f+ 640 384',), random=True, inplace=True); m('Dropout2d', [.5], ('f+ 8 16 24 20',), random=True, inplace=True); m('Dropout', [0.], ('f 640 384',)); m('Dropout', [1.], ('f 640 384',))
# padding, shuffles, upsampling
for L, x in ((1, X1), (2, X2), (3, X3)):
    full = [1, 2, 3, 1, 2, 1][:2 * L]
    for p in 'Zero Reflection Replication Circular'.split(): m(f'{p}Pad{L}d', [2], (x,)); m(f'{p}Pad{L}d', [full], (x,))
    m(f'ConstantPad{L}d', [2, 1.5], (x,)); m(f'ConstantPad{L}d', [full, -1.], (x,))
m('ZeroPad2d', [[-1, 2, 0, -2]]); m('PixelShuffle', [2]); m('PixelShuffle', [4]); m('PixelUnshuffle', [2]); m('ChannelShuffle', [4])
for x, modes in ((X1, ('nearest', 'linear', 'nearest-exact')), (X2, ('nearest', 'bilinear', 'bicubic', 'nearest-exact')), (X3, ('nearest', 'trilinear', 'nearest-exact'))):
    for k in modes:
        m('Upsample', [], (x,), scale_factor=2, mode=k)
        if 'linear' in k or 'cubic' in k: m('Upsample', [], (x,), scale_factor=2, mode=k, align_corners=True)
m('Upsample', [], size=[30, 50], mode='bilinear'); m('Upsample', [], size=[30, 50]); m('Upsample', [], scale_factor=1.5); m('Upsample', [], ('fC 8 16 24 20',), scale_factor=2); m('UpsamplingNearest2d', [], scale_factor=2); m('UpsamplingBilinear2d', [], scale_factor=2)
m('Unfold', [3]); m('Unfold', [[2, 3]], padding=1, stride=2, dilation=1); m('Fold', [[10, 12], [3, 3]], ('f 4 72 80',)); m('Fold', [[10, 12], [2, 2]], ('f 4 32 30',), stride=2)
# embeddings
m('Embedding', [1000, 64], ('i1000 640',)); m('Embedding', [1000, 64], ('i1000 8 1024',)); m('Embedding', [1000, 64], ('i1000 640',), padding_idx=0); m('Embedding', [1000, 64], ('i1000 640',), max_norm=1.); m('Embedding', [1000, 64], ('i1000 640',), scale_grad_by_freq=True); m('Embedding', [1000, 64], ('i1000 640',), sparse=True)
for k in ('sum', 'mean', 'max'): m('EmbeddingBag', [1000, 64], ('i1000 64 10',), mode=k); m('EmbeddingBag', [1000, 64], ('i1000 640', 'j 64 10'), mode=k)
m('EmbeddingBag', [1000, 64], ('i1000 64 10',), mode='sum', sparse=True); m('EmbeddingBag', [1000, 64], ('i1000 640', 'j 64 10', 'f 640'), mode='sum'); m('EmbeddingBag', [1000, 64], ('i1000 512 16',), mode='mean', padding_idx=0)
# losses
T, P = ('f 640 384', 'c 640 384'), ('f 640 384', 'f 640 384')
for r in ('mean', 'sum', 'none'):
    for l in 'MSELoss L1Loss SmoothL1Loss HuberLoss'.split(): m(l, [], T, reduction=r)
    m('BCELoss', [], ('u 640 384', 'q 640 384'), reduction=r); m('BCEWithLogitsLoss', [], ('f 640 384', 'q 640 384'), reduction=r); m('KLDivLoss', [], ('l 640 384', 'd 640 384'), reduction=r); m('PoissonNLLLoss', [], ('f 640 384', 'q 640 384'), reduction=r)
    m('SoftMarginLoss', [], ('f 640 384', 's 640 384'), reduction=r); m('HingeEmbeddingLoss', [], ('f 640 384', 's 640 384'), reduction=r); m('MarginRankingLoss', [], ('f 640', 'f 640', 's 640'), reduction=r); m('CosineEmbeddingLoss', [], ('f 640 384', 'f 640 384', 's 640'), reduction=r)
    m('TripletMarginLoss', [], ('f 640 384', 'f 640 384', 'f 640 384'), reduction=r); m('TripletMarginWithDistanceLoss', [], ('f 640 384', 'f 640 384', 'f 640 384'), reduction=r); m('MultiLabelSoftMarginLoss', [], ('f 640 20', 'q 640 20'), reduction=r); m('MultiMarginLoss', [], ('f 640 20', 'i20 640'), reduction=r); m('MultiLabelMarginLoss', [], ('f 640 20', 'k20 640'), reduction=r)
    m('GaussianNLLLoss', [], ('f 640 384', 'c 640 384', 'p 640 384'), reduction=r)
    m('CrossEntropyLoss', [], ('f 640 10', 'i10 640'), reduction=r); m('CrossEntropyLoss', [], ('f 640 10', 'i10 640'), reduction=r, label_smoothing=.1); m('CrossEntropyLoss', [], ('f 640 10', 'i10 640'), reduction=r, ignore_index=3); m('CrossEntropyLoss', ['w10'], ('f 640 10', 'i10 640'), reduction=r)
    m('CrossEntropyLoss', [], ('f 8 10 24 20', 'i10 8 24 20'), reduction=r); m('CrossEntropyLoss', [], ('f 640 10', 'd 640 10'), reduction=r); m('NLLLoss', [], ('l 640 10', 'i10 640'), reduction=r); m('NLLLoss', [], ('l 8 10 24 20', 'i10 8 24 20'), reduction=r); m('NLLLoss', ['w10'], ('l 640 10', 'i10 640'), reduction=r)
    m('CTCLoss', [], ('l* 50 16 20', 'c19 16 10', 'n50 16', 'n10 16'), reduction=r)
for l in T, : m('MSELoss', [], P); m('L1Loss', [], P); m('SmoothL1Loss', [], P); m('HuberLoss', [], P); m('SmoothL1Loss', [], T, beta=.2); m('HuberLoss', [], T, delta=.2)
m('KLDivLoss', [], ('l 640 384', 'd 640 384'), reduction='batchmean'); m('KLDivLoss', [], ('l 640 384', 'l 640 384'), reduction='batchmean', log_target=True); m('CrossEntropyLoss', ['w10'], ('f 640 10', 'i10 640'), label_smoothing=.1); m('CrossEntropyLoss', ['w10'], ('f 8 10 24 20', 'i10 8 24 20'), label_smoothing=.1, ignore_index=1)
m('CrossEntropyLoss', [], ('f 640 10', 'd 640 10'), label_smoothing=.1); m('CrossEntropyLoss', [], ('f 10', 'i10'), ); m('CrossEntropyLoss', [], ('f 8 10 33', 'i10 8 33'), ignore_index=3); m('CrossEntropyLoss', [], ('f 2048 5000', 'i5000 2048')); m('BCELoss', ['w384'], ('u 640 384', 'q 640 384')); m('BCEWithLogitsLoss', ['w384'], ('f 640 384', 'q 640 384')); m('BCEWithLogitsLoss', [], ('f 640 384', 'q 640 384'), pos_weight='w384')
m('PoissonNLLLoss', [], ('p 640 384', 'q 640 384'), log_input=False, full=True); m('GaussianNLLLoss', [], ('f 640 384', 'c 640 384', 'p 640 384'), full=True); m('CosineSimilarity', [], P); m('CosineSimilarity', [0], P); m('PairwiseDistance', [], P); m('PairwiseDistance', [1.], P, keepdim=True); m('TripletMarginLoss', [], ('f 640 384',) * 3, margin=.5, p=1., swap=True); m('MultiMarginLoss', [2], ('f 640 20', 'i20 640'))
m('AdaptiveLogSoftmaxWithLoss', [64, 1000, [100, 400]], ('f 640 64', 'i1000 640'))
# recurrent
for n in ('LSTM', 'GRU', 'RNN'):
    m(n, [32, 64], ('f 20 16 32',), lib=True); m(n, [32, 64], ('f 16 20 32',), lib=True, batch_first=True); m(n, [32, 64, 2], ('f 20 16 32',), lib=True); m(n, [32, 64, 2], ('f 20 16 32',), lib=True, bidirectional=True); m(n, [32, 64, 2], ('f 20 16 32',), lib=True, random=True, dropout=.3); m(n, [32, 64], ('f 20 16 32',), lib=True, bias=False); m(n, [32, 64], ('f 20 32',), lib=True)
    m(n + 'Cell', [32, 64], ('f 16 32',), lib=True)
    if n != 'LSTM': m(n, [32, 64], ('f 20 16 32', 'f 1 16 64'), lib=True); m(n + 'Cell', [32, 64], ('f 16 32', 'f 16 64'), lib=True)
m('RNN', [32, 64], ('f 20 16 32',), lib=True, nonlinearity='relu'); m('LSTM', [32, 64], ('f 20 16 32',), lib=True, proj_size=24); m('RNNCell', [32, 64], ('f 16 32',), bias=False, nonlinearity='relu')
# attention and transformers
m('MultiheadAttention', [128, 8], ('f 8 64 128',) * 3, batch_first=True); m('MultiheadAttention', [128, 8], ('f 64 8 128',) * 3); m('MultiheadAttention', [128, 8], ('f 8 64 128',) * 3, batch_first=True, dropout=.1, random=True); m('MultiheadAttention', [128, 8], ('f 8 64 128', 'f 8 50 96', 'f 8 50 80'), batch_first=True, kdim=96, vdim=80); m('MultiheadAttention', [128, 8], ('f 8 64 128',) * 3, batch_first=True, bias=False); m('MultiheadAttention', [128, 8], ('f 8 64 128',) * 3, batch_first=True, add_bias_kv=True); m('MultiheadAttention', [128, 8], ('f 8 64 128',) * 3, batch_first=True, add_zero_attn=True)
m('MultiheadAttention', [128, 8], ('S 8 64 128',), batch_first=True); m('MultiheadAttention', [128, 8], ('N 8 64 128',), batch_first=True)
for kw in (dict(), dict(norm_first=True), dict(activation='gelu'), dict(bias=False)): m('TransformerEncoderLayer', [128, 8, 256], ('f 8 64 128',), batch_first=True, dropout=0., **kw); m('TransformerDecoderLayer', [128, 8, 256], ('f 8 64 128', 'f 8 48 128'), batch_first=True, dropout=0., **kw)
m('TransformerEncoderLayer', [128, 8, 256], ('f 64 8 128',), dropout=.1, random=True); m('TransformerDecoderLayer', [128, 8, 256], ('f 64 8 128', 'f 48 8 128'), dropout=.1, random=True)
m('TransformerEncoder', ['enc', 2], ('f 8 64 128',)); m('TransformerEncoder', ['enc', 2, 'ln'], ('f 8 64 128',)); m('TransformerDecoder', ['dec', 2], ('f 8 64 128', 'f 8 48 128')); m('Transformer', [128, 8, 2, 2, 256], ('f 8 64 128', 'f 8 48 128'), batch_first=True, dropout=0.)

def build_args(a, train):
    if isinstance(a, str) and a[0] == 'w' and a[1:].isdigit(): return (value([int(a[1:])], 500) + 1).to(dev)
    if a == 'enc': return nn.TransformerEncoderLayer(128, 8, 256, batch_first=True, dropout=0.)
    if a == 'dec': return nn.TransformerDecoderLayer(128, 8, 256, batch_first=True, dropout=0.)
    if a == 'ln': return nn.LayerNorm(128)
    if isinstance(a, list): return tuple(a)
    return a

def inputs(specs, grad):
    """f+: value(i) plus 0 as a result, so that it may be written in place; j: offsets 0, n, 2n of bags; kN: class lists ended by -1; cN: int64 classes from 1; nN: lengths N;
    l*: log_softmax over the last; S: one tensor three times; N: the same without weights"""
    out, leaves = [], {}
    for k, s in enumerate(specs):
        kind = s.split()[0]; sizes = [int(x) for x in s.split()[1:]]
        if kind == 'j': t = (torch.arange(sizes[0]) * sizes[1]).to(dev)
        elif kind == 'k20': t = (torch.arange(sizes[0])[:, None] * 7 + torch.arange(20)[None] * 3) % 20; t[:, 4:] = -1; t = t.to(dev)
        elif kind[0] == 'c' and kind[1:].isdigit(): t = (make(f'i{kind[1:]} ' + ' '.join(map(str, sizes)), k + 1, False) + 1)
        elif kind[0] == 'n' and kind[1:].isdigit(): t = torch.full(sizes, int(kind[1:]), dtype=torch.int64, device=dev)
        elif kind == 'l*': t = torch.log_softmax(4 * value(sizes, k + 1), -1).to(dev).requires_grad_(grad)
        elif kind == 'f+': u = make('f ' + ' '.join(map(str, sizes)), k + 1, grad); leaves[f'in{k}'] = u; out.append(u + 0.); continue
        elif kind in ('S', 'N'): t = make('f ' + ' '.join(map(str, sizes)), k + 1, grad); leaves[f'in{k}'] = t; out += [t, t, t]; continue
        else: t = make(s, k + 1, grad)
        if t.requires_grad: leaves[f'in{k}'] = t
        out.append(t)
    return out, leaves

def case(name, args, kw, ins, mode):
    train = mode != 'eval'
    def build():
        module = getattr(nn, name)(*[build_args(a, train) for a in args], **{k: build_args(v, train) for k, v in kw.items()})
        fill(module)
        if any(s.startswith('fC') for s in ins) and name == 'Conv2d': module = module.to(memory_format=torch.channels_last)
        module = module.to(dev).train(train)
        xs, leaves = inputs(ins, mode not in ('eval', 'nograd'))
        for n, p in module.named_parameters(): leaves[n] = p
        extra = dict(need_weights=False) if ins and ins[0].startswith('N') else {}
        return (lambda: module(*xs, **extra)), leaves
    return build

if __name__ == '__main__':
    rows = Rows(sys.argv[1], float(sys.argv[2])); part, of = (int(x) for x in sys.argv[3:5]) if len(sys.argv) > 3 else (0, 1)
    modes = dict(float32=(None, True), eval=(None, False), float16=(torch.float16, True), bfloat16=(torch.bfloat16, True), nograd=(None, False), exact=(None, True))
    seen = set()
    for i, (name, args, kw, ins, o) in enumerate(M):
        if i % of != part: continue
        for mode, (cast, grad) in modes.items():
            if mode == 'exact' and not o['lib']: continue
            if mode in ('float16', 'bfloat16') and name.endswith(('BCELoss', 'CTCLoss')): pass
            key = f'{name}|{json.dumps([args, kw])}|{", ".join(ins)}|{mode}'
            if key in seen: continue
            seen.add(key); torch.backends.cudnn.allow_tf32 = mode != 'exact'
            rows.add(key, case(name, args, kw, ins, mode), cast, grad, module=name, args=args, kw=kw, inputs=ins, mode=mode, random=o['random'])
    rows.end()
