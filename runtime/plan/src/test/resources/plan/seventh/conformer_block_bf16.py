import torch
import torch.nn as nn
import torch.nn.functional as F


class Conv(nn.Module):
    def __init__(self, d, k=15):
        super().__init__()
        self.norm, self.up, self.deep = nn.LayerNorm(d), nn.Conv1d(d, 2 * d, 1), nn.Conv1d(d, d, k, padding=k // 2, groups=d)
        self.bn, self.down = nn.BatchNorm1d(d), nn.Conv1d(d, d, 1)

    def forward(self, x):
        y = F.glu(self.up(self.norm(x).transpose(1, 2)), 1)
        return self.down(F.silu(self.bn(self.deep(y)))).transpose(1, 2)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        ff = lambda: nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.SiLU(), nn.Dropout(0.1), nn.Linear(4 * d, d), nn.Dropout(0.1))
        self.f1, self.f2, self.conv, self.norm, self.last = ff(), ff(), Conv(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, 4, dropout=0.1, batch_first=True)

    def forward(self, x, pad):
        x = x + 0.5 * self.f1(x)
        y = self.norm(x)
        x = x + self.att(y, y, y, key_padding_mask=pad, need_weights=False)[0]
        x = x + self.conv(x)
        return self.last(x + 0.5 * self.f2(x))


torch.manual_seed(0)
front = nn.Sequential(nn.Conv2d(1, 64, 3, 2), nn.ReLU(), nn.Conv2d(64, 64, 3, 2), nn.ReLU()).cuda()
proj, blocks, head = nn.Linear(64 * 19, 256).cuda(), nn.ModuleList(Block(256) for _ in range(4)).cuda(), nn.Linear(256, 500).cuda()
params = [*front.parameters(), *proj.parameters(), *blocks.parameters(), *head.parameters()]
opt = torch.optim.AdamW(params, lr=1e-3)
for step in range(3):
    mel = torch.randn(12, 1, 400, 80, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        x = proj(front(mel).transpose(1, 2).flatten(2))
        pad = torch.arange(x.shape[1], device="cuda")[None] >= torch.randint(50, x.shape[1] + 1, (12, 1), device="cuda")
        for block in blocks:
            x = block(x, pad)
        loss = F.cross_entropy(head(x).transpose(1, 2).float(), torch.randint(0, 500, x.shape[:2], device="cuda"))
    opt.zero_grad()
    loss.backward()
    opt.step()
