import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import weight_norm


class Layer(nn.Module):
    def __init__(self, c, d):
        super().__init__()
        self.d, self.conv, self.mix = d, weight_norm(nn.Conv1d(c, 2 * c, 2, dilation=d)), weight_norm(nn.Conv1d(c, 2 * c, 1))

    def forward(self, x):
        a, b = self.conv(F.pad(x, (self.d, 0))).chunk(2, 1)
        r, s = self.mix(torch.tanh(a) * torch.sigmoid(b)).chunk(2, 1)
        return (x + r) * 0.7071, s


torch.manual_seed(0)
c = 96
embed, layers = nn.Embedding(256, c).cuda(), nn.ModuleList(Layer(c, 2 ** (i % 7)) for i in range(14)).cuda()
head = nn.Sequential(nn.ReLU(), nn.Conv1d(c, c, 1), nn.ReLU(), nn.Conv1d(c, 256, 1)).cuda()
opt = torch.optim.RAdam([*embed.parameters(), *layers.parameters(), *head.parameters()], lr=1e-3)
for step in range(3):
    x = torch.randint(0, 256, (8, 2001), device="cuda")
    h, skips = embed(x[:, :-1]).transpose(1, 2), 0
    for layer in layers:
        h, s = layer(h)
        skips = skips + s
    loss = F.cross_entropy(head(skips), x[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
