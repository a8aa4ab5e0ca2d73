import torch
import torch.nn as nn


class Dlrm(nn.Module):
    def __init__(self, rows=(40000, 9000, 1200, 300), d=48):
        super().__init__()
        self.bags = nn.ModuleList(nn.EmbeddingBag(n, d, mode="sum") for n in rows)
        self.bottom = nn.Sequential(nn.Linear(13, 256), nn.ReLU(), nn.Linear(256, d), nn.ReLU())
        pairs = (len(rows) + 1) * len(rows) // 2
        self.top = nn.Sequential(nn.Linear(pairs + d, 256), nn.ReLU(), nn.Linear(256, 1))

    def forward(self, dense, sparse):
        x = self.bottom(dense)
        z = torch.stack([x] + [bag(s) for bag, s in zip(self.bags, sparse)], 1)
        dots = torch.bmm(z, z.transpose(1, 2))
        i, j = torch.tril_indices(z.shape[1], z.shape[1], -1, device=z.device)
        return self.top(torch.cat([x, dots[:, i, j]], 1))[:, 0]


torch.manual_seed(0)
model = Dlrm().cuda()
opt = torch.optim.Adagrad(model.parameters(), lr=0.02)
for step in range(3):
    dense = torch.rand(1500, 13).cuda()
    sparse = [torch.randint(0, n, (1500, 3)).cuda() for n in (40000, 9000, 1200, 300)]
    y = torch.randint(0, 2, (1500,)).float().cuda()
    loss = nn.functional.binary_cross_entropy_with_logits(model(dense, sparse), y, pos_weight=torch.tensor(3.0, device="cuda"))
    opt.zero_grad()
    loss.backward()
    opt.step()
