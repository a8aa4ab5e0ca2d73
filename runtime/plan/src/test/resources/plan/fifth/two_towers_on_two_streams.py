import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)


def tower(width):
    return nn.Sequential(nn.Linear(width, 2048), nn.GELU(), nn.LayerNorm(2048), nn.Linear(2048, 2048), nn.GELU(), nn.Linear(2048, 256)).cuda()


users, items = tower(512), tower(768)
opt = torch.optim.Adam([*users.parameters(), *items.parameters()], lr=1e-3)
one, two = torch.cuda.Stream(), torch.cuda.Stream()
for step in range(4):
    a, b = torch.randn(4096, 512, device="cuda"), torch.randn(4096, 768, device="cuda")
    main = torch.cuda.current_stream()
    one.wait_stream(main)
    two.wait_stream(main)
    with torch.cuda.stream(one):
        u = users(a)
    with torch.cuda.stream(two):
        v = items(b)
    main.wait_stream(one)
    main.wait_stream(two)
    scores = F.normalize(u, dim=1) @ F.normalize(v, dim=1).T / 0.07
    loss = F.cross_entropy(scores, torch.arange(4096, device="cuda"))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
