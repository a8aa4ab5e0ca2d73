import torch
import torch.nn as nn
from torchvision.models.video import mc3_18

torch.manual_seed(0)
model = mc3_18(weights=None)
model.fc = nn.Linear(model.fc.in_features, 11)
model = model.cuda().to(memory_format=torch.channels_last_3d)
for name, p in model.named_parameters():
    p.requires_grad = name.startswith(("layer3", "layer4", "fc"))
opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)
model.train()
for _ in range(3):
    clip = torch.randn(4, 3, 8, 88, 88, device="cuda").to(memory_format=torch.channels_last_3d)
    label = torch.randint(0, 11, (4,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(model(clip), label)
    opt.zero_grad()
    loss.backward()
    opt.step()
