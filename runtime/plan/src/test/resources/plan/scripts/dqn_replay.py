import torch, torch.nn as nn, copy
q = nn.Sequential(nn.Conv2d(4, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU(), nn.Conv2d(64, 64, 3, 1), nn.ReLU(), nn.Flatten(), nn.Linear(3136, 512), nn.ReLU(), nn.Linear(512, 6)).cuda()
target = copy.deepcopy(q); o = torch.optim.RMSprop(q.parameters(), lr=2.5e-4, momentum=0.95)
for step in range(4):
    s, s2 = torch.randint(0, 255, (32, 4, 84, 84), dtype=torch.uint8).cuda().float() / 255, torch.randint(0, 255, (32, 4, 84, 84), dtype=torch.uint8).cuda().float() / 255
    a, r = torch.randint(0, 6, (32, 1), device="cuda"), torch.randn(32, device="cuda")
    with torch.no_grad(): y = r + 0.99 * target(s2).max(1)[0]
    loss = nn.functional.smooth_l1_loss(q(s).gather(1, a).squeeze(1), y); o.zero_grad(); loss.backward(); o.step()
target.load_state_dict(q.state_dict())
