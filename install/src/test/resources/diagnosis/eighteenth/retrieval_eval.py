# limit: 2.0
"""Offline evaluation of a two-tower retriever; run by CI on every release candidate."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, vocab=20000, dim=256):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.ff = nn.Sequential(nn.Linear(dim, 512), nn.ReLU(), nn.Linear(512, dim))

    def forward(self, ids):
        return F.normalize(self.ff(self.emb(ids)), dim=-1)


class Metric:
    name = "metric"

    def update(self, scores, gold):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError


class RecallAtK(Metric):
    def __init__(self, ks=(1, 10, 100)):
        self.ks, self.scores, self.gold = ks, [], []

    def update(self, scores, gold):
        self.scores.append(scores)
        self.gold.append(gold)

    def compute(self):
        hits = {k: 0.0 for k in self.ks}
        total = 0
        for s, g in zip(self.scores, self.gold):
            top = s.topk(max(self.ks), dim=-1).indices
            for k in self.ks:
                hits[k] += (top[:, :k] == g[:, None]).any(-1).sum().item()
            total += len(g)
        return {f"recall@{k}": v / total for k, v in hits.items()}


class MeanScore(Metric):
    def __init__(self):
        self.total, self.n = 0.0, 0

    def update(self, scores, gold):
        self.total += scores.mean().item()
        self.n += 1

    def compute(self):
        return {"mean_score": self.total / max(self.n, 1)}


class Evaluator:
    def __init__(self, query_tower, doc_tower, metrics):
        self.q, self.d, self.metrics = query_tower.eval(), doc_tower.eval(), metrics

    @torch.no_grad()
    def run(self, docs, queries, batch=256):
        index = torch.cat([self.d(chunk) for chunk in docs.split(4096)])
        for step, (ids, gold) in enumerate(zip(queries[0].split(batch), queries[1].split(batch))):
            scores = self.q(ids) @ index.t()
            for m in self.metrics:
                m.update(scores, gold)
            if step % 8 == 0:
                print(f"batch {step}: scores {tuple(scores.shape)}", flush=True)
        report = {}
        for m in self.metrics:
            report.update(m.compute())
        return report


if __name__ == "__main__":
    torch.manual_seed(3)
    device = torch.device("cuda")
    n_docs, n_queries = 50_000, 16_384
    docs = torch.randint(0, 20000, (n_docs, 24), device=device)
    q = torch.randint(0, 20000, (n_queries, 8), device=device)
    gold = torch.randint(0, n_docs, (n_queries,), device=device)
    ev = Evaluator(Tower().to(device), Tower().to(device), [MeanScore(), RecallAtK()])
    print(ev.run(docs, (q, gold)))
