import torch, torch.nn as nn
m = nn.Sequential(nn.Conv2d(3, 32, 3, 2, 1), nn.ReLU(), nn.Conv2d(32, 64, 3, 2, 1), nn.ReLU(), nn.Upsample(scale_factor=2), nn.Conv2d(64, 32, 3, 1, 1), nn.ReLU(), nn.Upsample(scale_factor=2, mode="bilinear"), nn.Conv2d(32, 3, 3, 1, 1)).to("cuda", torch.bfloat16)
o = torch.optim.AdamW(m.parameters())
for step in range(3):
    x = torch.rand(32, 3, 128, 128, device="cuda", dtype=torch.bfloat16); l = nn.functional.l1_loss(m(x), x); o.zero_grad(); l.backward(); o.step()
