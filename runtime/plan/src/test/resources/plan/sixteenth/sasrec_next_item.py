"""SASRec: self-attentive next-item recommendation, sampled negatives, full ranking at evaluation."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Args:
    n_items = 60000
    n_users = 1600
    maxlen = 200
    hidden = 128
    blocks = 2
    heads = 2
    dropout = 0.2
    batch_size = 256
    num_neg = 4
    lr = 1e-3
    epochs = 1
    eval_users = 512
    seed = 42


class Interactions(Dataset):
    def __init__(self, a):
        self.a = a
        g = torch.Generator().manual_seed(a.seed)
        pop = torch.rand(a.n_users, a.maxlen * 2, generator=g).pow(2.5)
        lengths = torch.randint(5, a.maxlen * 2, (a.n_users,), generator=g)
        self.hist = [(pop[u, : lengths[u]] * a.n_items).long() + 1 for u in range(a.n_users)]

    def __len__(self):
        return self.a.n_users

    def __getitem__(self, u):
        a, h = self.a, self.hist[u]
        seq = torch.zeros(a.maxlen, dtype=torch.long)
        pos = torch.zeros(a.maxlen, dtype=torch.long)
        n = min(a.maxlen, len(h) - 2)
        seq[-n:], pos[-n:] = h[-n - 2:-2], h[-n - 1:-1]
        test_seq = torch.zeros(a.maxlen, dtype=torch.long)
        test_seq[-n:] = h[-n - 1:-1]
        return seq, pos, test_seq, h[-1]


class SASRec(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.a = a
        self.item = nn.Embedding(a.n_items + 1, a.hidden, padding_idx=0)
        self.pos = nn.Embedding(a.maxlen, a.hidden)
        self.drop = nn.Dropout(a.dropout)
        self.ln1 = nn.ModuleList([nn.LayerNorm(a.hidden, eps=1e-8) for _ in range(a.blocks)])
        self.ln2 = nn.ModuleList([nn.LayerNorm(a.hidden, eps=1e-8) for _ in range(a.blocks)])
        self.att = nn.ModuleList([nn.MultiheadAttention(a.hidden, a.heads, a.dropout, batch_first=True)
                                  for _ in range(a.blocks)])
        self.ffn = nn.ModuleList([nn.Sequential(
            nn.Conv1d(a.hidden, a.hidden, 1), nn.Dropout(a.dropout), nn.ReLU(),
            nn.Conv1d(a.hidden, a.hidden, 1), nn.Dropout(a.dropout)) for _ in range(a.blocks)])
        self.last = nn.LayerNorm(a.hidden, eps=1e-8)
        nn.init.normal_(self.item.weight, std=0.02)

    def encode(self, seq):
        L = seq.size(1)
        x = self.item(seq) * self.a.hidden**0.5 + self.pos(torch.arange(L, device=seq.device))
        keep = (seq != 0).unsqueeze(-1)
        x = self.drop(x) * keep
        causal = torch.triu(torch.ones(L, L, dtype=torch.bool, device=seq.device), 1)
        for ln1, att, ln2, ffn in zip(self.ln1, self.att, self.ln2, self.ffn):
            q = ln1(x)
            y, _ = att(q, x, x, attn_mask=causal)
            x = q + y
            z = ln2(x)
            x = (z + ffn(z.transpose(1, 2)).transpose(1, 2)) * keep
        return self.last(x)

    def forward(self, seq, pos, neg):
        h = self.encode(seq)
        p = (h * self.item(pos)).sum(-1)
        n = torch.einsum("bld,blkd->blk", h, self.item(neg))
        return p, n


def main():
    a = Args()
    torch.manual_seed(a.seed)
    device = "cuda"
    ds = Interactions(a)
    loader = DataLoader(ds, a.batch_size, shuffle=True, drop_last=True)
    model = SASRec(a).to(device)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr, betas=(0.9, 0.98))
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(a.epochs):
        model.train()
        for step, (seq, pos, _, _) in enumerate(loader):
            seq, pos = seq.to(device), pos.to(device)
            neg = torch.randint(1, a.n_items + 1, (*seq.shape, a.num_neg), device=device)
            p, n = model(seq, pos, neg)
            valid = pos != 0
            loss = bce(p[valid], torch.ones_like(p[valid])) + bce(n[valid], torch.zeros_like(n[valid]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(f"epoch {epoch} step {step} loss {loss.item():.4f}")
        print("train peak MiB", torch.cuda.max_memory_allocated() // 2**20)

    model.eval()
    ndcg = hit = seen = 0.0
    with torch.no_grad():
        for _, _, seq, target in DataLoader(ds, 256):
            h = model.encode(seq.to(device))[:, -1]
            scores = h @ model.item.weight.T
            scores[:, 0] = -torch.inf
            t = target.to(device)
            rank = (scores > scores.gather(1, t[:, None])).sum(1)
            top = rank < 10
            hit += top.sum().item()
            ndcg += (1 / torch.log2(rank[top].float() + 2)).sum().item()
            seen += len(t)
            if seen >= a.eval_users:
                break
    print(f"HR@10 {hit / seen:.4f} NDCG@10 {ndcg / seen:.4f} peak MiB {torch.cuda.max_memory_allocated() // 2**20}")


if __name__ == "__main__":
    main()
