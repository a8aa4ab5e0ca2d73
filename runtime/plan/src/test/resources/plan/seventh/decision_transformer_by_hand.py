import torch
import torch.nn as nn
import torch.nn.functional as F


class DT(nn.Module):
    def __init__(self, state=17, act=6, d=256, layers=4):
        super().__init__()
        self.r, self.s, self.a, self.t = nn.Linear(1, d), nn.Linear(state, d), nn.Linear(act, d), nn.Embedding(1000, d)
        layer = nn.TransformerEncoderLayer(d, 4, 4 * d, 0.1, "relu", batch_first=True)
        self.body, self.norm, self.head = nn.TransformerEncoder(layer, layers), nn.LayerNorm(d), nn.Sequential(nn.Linear(d, act), nn.Tanh())

    def forward(self, r, s, a, t):
        time = self.t(t)
        x = torch.stack([self.r(r) + time, self.s(s) + time, self.a(a) + time], 2).flatten(1, 2)
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1], device=x.device)
        return self.head(self.body(self.norm(x), mask=mask, is_causal=True)[:, 1::3])


torch.manual_seed(0)
model = DT().cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=1e-4)
warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda k: min((k + 1) / 100, 1))
for step in range(3):
    r, s, a = torch.randn(64, 40, 1, device="cuda"), torch.randn(64, 40, 17, device="cuda"), torch.rand(64, 40, 6, device="cuda") * 2 - 1
    t = torch.randint(0, 900, (64, 1), device="cuda") + torch.arange(40, device="cuda")
    loss = F.mse_loss(model(r, s, a, t), a)
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
    opt.step()
    warm.step()
model.eval()
with torch.no_grad():
    for step in range(4):
        n = step + 5
        print(model(torch.randn(1, n, 1, device="cuda"), torch.randn(1, n, 17, device="cuda"), torch.zeros(1, n, 6, device="cuda"), torch.arange(n, device="cuda")[None])[0, -1].cpu().numpy().shape)
