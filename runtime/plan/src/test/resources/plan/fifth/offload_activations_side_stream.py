import torch
import torch.nn as nn
torch.manual_seed(0)
side = torch.cuda.Stream()


def pack(t):
    if t.numel() < 1 << 20 or isinstance(t, nn.Parameter):
        return t
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        there = torch.empty(t.shape, dtype=t.dtype, pin_memory=True)
        there.copy_(t, non_blocking=True)
    t.record_stream(side)
    return there


def unpack(t):
    if t.device.type == "cuda":
        return t
    back = t.to("cuda", non_blocking=True)
    return back


model = nn.Sequential(*[nn.Sequential(nn.Linear(1024, 1024), nn.SiLU()) for _ in range(8)]).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(3):
    x = torch.randn(4096, 1024, device="cuda")
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        loss = model(x).square().mean()
    torch.cuda.synchronize()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
