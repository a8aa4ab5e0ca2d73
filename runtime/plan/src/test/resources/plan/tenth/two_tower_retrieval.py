import time
import torch
from torch import nn
import torch.nn.functional as F

# two-tower retrieval: train w/ in-batch negatives, index a corpus in fp16, exact search in chunks

device = torch.device("cuda")
VOCAB, DIM, OUT = 50_000, 512, 256
CORPUS = 200_000
BATCH = 1024
TOPK = 100


class Tower(nn.Module):
    def __init__(self, max_len, layers):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM, padding_idx=0)
        self.pos = nn.Parameter(torch.randn(max_len, DIM) * 0.02)
        layer = nn.TransformerEncoderLayer(DIM, 8, 4 * DIM, dropout=0.1, activation="gelu", batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.out = nn.Linear(DIM, OUT)

    def forward(self, ids):
        pad = ids == 0
        h = self.emb(ids) + self.pos[: ids.size(1)]
        h = self.enc(h, src_key_padding_mask=pad)
        keep = (~pad).unsqueeze(-1).to(h.dtype)
        pooled = (h * keep).sum(1) / keep.sum(1)
        return F.normalize(self.out(pooled).float(), dim=-1)


def tokens(n, length):
    ids = torch.randint(1, VOCAB, (n, length), device=device)
    lens = torch.randint(length // 2, length + 1, (n, 1), device=device)
    return ids.masked_fill(torch.arange(length, device=device) >= lens, 0)


def train(query, item, steps=3):
    params = list(query.parameters()) + list(item.parameters())
    log_temp = nn.Parameter(torch.tensor(3.0, device=device))
    opt = torch.optim.AdamW(params + [log_temp], lr=1e-4, foreach=False)
    for s in range(steps):
        docs = tokens(BATCH, 64)
        qs = docs[:, :16].clone()
        drop = torch.rand(qs.shape, device=device) < 0.2
        drop[:, 0] = False
        qs[drop] = 0
        with torch.autocast("cuda", dtype=torch.bfloat16):
            a, b = query(qs), item(docs)
        logits = (a @ b.t()) * log_temp.exp()
        target = torch.arange(BATCH, device=device)
        loss = 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target))
        opt.zero_grad()
        loss.backward()
        gn = nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        print(f"step {s} loss {loss.item():.4f} temp {log_temp.exp().item():.2f} gn {gn.item():.3f}")


@torch.no_grad()
def build_index(item):
    item.eval()
    index = torch.empty(CORPUS, OUT, dtype=torch.float16, device=device)
    # only part of the corpus is really encoded, the rest are random directions
    real = 8 * BATCH
    for i in range(0, real, BATCH):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            index[i:i + BATCH] = item(tokens(BATCH, 64)).half()
    rest = torch.randn(CORPUS - real, OUT, device=device)
    index[real:] = F.normalize(rest, dim=-1).half()
    return index


@torch.no_grad()
def search(index, q, k=TOPK, chunk=50_000):
    best_s = torch.full((q.size(0), k), -2.0, device=device, dtype=torch.float16)
    best_i = torch.zeros(q.size(0), k, dtype=torch.long, device=device)
    for start in range(0, index.size(0), chunk):
        s, i = (q @ index[start:start + chunk].t()).topk(k, dim=1)
        s = torch.cat([best_s, s], 1)
        i = torch.cat([best_i, i + start], 1)
        best_s, sel = s.topk(k, dim=1)
        best_i = i.gather(1, sel)
    return best_s, best_i


torch.manual_seed(0)
q_tower, d_tower = Tower(16, 2).to(device), Tower(64, 4).to(device)
train(q_tower, d_tower)
t = time.time()
index = build_index(d_tower)
print("indexed", tuple(index.shape), f"{time.time() - t:.1f}s")
q_tower.eval()
with torch.no_grad():
    queries = q_tower(tokens(4096, 16)).half()
scores, ids = search(index, queries)
gt = torch.randint(0, CORPUS, (queries.size(0),), device=device)
rank = (ids == gt[:, None]).float()
mrr = (rank / torch.arange(1, TOPK + 1, device=device)).sum(1).mean()
print("recall@100", rank.sum(1).mean().item(), "mrr", mrr.item(), "top score", scores[:, 0].mean().item())
