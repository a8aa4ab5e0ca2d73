"""Settings of functions and modules that functions.py and modules.py leave out: usage: options.py OUTFILE SECONDS"""
import sys
from functions import *
import torch.nn as nn
Q.clear()
for ins in (['i1000 640', 'f 1000 64'], ['i1000 64 10', 'f 1000 64'], ['i50 20000', 'f 50 16'], ['i90000 100000', 'f 90000 8']):
    q(ins, 'F.embedding(a, b, max_norm=1.)', 'F.embedding(a, b, None, .5, 1.)', 'F.embedding(a, b, padding_idx=0, max_norm=1.)')
for ins in (['i1000 640', 'f 1000 64'],):
    q(ins, 'F.embedding_bag(a, b, torch.arange(0, 641, 10, device=a.device), mode="sum", include_last_offset=True)', 'F.embedding_bag(a, b, torch.arange(0, 641, 10, device=a.device), include_last_offset=True)', 'F.embedding_bag(a, b, torch.arange(0, 641, 10, device=a.device), mode="max", include_last_offset=True)',
      'F.embedding_bag(a, b, torch.arange(0, 640, 10, device=a.device), max_norm=1.)', 'F.embedding_bag(a, b, torch.arange(0, 640, 10, device=a.device), mode="sum", scale_grad_by_freq=True)', 'F.embedding_bag(a, b, torch.arange(0, 640, 10, device=a.device), mode="mean", scale_grad_by_freq=True)')
q(['i1000 64 10', 'f 1000 64'], 'F.embedding_bag(a, b, mode="sum", max_norm=1.)', 'F.embedding_bag(a, b, mode="mean", scale_grad_by_freq=True)')
q(['f 640 10', 'b 640 10', 'u 10'], 'F.multilabel_soft_margin_loss(a, b.float(), c.detach())', 'F.multilabel_soft_margin_loss(a, b.float(), c.detach(), reduction="sum")', 'F.multilabel_soft_margin_loss(a, b.float(), c.detach(), reduction="none")')
q(['f 64 32', 'f 32 48'], 'torch.einsum(a, [0, 1], b, [1, 2], [0, 2])', 'torch.einsum(a, [0, 1], b, [1, 2])', 'torch.einsum(a, [..., 0], b, [0, 1], [..., 1])', 'torch.einsum(a, [0, 1], [1, 0])')
q(['f 8 16 24 20'], 'F.max_pool2d(a, 2, return_indices=True)', 'F.adaptive_max_pool2d(a, 5, return_indices=True)', 'F.interpolate(a, scale_factor=1.5, mode="bilinear", recompute_scale_factor=True)', 'F.max_pool2d(a, 3, 2, 1, 2)', 'F.interpolate(a, size=(11, 9), mode="bilinear", antialias=True)', 'F.interpolate(a, size=(11, 9), mode="bicubic", antialias=True)', 'F.grid_sample(a, F.affine_grid(torch.eye(2, 3, device=a.device).expand(8, 2, 3), (8, 16, 9, 9), align_corners=False), padding_mode="border", align_corners=False)', 'F.lp_pool2d(a, 3., 2)', 'F.normalize(a, p=1, dim=1)', 'F.unfold(a, 3, 2, 1, 2)')
q(['f 640 384', 'f 640 384'], 'F.cosine_similarity(a, b, 1, 1e-3)', 'F.pairwise_distance(a, b, 1.)', 'F.pairwise_distance(a, b, 2., 1e-6, True)', 'F.smooth_l1_loss(a, b, beta=.5)', 'F.huber_loss(a, b, delta=.5)', 'F.gumbel_softmax(a, .5, True)' if False else 'F.softmax(a, 0)', 'F.softmax(a.half(), -1, dtype=torch.float32)', 'F.log_softmax(a.half(), -1, dtype=torch.float32)', 'F.mse_loss(a, b, weight=b.detach().abs())', 'F.l1_loss(a, b, weight=b.detach().abs())', 'F.huber_loss(a, b, weight=b.detach().abs())')
rows = Rows(sys.argv[1], float(sys.argv[2]))
for e, ins, random in Q:
    for mode in ('grad', 'nograd'):
        rows.add(f'{e}|{", ".join(ins)}|{mode}', case(e, ins, mode), None, mode != 'nograd', expression=e, inputs=ins, mode=mode, random=random)
rows.end()
