import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(300, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 10)).cuda()
state = {}
for step in range(3):
    x, y = torch.randn(2048, 300, device="cuda"), torch.randint(0, 10, (2048,), device="cuda")
    loss = nn.functional.cross_entropy(net(x), y)
    net.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in net.parameters():
            if p.dim() < 2:
                p.sub_(0.1 * p.grad)
                continue
            left, right = state.setdefault(p, (1e-4 * torch.eye(p.shape[0], device="cuda"), 1e-4 * torch.eye(p.shape[1], device="cuda")))
            left.add_(p.grad @ p.grad.T)
            right.add_(p.grad.T @ p.grad)
            roots = []
            for m in (left, right):
                w, v = torch.linalg.eigh(m)
                roots.append((v * w.clamp(min=1e-8).pow(-0.25)) @ v.T)
            p.sub_(0.1 * roots[0] @ p.grad @ roots[1])
