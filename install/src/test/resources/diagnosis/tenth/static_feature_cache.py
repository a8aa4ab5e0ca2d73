# limit: 4
"""Frozen backbone; the features of the whole training set are kept on the GPU once, then a head is trained for many epochs."""
import torch
import torch.nn as nn

IMAGES, FEATURES, CLASSES = 300_000, 2048, 100


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(768, 1024), nn.ReLU(), nn.Linear(1024, FEATURES))

    def forward(self, x):
        return self.net(x)


@torch.no_grad()
def fill(backbone, chunk=10_000):
    cache = torch.empty(IMAGES, FEATURES, dtype=torch.float16, device="cuda")
    for first in range(0, IMAGES, chunk):
        cache[first : first + chunk] = backbone(torch.randn(chunk, 768, device="cuda")).half()
    return cache


backbone = Backbone().cuda().eval()
cache = fill(backbone)
labels = torch.randint(0, CLASSES, (IMAGES,), device="cuda")
print("cache", cache.nbytes // 2**20, "MiB")
del backbone

head = nn.Linear(FEATURES, CLASSES).cuda()
opt = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
for epoch in range(3):
    order = torch.randperm(IMAGES, device="cuda")
    right = 0
    for idx in order.split(8192):
        logits = head(cache[idx].float())
        loss = nn.functional.cross_entropy(logits, labels[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        right += (logits.detach().argmax(1) == labels[idx]).sum().item()
    print(epoch, loss.item(), right / IMAGES)
