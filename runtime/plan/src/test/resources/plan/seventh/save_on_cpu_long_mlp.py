import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(*[m for _ in range(10) for m in (nn.Linear(2048, 2048), nn.GELU())], nn.Linear(2048, 16)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
for step in range(3):
    x, y = torch.randn(2048, 2048, device="cuda"), torch.randint(0, 16, (2048,), device="cuda")
    with torch.autograd.graph.save_on_cpu(pin_memory=False):
        loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
    opt.zero_grad()
