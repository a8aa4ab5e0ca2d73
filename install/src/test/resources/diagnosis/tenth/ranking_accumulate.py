# limit: 2.5
import torch
import torch.nn as nn

ACCUMULATE = 16


class Ranker(nn.Module):
    def __init__(self, d=768, layers=8):
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d), nn.LayerNorm(d)) for _ in range(layers))
        self.score = nn.Linear(d, 1)

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return self.score(x).squeeze(-1)


def pairwise(scores, relevance):
    diff = scores.unsqueeze(2) - scores.unsqueeze(1)
    order = (relevance.unsqueeze(2) > relevance.unsqueeze(1)).float()
    return (nn.functional.softplus(-diff) * order).sum() / order.sum().clamp_min(1)


model = Ranker().cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-4)


def one_update():
    total = 0
    for micro in range(ACCUMULATE):
        docs = torch.randn(16, 100, 768, device="cuda")
        relevance = torch.randint(0, 5, (16, 100), device="cuda")
        total = total + pairwise(model(docs), relevance) / ACCUMULATE
    opt.zero_grad()
    total.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    return total.item()


for update in range(50):
    print(update, one_update())
