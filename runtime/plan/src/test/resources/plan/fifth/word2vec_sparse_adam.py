import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
center, context = nn.Embedding(200_000, 128, sparse=True).cuda(), nn.Embedding(200_000, 128, sparse=True).cuda()
opt = torch.optim.SparseAdam([*center.parameters(), *context.parameters()], lr=1e-3)
for step in range(3):
    words, near = torch.randint(0, 200_000, (8192,), device="cuda"), torch.randint(0, 200_000, (8192,), device="cuda")
    far = torch.randint(0, 200_000, (8192, 10), device="cuda")
    v = center(words)
    good = (v * context(near)).sum(1)
    bad = torch.bmm(context(far), v.unsqueeze(2)).squeeze(2)
    loss = -(F.logsigmoid(good) + F.logsigmoid(-bad).sum(1)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
