import timm, torch
from timm.optim import Lamb
torch.manual_seed(0)
model = timm.create_model("eva02_tiny_patch14_224", num_classes=200).cuda().train()
opt = Lamb(model.parameters(), lr=2e-3, weight_decay=0.05)
schedule = torch.optim.lr_scheduler.OneCycleLR(opt, 2e-3, total_steps=10)
for step in range(3):
    x, y = torch.randn(24, 3, 224, 224, device="cuda"), torch.randint(0, 200, (24,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = torch.nn.functional.cross_entropy(model(x), y)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    schedule.step()
    opt.zero_grad()
