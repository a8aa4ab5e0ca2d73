import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18
from torchvision.transforms import v2

# MoCo v2 on random textures. queue + momentum encoder.


class MoCo(nn.Module):
    def __init__(self, dim=128, K=65536, m=0.999, T=0.2):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = self._enc(dim)
        self.encoder_k = self._enc(dim)
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data.copy_(q.data)
            k.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @staticmethod
    def _enc(dim):
        net = resnet18(weights=None)
        hid = net.fc.in_features
        net.fc = nn.Sequential(nn.Linear(hid, hid), nn.ReLU(), nn.Linear(hid, dim))
        return net

    @torch.no_grad()
    def _momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        n = keys.shape[0]
        ptr = int(self.queue_ptr)
        assert self.K % n == 0
        self.queue[:, ptr:ptr + n] = keys.T
        self.queue_ptr[0] = (ptr + n) % self.K

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum_update()
            # shuffle so that batch norm can't cheat
            perm = torch.randperm(im_k.size(0), device=im_k.device)
            k = self.encoder_k(im_k[perm])
            k = F.normalize(k, dim=1)[perm.argsort()]
        l_pos = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        labels = torch.zeros(logits.shape[0], dtype=torch.long).cuda()
        self._enqueue(k)
        return logits, labels


augment = v2.Compose([
    v2.RandomResizedCrop(160, scale=(0.2, 1.0), antialias=True),
    v2.RandomHorizontalFlip(),
    v2.GaussianBlur(9, sigma=(0.1, 2.0)),
    v2.Normalize([0.5] * 3, [0.25] * 3),
])


def textures(n):
    coarse = torch.rand(n, 3, 12, 12).cuda()
    return F.interpolate(coarse, size=192, mode="bilinear") + 0.1 * torch.rand(n, 3, 192, 192).cuda()


def two_views(imgs):
    # the crops differ for each image
    a = torch.stack([augment(i) for i in imgs])
    b = torch.stack([augment(i) for i in imgs])
    return a, b


torch.manual_seed(0)
model = MoCo().cuda()
optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 3], gamma=0.1)
crit = nn.CrossEntropyLoss().cuda()

for step in range(4):
    q, k = two_views(textures(128))
    logits, labels = model(q, k)
    loss = crit(logits, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    acc = (logits.argmax(1) == labels).float().mean()
    print(f"step {step} loss {loss.item():.4f} acc {acc.item():.3f} ptr {int(model.queue_ptr)}")
