import torch, torch.nn as nn
class Bert(nn.Module):
    def __init__(self, V=20000, d=512, n=6, h=8):
        super().__init__(); self.e, self.p = nn.Embedding(V, d), nn.Embedding(512, d)
        self.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(d, h, 4 * d, dropout=0.1, batch_first=True, activation="gelu"), n)
        self.head = nn.Linear(d, V)
    def forward(self, x): return self.head(self.enc(self.e(x) + self.p.weight[: x.shape[1]]))
model = Bert().cuda(); optimizer = torch.optim.AdamW(model.parameters())
for step in range(3):
    x = torch.randint(0, 20000, (16, 128), device="cuda"); y = torch.randint(0, 20000, (16, 128), device="cuda")
    y[:, ::2] = -100
    loss = nn.functional.cross_entropy(model(x).transpose(1, 2), y, ignore_index=-100); optimizer.zero_grad(); loss.backward(); optimizer.step()
