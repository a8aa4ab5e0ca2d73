# limit: 2.0
import torch
from torch import nn
import torch.nn.functional as F

VOCAB = 50_000


class BagTagger(nn.Module):
    """predicts the next word out of the mean of the last words, small output rank"""

    def __init__(self, d=96):
        super().__init__()
        self.emb = nn.EmbeddingBag(VOCAB, d, mode="mean")
        self.out = nn.Linear(d, VOCAB, bias=False)

    def forward(self, ctx):
        return self.out(self.emb(ctx))


def smooth_loss(logits, target, eps=0.1):
    hot = F.one_hot(target, VOCAB).float()
    soft = hot * (1 - eps) + eps / VOCAB
    return -(soft * F.log_softmax(logits, -1)).sum(-1).mean()


def run(name, batch, steps, model, opt):
    for s in range(steps):
        ctx = torch.randint(0, VOCAB, (batch, 8), device="cuda")
        tgt = torch.randint(0, VOCAB, (batch,), device="cuda")
        loss = smooth_loss(model(ctx), tgt)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{name}: batch {batch} loss {loss.item():.3f} "
          f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    torch.manual_seed(10)
    model = BagTagger().to("cuda")
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for name, batch in (("pilot", 64), ("small", 256), ("medium", 768), ("large", 4096)):
        run(name, batch, 5, model, opt)


if __name__ == "__main__":
    main()
