import torch
from transformers import SegformerConfig, SegformerForSemanticSegmentation
torch.manual_seed(0)
model = SegformerForSemanticSegmentation(SegformerConfig(num_labels=19)).cuda().train()
opt = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9, foreach=True)
for step in range(3):
    x = torch.randn(4, 3, 256, 256, device="cuda")
    y = torch.randint(0, 19, (4, 256, 256), device="cuda")
    out = model(pixel_values=x, labels=y)
    out.loss.backward()
    opt.step()
    opt.zero_grad()
