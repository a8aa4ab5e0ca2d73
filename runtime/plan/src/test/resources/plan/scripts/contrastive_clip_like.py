import torch, torch.nn as nn, torch.nn.functional as F
a = nn.Sequential(nn.Linear(2048, 1024), nn.LayerNorm(1024), nn.GELU(), nn.Linear(1024, 512)).cuda(); b = nn.Sequential(nn.Linear(768, 1024), nn.LayerNorm(1024), nn.GELU(), nn.Linear(1024, 512)).cuda()
t = nn.Parameter(torch.tensor(2.6, device="cuda")); o = torch.optim.AdamW([*a.parameters(), *b.parameters(), t])
for step in range(3):
    x, y = F.normalize(a(torch.randn(2048, 2048, device="cuda")), dim=-1), F.normalize(b(torch.randn(2048, 768, device="cuda")), dim=-1)
    s = x @ y.t() * t.exp(); l = torch.arange(2048, device="cuda"); loss = (F.cross_entropy(s, l) + F.cross_entropy(s.t(), l)) / 2
    o.zero_grad(); loss.backward(); o.step()
