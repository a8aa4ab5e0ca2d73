# SASRec with in-batch + uniform negatives (logQ correction), causal self-attention, full-catalogue recall@20
import torch
import torch.nn as nn
import torch.nn.functional as F

N_ITEMS = 200_000
SEQ = 100
DIM = 128
HEADS = 2
BLOCKS = 2
BATCH = 256
NEG = 4096
STEPS = 6
EVAL_USERS = 512


class SASRec(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = nn.Embedding(N_ITEMS + 1, DIM, padding_idx=0)
        self.pos = nn.Embedding(SEQ, DIM)
        layer = nn.TransformerEncoderLayer(DIM, HEADS, 4 * DIM, dropout=0.2, activation="gelu",
                                           batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, BLOCKS, norm=nn.LayerNorm(DIM), enable_nested_tensor=False)
        self.drop = nn.Dropout(0.2)
        self.register_buffer("causal", torch.triu(torch.ones(SEQ, SEQ, dtype=torch.bool), 1))
        nn.init.normal_(self.items.weight, std=0.02)

    def forward(self, seq):
        h = self.items(seq) * DIM**0.5 + self.pos.weight[: seq.shape[1]]
        return self.enc(self.drop(h), mask=self.causal)


def sessions(n, g, dev):
    s = (torch.rand(n, SEQ + 1, generator=g, device=dev) ** 3 * N_ITEMS).long() + 1
    lens = torch.randint(5, SEQ + 2, (n, 1), generator=g, device=dev)
    keep = torch.arange(SEQ + 1, device=dev) < lens
    return s * keep


def loss_fn(model, seq, log_q, g):
    inp, tgt = seq[:, :-1], seq[:, 1:]
    h = model(inp)
    m = tgt != 0
    h, pos = h[m], tgt[m]
    neg = torch.randint(1, N_ITEMS + 1, (NEG,), generator=g, device=seq.device)
    pos_logit = (h * model.items(pos)).sum(-1, keepdim=True) - log_q[pos, None]
    neg_logit = h @ model.items(neg).T - log_q[neg]
    neg_logit = neg_logit.masked_fill(neg[None] == pos[:, None], float("-inf"))
    logits = torch.cat([pos_logit, neg_logit], 1)
    return F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long, device=seq.device))


@torch.no_grad()
def recall_at_20(model, seq):
    model.eval()
    target = seq[:, -1].clamp(min=1)
    h = model(seq[:, :-1])[:, -1]
    scores = h @ model.items.weight.T
    scores.scatter_(1, seq[:, :-1], float("-inf"))
    top = scores.topk(20, 1).indices
    model.train()
    return (top == target[:, None]).any(1).float().mean().item()


def main():
    torch.manual_seed(6)
    dev = "cuda"
    g = torch.Generator(device=dev).manual_seed(6)
    model = SASRec().to(dev)
    freq = torch.ones(N_ITEMS + 1, device=dev)
    freq += 5 * torch.rand(N_ITEMS + 1, device=dev)
    log_q = (freq / freq.sum()).log()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98))
    for step in range(STEPS):
        loss = loss_fn(model, sessions(BATCH, g, dev), log_q, g)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(step, f"{loss.item():.4f}")
    print("recall@20", recall_at_20(model, sessions(EVAL_USERS, g, dev)))
    print("peak %.0f MiB" % (torch.cuda.max_memory_allocated() / 2**20))


if __name__ == "__main__":
    main()
