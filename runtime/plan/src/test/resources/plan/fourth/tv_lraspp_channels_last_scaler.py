import torch
from torchvision.models.segmentation import lraspp_mobilenet_v3_large
torch.manual_seed(0)
model = lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=19).cuda().to(memory_format=torch.channels_last).train()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda", init_scale=64.0)
for step in range(3):
    x = torch.randn(6, 3, 256, 256, device="cuda").to(memory_format=torch.channels_last)
    y = torch.randint(0, 19, (6, 256, 256), device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        loss = torch.nn.functional.cross_entropy(model(x)["out"], y, ignore_index=255)
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
