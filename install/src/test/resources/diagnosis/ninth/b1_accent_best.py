# limit: 1.6
import copy
import torch
from torch import nn

device = torch.device("cuda")
MELS, WIDTH, DEPTH, ACCENTS = 80, 1024, 12, 20


class AccentNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(MELS, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, 16, 4 * WIDTH, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, DEPTH, enable_nested_tensor=False)
        self.out = nn.Linear(WIDTH, ACCENTS)

    def forward(self, mel):
        return self.out(self.encoder(self.inp(mel)).mean(1))


def clips(n, size=4, frames=64):
    for _ in range(n):
        yield torch.randn(size, frames, MELS, device=device), torch.randint(0, ACCENTS, (size,), device=device)


def train_epoch(model, opt):
    model.train()
    for mel, accent in clips(12):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(mel), accent)
        loss.backward()
        opt.step()


@torch.no_grad()
def validate(model):
    model.eval()
    hits = total = 0
    for mel, accent in clips(6):
        hits += (model(mel).argmax(1) == accent).sum().item()
        total += len(accent)
    return hits / total


model = AccentNet().to(device)
opt = torch.optim.SGD(model.parameters(), lr=1e-2)
best_score, best_model = -1.0, None
for epoch in range(6):
    train_epoch(model, opt)
    score = validate(model)
    if score > best_score:
        best_score = score
        best_model = copy.deepcopy(model)
    print("epoch", epoch, "score", score, "best", best_score)
