# limit: 3
import torch
from torch import nn

device = "cuda"
DIALECTS, FRAMES, MELS = 18, 400, 64


class DialectNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(MELS, 256, 5, 2, 2), nn.ReLU(), nn.Conv1d(256, 256, 5, 2, 2), nn.ReLU())
        self.attend = nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True)
        self.out = nn.Linear(256, DIALECTS)

    def forward(self, mel):
        h = self.conv(mel).transpose(1, 2)
        return self.out(self.attend(h).mean(1))


def utterances(batch=64):
    mel = torch.randn(batch, MELS, FRAMES)
    return mel.to(device), torch.randint(0, DIALECTS, (batch,), device=device)


def tidy():
    torch.cuda.empty_cache()


def train(steps=150):
    model = DialectNet().to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=5e-4)
    lossfn = nn.CrossEntropyLoss(label_smoothing=0.1)
    history = []
    for step in range(steps):
        mel, dialect = utterances()
        loss = lossfn(model(mel), dialect)
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append(loss.item())
        del mel, dialect, loss
        tidy()
        if step % 25 == 0:
            print(step, sum(history[-25:]) / len(history[-25:]))
    return model


train()
