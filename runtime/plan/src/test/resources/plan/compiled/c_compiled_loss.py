"""An eager model whose contrastive loss alone is compiled, with gradients accumulated."""
import torch
import torch.nn as nn
from torch.nn import functional as F

torch.manual_seed(0)
tower = lambda i: nn.Sequential(nn.Linear(i, 1024), nn.LayerNorm(1024), nn.GELU(), nn.Linear(1024, 256))
images, texts = tower(768).cuda(), tower(512).cuda()
scale = nn.Parameter(torch.tensor(2.6, device="cuda"))


@torch.compile
def contrast(a, b, scale):
    a, b = F.normalize(a, dim=-1), F.normalize(b, dim=-1)
    logits = scale.exp() * a @ b.T
    target = torch.arange(a.shape[0], device=a.device)
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2


optimizer = torch.optim.AdamW([*images.parameters(), *texts.parameters(), scale], lr=1e-4)
for step in range(4):
    for part in range(2):
        loss = contrast(images(torch.randn(4096, 768, device="cuda")), texts(torch.randn(4096, 512, device="cuda")), scale) / 2
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(loss.item())
