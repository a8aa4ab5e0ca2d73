# limit: 1.25
import math

import torch
from torch import nn
import torch.nn.functional as F

VOCAB = 32000
D = 256


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.src = nn.Embedding(VOCAB, D)
        self.core = nn.Transformer(D, 4, 2, 2, 512, batch_first=True)
        self.head = nn.Linear(D, VOCAB, bias=False)
        self.head.weight = self.src.weight

    def forward(self, s, t):
        mask = nn.Transformer.generate_square_subsequent_mask(t.shape[1], device=t.device)
        scale = math.sqrt(D)
        h = self.core(self.src(s) * scale, self.src(t) * scale, tgt_mask=mask, tgt_is_causal=True)
        return self.head(h)


class SmoothedLoss(nn.Module):
    def __init__(self, eps=0.1):
        super().__init__()
        self.eps = eps

    def forward(self, logits, target):
        logits = logits.reshape(-1, VOCAB)
        logp = F.log_softmax(logits, dim=-1)
        hot = F.one_hot(target.reshape(-1), VOCAB).float()
        soft = hot * (1 - self.eps) + self.eps / VOCAB
        return -(soft * logp).sum(-1).mean()


def pairs(bs, length):
    return (torch.randint(4, VOCAB, (bs, length), device="cuda"),
            torch.randint(4, VOCAB, (bs, length), device="cuda"))


def main():
    torch.manual_seed(6)
    model = Translator().to("cuda")
    crit = SmoothedLoss()
    opt = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98))
    for epoch, length in enumerate([8, 16, 80]):
        for step in range(8):
            s, t = pairs(32, length)
            loss = crit(model(s, t[:, :-1]), t[:, 1:])
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(f"epoch {epoch} length {length} loss {loss.item():.2f}")


if __name__ == "__main__":
    main()
