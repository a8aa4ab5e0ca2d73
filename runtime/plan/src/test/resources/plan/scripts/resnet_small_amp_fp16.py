import torch, torch.nn.functional as F
from models import SmallResNet
model = SmallResNet(width=64).cuda().to(memory_format=torch.channels_last)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9); scaler = torch.amp.GradScaler("cuda")
for step in range(3):
    x, y = torch.randn(128, 3, 32, 32, device="cuda").to(memory_format=torch.channels_last), torch.randint(0, 10, (128,), device="cuda")
    optimizer.zero_grad()
    with torch.autocast(device_type="cuda", dtype=torch.float16):
        loss = F.cross_entropy(model(x), y)
    scaler.scale(loss).backward(); scaler.step(optimizer); scaler.update()
