# limit: 2
"""Content and speaker heads share an encoder; their gradients are balanced by norm."""
import torch
from torch import nn
import torch.nn.functional as F

DEV = "cuda"
MELS, DIM, PHONES, SPEAKERS = 80, 384, 45, 200


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(MELS, DIM, 5, padding=2), nn.GELU(), nn.Conv1d(DIM, DIM, 5, padding=2), nn.GELU(),
            nn.Conv1d(DIM, DIM, 5, padding=2), nn.GELU())
        self.phone, self.speaker = nn.Conv1d(DIM, PHONES, 1), nn.Linear(DIM, SPEAKERS)

    def forward(self, mel):
        h = self.body(mel)
        return self.phone(h), self.speaker(h.mean(-1))


def speech(batch=48, frames=300):
    mel = torch.randn(batch, MELS, frames, device=DEV)
    phones = torch.randint(0, PHONES, (batch, frames), device=DEV)
    return mel, phones, torch.randint(0, SPEAKERS, (batch,), device=DEV)


def gradient_norm(params):
    return torch.sqrt(sum(p.grad.pow(2).sum() for p in params if p.grad is not None)).item()


model = Shared().to(DEV)
opt = torch.optim.Adam(model.parameters(), lr=3e-4)
body = list(model.body.parameters())
balance, history = 1.0, []
for step in range(160):
    mel, phones, who = speech()
    phone_logits, speaker_logits = model(mel)
    phone_loss = F.cross_entropy(phone_logits, phones)
    speaker_loss = F.cross_entropy(speaker_logits, who)
    opt.zero_grad()
    speaker_loss.backward(retain_graph=True)
    speaker_norm = gradient_norm(body)
    opt.zero_grad()
    (phone_loss + balance * speaker_loss).backward()
    opt.step()
    balance = min(2.0, 0.5 / (speaker_norm + 1e-3))
    history.append((phone_loss.item(), speaker_loss.item()))
    if step % 40 == 0:
        print(step, history[-1], "balance", balance)
