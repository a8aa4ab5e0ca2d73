# limit: 4
"""Which k-mers tell the two strains apart? Logistic model on pooled k-mer profiles."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda"
READS, LENGTH, K = 2048, 2048, 4
VOCAB = 4 ** K


def simulate_reads(strain):
    torch.manual_seed(strain)
    weights = torch.rand(4) + 0.5
    return torch.multinomial(weights, READS * LENGTH, replacement=True).view(READS, LENGTH)


def kmer_ids(reads):
    windows = reads.unfold(1, K, 1)
    base = 4 ** torch.arange(K, device=reads.device)
    return (windows * base).sum(-1)


def profiles(reads):
    ids = kmer_ids(reads)
    table = F.one_hot(ids, VOCAB)
    return table.float().mean(1)


def fit(x, y, steps=200):
    model = nn.Linear(VOCAB, 1).to(device)
    opt = torch.optim.LBFGS(model.parameters(), max_iter=20) if steps < 50 else \
        torch.optim.Adam(model.parameters(), lr=0.05)
    for step in range(steps):
        loss = F.binary_cross_entropy_with_logits(model(x).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return model, loss.item()


reads = [simulate_reads(s).to(device) for s in (0, 1)]
features = torch.cat([profiles(r) for r in reads])
labels = torch.cat([torch.zeros(READS), torch.ones(READS)]).to(device)
model, loss = fit(features, labels)
top = model.weight.abs().squeeze().topk(10).indices
print("loss", loss, "k-mers", top.tolist())
