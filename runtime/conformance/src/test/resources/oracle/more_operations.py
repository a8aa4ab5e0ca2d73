"""Memory footprint of single operations on PyTorch: what each allocates, keeps for backward, and peaks at.
usage: more_operations.py OUTFILE"""
import sys, json, gc, gzip, os
import torch, torch.nn as nn, torch.nn.functional as F
torch.backends.cuda.matmul.allow_tf32 = False
dev = 'cuda'
N, K, M = 640, 384, 256
def r(*s, g=True, dt=torch.float32): return torch.randn(*s, device=dev, dtype=dt, requires_grad=g)
def st():
    s = torch._C._cuda_memoryStats(0); return s['allocated_bytes']['all']['current'], s['allocated_bytes']['all']['peak'], s['requested_bytes']['all']['current']

H=torch.float16
def lin(x,w,b=None): return F.linear(x,w,b)
OPS = {
 'sum_rows': lambda g: (lambda a: a.sum(1), [r(N,K,g=g)]),
 'sum_dims': lambda g: (lambda a: a.sum((0,2,3)), [r(16,8,32,32,g=g)]),
 'mean_keep': lambda g: (lambda a: a.mean(-1,keepdim=True), [r(N,K,g=g)]),
 'amax_dim': lambda g: (lambda a: a.amax(1), [r(N,K,g=g)]),
 'max_dim': lambda g: (lambda a: a.max(1)[0], [r(N,K,g=g)]),
 'max_dim0': lambda g: (lambda a: a.max(0)[0], [r(N,K,g=g)]),
 'min': lambda g: (lambda a: a.min(), [r(N,K,g=g)]),
 'var': lambda g: (lambda a: a.var(), [r(N,K,g=g)]),
 'var_dim': lambda g: (lambda a: a.var(1), [r(N,K,g=g)]),
 'norm': lambda g: (lambda a: a.norm(), [r(N,K,g=g)]),
 'argmax': lambda g: (lambda a: a.argmax(), [r(N,K,g=False)]),
 'argmax_dim': lambda g: (lambda a: a.argmax(1), [r(N,K,g=False)]),
 'any': lambda g: (lambda a: (a>0).any(), [r(N,K,g=False)]),
 'eq_all': lambda g: (lambda a: (a==a).all(), [r(N,K,g=False)]),
 'count': lambda g: (lambda a: (a>0).sum(), [r(N,K,g=False)]),
 'topk': lambda g: (lambda a: a.topk(5)[0], [r(N,K,g=g)]),
 'gather': lambda g: (lambda a: a.gather(1,E.view(N,1)), [r(N,1000,g=g)]),
 'index': lambda g: (lambda a: a[E], [r(1000,64,g=g)]),
 'masked_fill': lambda g: (lambda a: a.masked_fill(a>0,0.0), [r(N,K,g=g)]),
 'tril': lambda g: (lambda a: a.tril(), [r(N,K,g=g)]),
 'maximum': lambda g: (lambda a,b: torch.maximum(a,b), [r(N,K,g=g),r(N,K,g=g)]),
 'pow_tensor': lambda g: (lambda a,b: a.pow(b), [r(N,K,g=g),r(N,K,g=g)]),
 'pow3': lambda g: (lambda a: a.pow(3), [r(N,K,g=g)]),
 'log1p': lambda g: (lambda a: a.log1p(), [r(N,K,g=g)]),
 'rsqrt': lambda g: (lambda a: a.rsqrt(), [r(N,K,g=g)]),
 'reciprocal': lambda g: (lambda a: a.reciprocal(), [r(N,K,g=g)]),
 'rdiv': lambda g: (lambda a: 3/a, [r(N,K,g=g)]),
 'rsub': lambda g: (lambda a: 3-a, [r(N,K,g=g)]),
 'sin': lambda g: (lambda a: a.sin(), [r(N,K,g=g)]),
 'cos': lambda g: (lambda a: a.cos(), [r(N,K,g=g)]),
 'erf': lambda g: (lambda a: a.erf(), [r(N,K,g=g)]),
 'silu': lambda g: (lambda a: F.silu(a), [r(N,K,g=g)]),
 'gelu_tanh': lambda g: (lambda a: F.gelu(a,approximate='tanh'), [r(N,K,g=g)]),
 'floor': lambda g: (lambda a: a.floor(), [r(N,K,g=g)]),
 'sign': lambda g: (lambda a: a.sign(), [r(N,K,g=g)]),
 'clamp_min': lambda g: (lambda a: a.clamp(min=0.0), [r(N,K,g=g)]),
 'split_mul': lambda g: (lambda a: (lambda p: p[0]*p[1])(a.split(K//2,1)), [r(N,K,g=g)]),
 'chunk_rows_add': lambda g: (lambda a: (lambda p: p[0]+p[1])(a.chunk(2,0)), [r(N,K,g=g)]),
 'unbind_add': lambda g: (lambda a: (lambda p: p[0]+p[1])(a.unbind(0)), [r(2,N,K,g=g)]),
 'select_mul': lambda g: (lambda a: a[3]*2, [r(N,K,g=g)]),
 'slice_step': lambda g: (lambda a: a[::2].clone(), [r(N,K,g=g)]),
 'expand_mul': lambda g: (lambda a,b: a.expand(N,K)*b, [r(1,K,g=g),r(N,K,g=g)]),
 'permute_contiguous': lambda g: (lambda a: a.permute(0,2,1,3).contiguous(), [r(4,64,8,32,g=g)]),
 'permute_mul': lambda g: (lambda a: a.permute(1,0)*2, [r(N,K,g=g)]),
 'transpose_add': lambda g: (lambda a,b: a.t()+b, [r(N,K,g=g),r(K,N,g=g)]),
 'matmul_3d_2d': lambda g: (lambda a,b: a@b, [r(4,160,K,g=g),r(K,M,g=g)]),
 'matmul_4d_3d': lambda g: (lambda a,b: a@b, [r(4,8,64,32,g=g),r(8,32,64,g=g)]),
 'matmul_vec': lambda g: (lambda a,b: a@b, [r(N,K,g=g),r(K,g=g)]),
 'dot': lambda g: (lambda a,b: a@b, [r(N,g=g),r(N,g=g)]),
 'mm_t_left': lambda g: (lambda a,b: a.t()@b, [r(K,N,g=g),r(K,M,g=g)]),
 'linear_3d_no_bias': lambda g: (lambda x,w: F.linear(x,w), [r(4,160,K,g=g),r(M,K,g=g)]),
 'linear_3d_transposed': lambda g: (lambda x,w,b: F.linear(x.transpose(0,1),w,b), [r(160,4,K,g=g),r(M,K,g=g),r(M,g=g)]),
 'linear_half': lambda g: (lambda x,w,b: F.linear(x,w,b), [r(N,K,g=g,dt=H),r(M,K,g=g,dt=H),r(M,g=g,dt=H)]),
 'mm_then_sum': lambda g: (lambda a,b: (a@b).sum(), [r(N,K,g=g),r(K,M,g=g)]),
 'linear_then_sum': lambda g: (lambda x,w,b: lin(x,w,b).sum(), [r(N,K,g=g),r(M,K,g=g),r(M,g=g)]),
 'linear_3d_then_sum': lambda g: (lambda x,w,b: lin(x,w,b).sum(), [r(4,160,K,g=g),r(M,K,g=g),r(M,g=g)]),
 'bmm_then_sum': lambda g: (lambda a,b: torch.bmm(a,b).sum(), [r(8,64,96,g=g),r(8,96,32,g=g)]),
 'ln_then_sum': lambda g: (lambda a,w,b: F.layer_norm(a,(K,),w,b).sum(), [r(N,K,g=g),r(K,g=g),r(K,g=g)]),
 'bn_then_sum': lambda g: (lambda a,w,b: F.batch_norm(a,None,None,w,b,True).sum(), [r(N,K,g=g),r(K,g=g),r(K,g=g)]),
 'softmax_then_sum': lambda g: (lambda a: F.softmax(a,-1).sum(), [r(N,K,g=g)]),
 'log_softmax_then_sum': lambda g: (lambda a: F.log_softmax(a,-1).sum(), [r(N,K,g=g)]),
 'softmax_dim0': lambda g: (lambda a: F.softmax(a,0), [r(N,K,g=g)]),
 'relu_then_sum': lambda g: (lambda a: F.relu(a).sum(), [r(N,K,g=g)]),
 'gelu_then_mean': lambda g: (lambda a: F.gelu(a).mean(), [r(N,K,g=g)]),
 'dropout_then_sum': lambda g: (lambda a: F.dropout(a,.5).sum(), [r(N,K,g=g)]),
 'embedding_then_sum': lambda g: (lambda w: F.embedding(E,w).sum(), [r(1000,64,g=g)]),
 'embedding_long': lambda g: (lambda w: F.embedding(E2,w), [r(1000,64,g=g)]),
 'cat_then_sum': lambda g: (lambda a,b: torch.cat([a,b],1).sum(), [r(N,K,g=g),r(N,K,g=g)]),
 'cat_dim1': lambda g: (lambda a,b: torch.cat([a,b],1), [r(N,K,g=g),r(N,M,g=g)]),
 'stack_dim1': lambda g: (lambda a,b: torch.stack([a,b],1), [r(N,K,g=g),r(N,K,g=g)]),
 'maxpool_then_sum': lambda g: (lambda x: F.max_pool2d(x,2).sum(), [r(16,8,32,32,g=g)]),
 'avgpool_then_sum': lambda g: (lambda x: F.avg_pool2d(x,2).sum(), [r(16,8,32,32,g=g)]),
 'bn2d': lambda g: (lambda a,w,b: F.batch_norm(a,None,None,w,b,True), [r(16,8,32,32,g=g),r(8,g=g),r(8,g=g)]),
 'bn2d_no_affine': lambda g: (lambda a: F.batch_norm(a,None,None,None,None,True), [r(16,8,32,32,g=g)]),
 'bn2d_eval': lambda g: (lambda a,w,b: F.batch_norm(a,RM,RV,w,b,False), [r(16,8,32,32,g=g),r(8,g=g),r(8,g=g)]),
 'ln_no_affine': lambda g: (lambda a: F.layer_norm(a,(K,)), [r(N,K,g=g)]),
 'ln_tall': lambda g: (lambda a,w,b: F.layer_norm(a,(32,),w,b), [r(100000,32,g=g),r(32,g=g),r(32,g=g)]),
 'ln_3d': lambda g: (lambda a,w,b: F.layer_norm(a,(768,),w,b), [r(8,1024,768,g=g),r(768,g=g),r(768,g=g)]),
 'ln_half': lambda g: (lambda a,w,b: F.layer_norm(a,(K,),w,b), [r(N,K,g=g,dt=H),r(K,g=g,dt=H),r(K,g=g,dt=H)]),
 'ce_sum': lambda g: (lambda a: F.cross_entropy(a,T,reduction='sum'), [r(N,10,g=g)]),
 'ce_none': lambda g: (lambda a: F.cross_entropy(a,T,reduction='none'), [r(N,10,g=g)]),
 'mse_sum': lambda g: (lambda a,b: F.mse_loss(a,b,reduction='sum'), [r(N,K,g=g),r(N,K,g=False)]),
 'mse_both': lambda g: (lambda a,b: F.mse_loss(a,b), [r(N,K,g=g),r(N,K,g=g)]),
 'l1_both': lambda g: (lambda a,b: F.l1_loss(a,b), [r(N,K,g=g),r(N,K,g=g)]),
 'add_inplace': lambda g: (lambda a,b: (a*2).add_(b), [r(N,K,g=g),r(N,K,g=g)]),
 'mul_inplace': lambda g: (lambda a,b: (a+1).mul_(b), [r(N,K,g=g),r(N,K,g=g)]),
 'mul_scalar_inplace': lambda g: (lambda a: (a+1).mul_(2), [r(N,K,g=g)]),
 'div_inplace': lambda g: (lambda a: (a+1).div_(2), [r(N,K,g=g)]),
 'relu_inplace': lambda g: (lambda a: (a+1).relu_(), [r(N,K,g=g)]),
 'sigmoid_inplace': lambda g: (lambda a: (a+1).sigmoid_(), [r(N,K,g=g)]),
 'exp_inplace': lambda g: (lambda a: (a+1).exp_(), [r(N,K,g=g)]),
 'zero_inplace': lambda g: (lambda a: (a+1).zero_(), [r(N,K,g=g)]),
 'masked_fill_inplace': lambda g: (lambda a: (a+1).masked_fill_(MK,0.), [r(N,K,g=g)]),
 'copy_inplace': lambda g: (lambda a,b: (a+1).copy_(b), [r(N,K,g=g),r(N,K,g=g)]),
 'square_reuse': lambda g: (lambda a: a*a+a, [r(N,K,g=g)]),
 'residual': lambda g: (lambda a,w: a+F.relu(a@w), [r(N,K,g=g),r(K,K,g=g)]),
 'add_half_float': lambda g: (lambda a,b: a+b, [r(N,K,g=g,dt=H),r(N,K,g=g)]),
 'mul_half_broadcast': lambda g: (lambda a,b: a*b, [r(N,K,g=g,dt=H),r(K,g=g,dt=H)]),
 'mul_broadcast_scalar_tensor': lambda g: (lambda a,b: a*b, [r(N,K,g=g),r(g=g)]),
 'div_broadcast_col': lambda g: (lambda a,b: a/b, [r(N,K,g=g),r(N,1,g=g)]),
 'sum_half': lambda g: (lambda a: a.sum(), [r(N,K,g=g,dt=H)]),
 'mean_half_dim0': lambda g: (lambda a: a.mean(0), [r(N,K,g=g,dt=H)]),
 'to_double': lambda g: (lambda a: a.double(), [r(N,K,g=g)]),
 'double_mul': lambda g: (lambda a,b: a*b, [r(N,K,g=g,dt=torch.float64),r(N,K,g=g,dt=torch.float64)]),
 'cpu': lambda g: (lambda a: a.cpu(), [r(N,K,g=g)]),
 'cpu_transposed': lambda g: (lambda a: a.t().cpu(), [r(N,K,g=False)]),
 'sdpa_causal': lambda g: (lambda q,k,v: torch.softmax((q@k.transpose(-1,-2)*.125).masked_fill(CM,float('-inf')),-1)@v, [r(4,8,64,64,g=g),r(4,8,64,64,g=g),r(4,8,64,64,g=g)]),
 'sdpa_fn_math': lambda g: (lambda q,k,v: sdpa(q,k,v,False), [r(4,8,64,64,g=g),r(4,8,64,64,g=g),r(4,8,64,64,g=g)]),
 'sdpa_fn_default': lambda g: (lambda q,k,v: F.scaled_dot_product_attention(q,k,v), [r(4,8,64,64,g=g),r(4,8,64,64,g=g),r(4,8,64,64,g=g)]),
 'sdpa_fn_causal': lambda g: (lambda q,k,v: F.scaled_dot_product_attention(q,k,v,is_causal=True), [r(4,8,64,64,g=g),r(4,8,64,64,g=g),r(4,8,64,64,g=g)]),
 'mha': lambda g: (lambda x: MHA(x,x,x,need_weights=False)[0], [r(8,64,128,g=g)]),
 'mha_weights': lambda g: (lambda x: MHA(x,x,x)[0], [r(8,64,128,g=g)]),
 'encoder_layer': lambda g: (lambda x: ENC(x), [r(8,64,128,g=g)]),
 'einsum_bij_bjk': lambda g: (lambda a,b: torch.einsum('bij,bjk->bik',a,b), [r(8,64,96,g=g),r(8,96,32,g=g)]),
 'flatten_linear': lambda g: (lambda x,w,b: lin(x.flatten(1),w,b), [r(16,8,4,4,g=g),r(10,128,g=g),r(10,g=g)]),
}
def sdpa(q,k,v,c):
    from torch.nn.attention import sdpa_kernel, SDPBackend
    with sdpa_kernel(SDPBackend.MATH): return F.scaled_dot_product_attention(q,k,v,is_causal=c)
E2=torch.randint(0,1000,(8,1024),device=dev); RM=torch.zeros(8,device=dev); RV=torch.ones(8,device=dev); MK=torch.rand(N,K,device=dev)>.5; CM=torch.ones(64,64,device=dev,dtype=torch.bool).triu(1)
MHA=nn.MultiheadAttention(128,8,batch_first=True).cuda(); ENC=nn.TransformerEncoderLayer(128,8,256,batch_first=True).cuda()
T = torch.randint(0, 10, (N,), device=dev); E = torch.randint(0, 1000, (N,), device=dev)
out = {}
def run(name, g):
    # first pass warms handles, workspaces and lazily loaded kernels
    for attempt in range(2):
        gc.collect(); torch.cuda.synchronize()
        fn, args = OPS[name](g)
        for q in list(MHA.parameters())+list(ENC.parameters()): q.grad=None
        if attempt == 1:
            torch.cuda.memory._record_memory_history(enabled='all', context=None, max_entries=10**5, clear_history=True)
        torch.cuda.reset_peak_memory_stats(); base = st()
        y = fn(*args); f = st()
        if g and y.requires_grad:
            go = torch.ones_like(y); mid = st(); torch.cuda.reset_peak_memory_stats(); b0 = st()
            y.backward(go); b = st(); del go
        row = dict(out_shape=list(y.shape), base=base[0], fwd_alloc=f[0]-base[0], fwd_peak=f[1]-base[0], fwd_requested=f[2]-base[2])
        if g and y.requires_grad: row.update(bwd_alloc=b[0]-b0[0], bwd_peak=b[1]-b0[0])
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
