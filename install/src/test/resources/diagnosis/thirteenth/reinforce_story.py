# limit: 1.5
# notebook -> script: reinforce on a toy language model with a moving baseline
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)
dev = torch.device("cuda")
V, D, T, B = 4000, 512, 192, 16


class TinyLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, D)
        layer = nn.TransformerEncoderLayer(D, 8, 4 * D, batch_first=True, dropout=0.0)
        self.enc = nn.TransformerEncoder(layer, 2)
        self.out = nn.Linear(D, V)

    def forward(self, x):
        return self.out(self.enc(self.emb(x)))


class Baseline:
    """keeps the statistics of former rollouts"""

    def __init__(self):
        self.history = []

    def update(self, reward, logp):
        self.history.append((reward, logp.mean()))

    def value(self):
        if not self.history:
            return 0.0
        recent = self.history[-20:]
        return sum(r for r, _ in recent) / len(recent)


# %% set-up
lm = TinyLM().to(dev)
opt = torch.optim.SGD(lm.parameters(), lr=1e-3)
baseline = Baseline()

# %% training
for it in range(60):
    x = torch.randint(0, V, (B, T), device=dev)
    lp = F.log_softmax(lm(x[:, :-1]), dim=-1)
    lp = lp.gather(-1, x[:, 1:, None]).squeeze(-1)
    reward = float((x % 7 == 0).float().mean())
    loss = -((reward - baseline.value()) * lp.sum(1)).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    baseline.update(reward, lp)
    if it % 2 == 0:
        print(it, f"{loss.item():.3f}", f"{baseline.value():.3f}")
