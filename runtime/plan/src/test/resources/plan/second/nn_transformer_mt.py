import torch
import torch.nn as nn
torch.manual_seed(0)
src_e, tgt_e = nn.Embedding(10000, 384).cuda(), nn.Embedding(10000, 384).cuda()
net, head = nn.Transformer(384, 6, 3, 3, 1536, batch_first=True, norm_first=True).cuda(), nn.Linear(384, 10000).cuda()
params = [p for m in (src_e, tgt_e, net, head) for p in m.parameters()]
opt = torch.optim.Adam(params, lr=1e-4, betas=(0.9, 0.98), eps=1e-9)
for step in range(3):
    src, tgt = torch.randint(1, 10000, (16, 96), device="cuda"), torch.randint(1, 10000, (16, 81), device="cuda")
    src[:, 80:] = 0
    pad = src == 0
    inp, gold = tgt[:, :-1], tgt[:, 1:]
    mask = nn.Transformer.generate_square_subsequent_mask(inp.shape[1], device="cuda")
    out = head(net(src_e(src), tgt_e(inp), tgt_mask=mask, src_key_padding_mask=pad, memory_key_padding_mask=pad))
    loss = nn.functional.cross_entropy(out.view(-1, 10000), gold.reshape(-1), label_smoothing=0.1)
    opt.zero_grad()
    loss.backward()
    opt.step()
