import torch, torch.nn as nn
class LM(nn.Module):
    def __init__(self, V=10000, d=512):
        super().__init__(); self.e = nn.Embedding(V, d); self.rnn = nn.LSTM(d, d, 2, batch_first=True, dropout=0.2); self.o = nn.Linear(d, V)
    def forward(self, x, h=None):
        y, h = self.rnn(self.e(x), h); return self.o(y), h
model = LM().cuda(); optimizer = torch.optim.SGD(model.parameters(), lr=1.0); h = None
for step in range(3):
    x, y = torch.randint(0, 10000, (32, 64), device="cuda"), torch.randint(0, 10000, (32, 64), device="cuda")
    if h is not None: h = tuple(t.detach() for t in h)
    out, h = model(x, h); loss = nn.functional.cross_entropy(out.reshape(-1, 10000), y.reshape(-1)); optimizer.zero_grad(); loss.backward(); optimizer.step()
