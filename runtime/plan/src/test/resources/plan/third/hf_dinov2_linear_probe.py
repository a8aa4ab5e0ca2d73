import torch
from transformers import Dinov2Config, Dinov2Model
torch.manual_seed(0)
backbone = Dinov2Model(Dinov2Config(hidden_size=384, num_hidden_layers=8, num_attention_heads=6, image_size=224, patch_size=14)).cuda().eval().requires_grad_(False)
head = torch.nn.Linear(384, 100).cuda()
opt = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
for step in range(3):
    x, y = torch.randn(32, 3, 224, 224, device="cuda"), torch.randint(0, 100, (32,), device="cuda")
    with torch.no_grad():
        features = backbone(pixel_values=x).last_hidden_state[:, 0]
    loss = torch.nn.functional.cross_entropy(head(features), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
