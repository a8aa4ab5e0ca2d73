import torch
import torch.nn as nn
import torch.nn.functional as F


class Conv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin, self.att = nn.Linear(i, o, bias=False), nn.Linear(2 * o, 1)

    def forward(self, x, src, dst):
        h = self.lin(x)
        e = F.leaky_relu(self.att(torch.cat([h[src], h[dst]], 1)), 0.2).squeeze(1)
        e = torch.exp(e - e.max())
        total = torch.zeros(x.shape[0], device=x.device).scatter_add_(0, dst, e)
        w = e / total[dst].clamp_min(1e-9)
        return torch.zeros_like(h).index_add_(0, dst, h[src] * w.unsqueeze(1))


torch.manual_seed(0)
n, m = 20000, 160000
x, src, dst = torch.randn(n, 128, device="cuda"), torch.randint(0, n, (m,), device="cuda"), torch.randint(0, n, (m,), device="cuda")
y = torch.randint(0, 16, (n,), device="cuda")
train = torch.arange(0, 5000, device="cuda")
layers = nn.ModuleList([Conv(128, 128), Conv(128, 64), Conv(64, 16)]).cuda()
opt = torch.optim.Adam(layers.parameters(), lr=5e-3, weight_decay=5e-4)
for step in range(3):
    h = x
    for i, layer in enumerate(layers):
        h = layer(F.dropout(h, 0.3), src, dst)
        h = F.elu(h) if i < 2 else h
    loss = F.nll_loss(F.log_softmax(h, 1)[train], y[train])
    opt.zero_grad()
    loss.backward()
    opt.step()
