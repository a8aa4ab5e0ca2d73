"""Dense passage retrieval: train a bi-encoder with in-batch negatives, then encode a corpus and search it."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from transformers import DistilBertConfig, DistilBertModel

SEED = 13
DIM, LAYERS = 768, 6
Q_LEN, P_LEN = 32, 180
BATCH = 48
STEPS = 5
CORPUS = 3072
QUERIES = 256
TEMP = 0.05


class SentenceEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        cfg = DistilBertConfig(dim=DIM, n_layers=LAYERS, hidden_dim=4 * DIM, n_heads=12)
        self.backbone = DistilBertModel(cfg)

    def forward(self, ids, mask):
        h = self.backbone(input_ids=ids, attention_mask=mask).last_hidden_state
        m = mask.unsqueeze(-1).to(h.dtype)
        pooled = (h * m).sum(1) / m.sum(1).clamp(min=1)
        return F.normalize(pooled.float(), dim=-1)


def text_batch(n, max_len, gen):
    ids = torch.randint(5, 30000, (n, max_len), generator=gen)
    lens = torch.randint(max_len // 3, max_len + 1, (n,), generator=gen)
    mask = (torch.arange(max_len)[None] < lens[:, None]).long()
    keep = int(lens.max())
    return (ids * mask)[:, :keep], mask[:, :keep]


def pair_batch(n, gen):
    q, qm = text_batch(n, Q_LEN, gen)
    p, pm = text_batch(n, P_LEN, gen)
    shared = min(8, q.size(1), p.size(1))
    p[:, :shared] = q[:, :shared]
    return q, qm, p, pm


@torch.inference_mode()
def encode_corpus(model, total, batch, max_len, device, gen):
    vecs = torch.empty(total, DIM, device=device)
    for i in range(0, total, batch):
        n = min(batch, total - i)
        ids, mask = text_batch(n, max_len, gen)
        with torch.autocast("cuda", dtype=torch.float16):
            vecs[i : i + n] = model(ids.to(device), mask.to(device))
    return vecs


def search(queries, corpus, k=10, chunk=1024):
    best_s = best_i = None
    for start in range(0, corpus.size(0), chunk):
        s, i = (queries @ corpus[start : start + chunk].T).topk(k, dim=1)
        i = i + start
        if best_s is None:
            best_s, best_i = s, i
        else:
            s, i = torch.cat([best_s, s], 1), torch.cat([best_i, i], 1)
            best_s, sel = s.topk(k, dim=1)
            best_i = i.gather(1, sel)
    return best_s, best_i


def main():
    torch.manual_seed(SEED)
    gen = torch.Generator().manual_seed(SEED)
    device = "cuda"
    model = SentenceEncoder().to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-5, fused=True)
    scaler = torch.amp.GradScaler("cuda")
    for step in range(STEPS):
        q, qm, p, pm = (t.to(device) for t in pair_batch(BATCH, gen))
        with torch.autocast("cuda", dtype=torch.float16):
            zq, zp = model(q, qm), model(p, pm)
        logits = zq @ zp.T / TEMP
        target = torch.arange(BATCH, device=device)
        loss = (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2
        opt.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        acc = (logits.argmax(1) == target).float().mean()
        print(f"[{step}] loss {loss.item():.4f} in-batch acc {acc:.2f}")
    print("train peak", torch.cuda.max_memory_allocated() >> 20, "MiB")

    model.eval()
    corpus = encode_corpus(model, CORPUS, 512, P_LEN, device, gen)
    queries = encode_corpus(model, QUERIES, 256, Q_LEN, device, gen)
    scores, idx = search(queries, corpus)
    print("top-1 mean score", scores[:, 0].mean().item(), "distinct hits", idx[:, 0].unique().numel())
    print("total peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
