import torch, torch.nn as nn
model = nn.Sequential(*[nn.Sequential(nn.Linear(2048, 2048), nn.SiLU()) for _ in range(6)], nn.Linear(2048, 2048)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), fused=True)
for step in range(3):
    x = torch.randn(1024, 2048, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x).float().pow(2).mean()
    loss.backward(); optimizer.step(); optimizer.zero_grad(set_to_none=True)
