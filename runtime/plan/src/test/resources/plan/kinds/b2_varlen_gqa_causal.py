import torch, torch.nn as nn
from torch.nn.attention.varlen import varlen_attn
torch.manual_seed(0)
d, h = 512, 8
wq, wk, wv, wo = (nn.Linear(d, n, bias=False).cuda().bfloat16() for n in (d, d, d, d))
opt = torch.optim.SGD([*wq.parameters(), *wk.parameters(), *wv.parameters(), *wo.parameters()], 0.1)
for i in range(3):
    lengths = torch.randint(10, 900, (7,)); ends = torch.zeros(8, dtype=torch.int32); ends[1:] = lengths.cumsum(0); ends = ends.cuda()
    n, most = int(lengths.sum()), int(lengths.max())
    x = torch.randn(n, d, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    q, k, v = wq(x).view(n, h, -1), wk(x).view(n, h, -1), wv(x).view(n, h, -1)
    y = varlen_attn(q, k, v, ends, ends, most, most, window_size=(-1, 0))
    wo(y.flatten(1)).float().pow(2).mean().backward(); opt.step(); opt.zero_grad()
