import torch, torchvision
import torch.nn.functional as F
torch.manual_seed(0)
backbone = torchvision.models.squeezenet1_1(weights=None)
backbone.classifier = torch.nn.Sequential(torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(512, 128))
backbone.cuda()
opt = torch.optim.Adam(backbone.parameters(), lr=3e-4, amsgrad=True)
labels = torch.arange(16, device="cuda").repeat_interleave(4)
for step in range(3):
    x = torch.randn(64, 3, 112, 112, device="cuda")
    z = F.normalize(backbone(x), dim=1)
    distance = torch.cdist(z, z)
    same = labels[:, None] == labels[None]
    positive = distance.masked_fill(~same, float("-inf")).max(1).values
    negative = distance.masked_fill(same, float("inf")).min(1).values
    loss = F.relu(positive - negative + 0.3).mean()
    opt.zero_grad(set_to_none=False)
    loss.backward()
    opt.step()
    print(f"{loss.item():.3f}")
