import torch
import torch.nn as nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1024, 2048), nn.GELU(), nn.LayerNorm(2048), nn.Linear(2048, 512)).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
side = torch.cuda.Stream()


def load():
    with torch.cuda.stream(side):
        return torch.randn(2048, 1024).pin_memory().cuda(non_blocking=True), torch.randint(0, 512, (2048,)).pin_memory().cuda(non_blocking=True)


following = load()
for step in range(4):
    torch.cuda.current_stream().wait_stream(side)
    x, y = following
    x.record_stream(torch.cuda.current_stream())
    y.record_stream(torch.cuda.current_stream())
    following = load()
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
