"""Memory footprint of single operations on PyTorch: what each allocates, keeps for backward, and peaks at.
usage: operations.py OUTFILE"""
import sys, json, gc, gzip, os
import torch, torch.nn as nn, torch.nn.functional as F
torch.backends.cuda.matmul.allow_tf32 = False
dev = 'cuda'
N, K, M = 640, 384, 256
def r(*s, g=True, dt=torch.float32): return torch.randn(*s, device=dev, dtype=dt, requires_grad=g)
def st():
    s = torch._C._cuda_memoryStats(0); return s['allocated_bytes']['all']['current'], s['allocated_bytes']['all']['peak'], s['requested_bytes']['all']['current']
OPS = {
 'add': lambda g: (lambda a, b: a + b, [r(N, K, g=g), r(N, K, g=g)]),
 'add_broadcast_row': lambda g: (lambda a, b: a + b, [r(N, K, g=g), r(K, g=g)]),
 'add_broadcast_col': lambda g: (lambda a, b: a + b, [r(N, K, g=g), r(N, 1, g=g)]),
 'add_scalar': lambda g: (lambda a: a + 1.5, [r(N, K, g=g)]),
 'sub': lambda g: (lambda a, b: a - b, [r(N, K, g=g), r(N, K, g=g)]),
 'mul': lambda g: (lambda a, b: a * b, [r(N, K, g=g), r(N, K, g=g)]),
 'mul_scalar': lambda g: (lambda a: a * 2, [r(N, K, g=g)]),
 'div': lambda g: (lambda a, b: a / b, [r(N, K, g=g), r(N, K, g=g)]),
 'div_scalar': lambda g: (lambda a: a / 4, [r(N, K, g=g)]),
 'neg': lambda g: (lambda a: -a, [r(N, K, g=g)]),
 'matmul': lambda g: (lambda a, b: a @ b, [r(N, K, g=g), r(K, M, g=g)]),
 'matmul_left_only_grad': lambda g: (lambda a, b: a @ b, [r(N, K, g=g), r(K, M, g=False)]),
 'bmm': lambda g: (lambda a, b: torch.bmm(a, b), [r(8, 64, 96, g=g), r(8, 96, 32, g=g)]),
 'addmm': lambda g: (lambda c, a, b: torch.addmm(c, a, b), [r(M, g=g), r(N, K, g=g), r(K, M, g=g)]),
 'linear': lambda g: (lambda x, w, b: F.linear(x, w, b), [r(N, K, g=g), r(M, K, g=g), r(M, g=g)]),
 'linear_no_bias': lambda g: (lambda x, w: F.linear(x, w), [r(N, K, g=g), r(M, K, g=g)]),
 'linear_input_no_grad': lambda g: (lambda x, w, b: F.linear(x, w, b), [r(N, K, g=False), r(M, K, g=g), r(M, g=g)]),
 'linear_3d': lambda g: (lambda x, w, b: F.linear(x, w, b), [r(4, 160, K, g=g), r(M, K, g=g), r(M, g=g)]),
 'relu': lambda g: (lambda a: F.relu(a), [r(N, K, g=g)]),
 'gelu': lambda g: (lambda a: F.gelu(a), [r(N, K, g=g)]),
 'sigmoid': lambda g: (lambda a: torch.sigmoid(a), [r(N, K, g=g)]),
 'tanh': lambda g: (lambda a: torch.tanh(a), [r(N, K, g=g)]),
 'exp': lambda g: (lambda a: a.exp(), [r(N, K, g=g)]),
 'log': lambda g: (lambda a: a.log(), [r(N, K, g=g)]),
 'sqrt': lambda g: (lambda a: a.sqrt(), [r(N, K, g=g)]),
 'pow2': lambda g: (lambda a: a.pow(2), [r(N, K, g=g)]),
 'abs': lambda g: (lambda a: a.abs(), [r(N, K, g=g)]),
 'softmax': lambda g: (lambda a: F.softmax(a, -1), [r(N, K, g=g)]),
 'log_softmax': lambda g: (lambda a: F.log_softmax(a, -1), [r(N, K, g=g)]),
 'sum': lambda g: (lambda a: a.sum(), [r(N, K, g=g)]),
 'sum_dim': lambda g: (lambda a: a.sum(0), [r(N, K, g=g)]),
 'mean': lambda g: (lambda a: a.mean(), [r(N, K, g=g)]),
 'mean_dim': lambda g: (lambda a: a.mean(1), [r(N, K, g=g)]),
 'max': lambda g: (lambda a: a.max(), [r(N, K, g=g)]),
 'transpose_contiguous': lambda g: (lambda a: a.t().contiguous(), [r(N, K, g=g)]),
 'reshape_view': lambda g: (lambda a: a.reshape(K, N), [r(N, K, g=g)]),
 'slice_clone': lambda g: (lambda a: a[:100].clone(), [r(N, K, g=g)]),
 'clone': lambda g: (lambda a: a.clone(), [r(N, K, g=g)]),
 'cat': lambda g: (lambda a, b: torch.cat([a, b]), [r(N, K, g=g), r(N, K, g=g)]),
 'stack': lambda g: (lambda a, b: torch.stack([a, b]), [r(N, K, g=g), r(N, K, g=g)]),
 'cross_entropy': lambda g: (lambda a: F.cross_entropy(a, T), [r(N, 10, g=g)]),
 'cross_entropy_wide': lambda g: (lambda a: F.cross_entropy(a, T), [r(N, 1000, g=g)]),
 'nll_loss': lambda g: (lambda a: F.nll_loss(a, T), [r(N, 10, g=g)]),
 'mse_loss': lambda g: (lambda a, b: F.mse_loss(a, b), [r(N, K, g=g), r(N, K, g=False)]),
 'l1_loss': lambda g: (lambda a, b: F.l1_loss(a, b), [r(N, K, g=g), r(N, K, g=False)]),
 'bce_with_logits': lambda g: (lambda a, b: F.binary_cross_entropy_with_logits(a, b), [r(N, K, g=g), r(N, K, g=False)]),
 'dropout': lambda g: (lambda a: F.dropout(a, .5), [r(N, K, g=g)]),
 'layer_norm': lambda g: (lambda a, w, b: F.layer_norm(a, (K,), w, b), [r(N, K, g=g), r(K, g=g), r(K, g=g)]),
 'embedding': lambda g: (lambda w: F.embedding(E, w), [r(1000, 64, g=g)]),
 'batch_norm1d': lambda g: (lambda a, w, b: F.batch_norm(a, None, None, w, b, True), [r(N, K, g=g), r(K, g=g), r(K, g=g)]),
 'conv2d': lambda g: (lambda x, w, b: F.conv2d(x, w, b, padding=1), [r(16, 8, 32, 32, g=g), r(16, 8, 3, 3, g=g), r(16, g=g)]),
 'max_pool2d': lambda g: (lambda x: F.max_pool2d(x, 2), [r(16, 8, 32, 32, g=g)]),
 'avg_pool2d': lambda g: (lambda x: F.avg_pool2d(x, 2), [r(16, 8, 32, 32, g=g)]),
 'to_half': lambda g: (lambda a: a.half(), [r(N, K, g=g)]),
 'to_half_and_back': lambda g: (lambda a: a.half().float(), [r(N, K, g=g)]),
 'where': lambda g: (lambda a, b: torch.where(a > 0, a, b), [r(N, K, g=g), r(N, K, g=g)]),
 'clamp': lambda g: (lambda a: a.clamp(-1, 1), [r(N, K, g=g)]),
 'sdpa_math': lambda g: (lambda q, k, v: torch.softmax(q @ k.transpose(-1, -2) / 8, -1) @ v, [r(4, 8, 64, 64, g=g), r(4, 8, 64, 64, g=g), r(4, 8, 64, 64, g=g)]),
}
T = torch.randint(0, 10, (N,), device=dev); E = torch.randint(0, 1000, (N,), device=dev)
out = {}
def run(name, g):
    # first pass warms handles, workspaces and lazily loaded kernels
    for attempt in range(2):
        gc.collect(); torch.cuda.synchronize()
        fn, args = OPS[name](g)
        if attempt == 1:
            torch.cuda.memory._record_memory_history(enabled='all', context=None, max_entries=10**5, clear_history=True)
        torch.cuda.reset_peak_memory_stats(); base = st()
        y = fn(*args); f = st()
        if g:
            go = torch.ones_like(y); mid = st(); torch.cuda.reset_peak_memory_stats(); b0 = st()
            y.backward(go); b = st(); del go
        row = dict(out_shape=list(y.shape), base=base[0], fwd_alloc=f[0]-base[0], fwd_peak=f[1]-base[0], fwd_requested=f[2]-base[2])
        if g: row.update(bwd_alloc=b[0]-b0[0], bwd_peak=b[1]-b0[0])
        if attempt == 1:
            row['trace'] = [[e['action'], e['size']] for e in torch.cuda.memory._snapshot()['device_traces'][0] if e['action'] in ('alloc', 'free_completed')]
            torch.cuda.memory._record_memory_history(enabled=None)
        y = None; d = st(); row['after_del_out'] = d[0]-base[0]
        del args, fn
    return row
for name in OPS:
    for g in (False, True):
        try: out[f"{name}|{'grad' if g else 'nograd'}"] = run(name, g)
        except Exception as e: out[f"{name}|{'grad' if g else 'nograd'}"] = dict(error=f'{type(e).__name__}: {e}'); print(name, g, e)
out['_meta'] = dict(torch=torch.__version__, env={k: os.environ.get(k) for k in ('CUBLAS_WORKSPACE_CONFIG', 'DISABLE_ADDMM_CUDA_LT')}, N=N, K=K, M=M)
with gzip.open(sys.argv[1], 'wt') as f: json.dump(out, f, separators=(',', ':'))
print('ops', len(out))
