# limit: 2.0
"""Topic scores for whole TV episodes: BERT-like encoder on the subtitles, inference only."""
import time

import torch
from transformers import BertConfig, BertForSequenceClassification

torch.manual_seed(0)
device = "cuda"


class TopicScorer:
    def __init__(self, n_topics=12, max_len=4096):
        cfg = BertConfig(
            hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536,
            vocab_size=20000, max_position_embeddings=max_len, num_labels=n_topics)
        cfg._attn_implementation = "eager"
        self.model = BertForSequenceClassification(cfg).eval().to(device)
        self.max_len = max_len

    def _pad(self, docs):
        n = min(self.max_len, max(len(d) for d in docs))
        ids = torch.zeros(len(docs), n, dtype=torch.long)
        for i, d in enumerate(docs):
            d = d[:n]
            ids[i, : len(d)] = d
        return ids.to(device), (ids != 0).long().to(device)

    @torch.no_grad()
    def score(self, docs):
        ids, mask = self._pad(docs)
        return self.model(input_ids=ids, attention_mask=mask).logits.softmax(-1).cpu()


def episodes(kind, n, length):
    g = torch.Generator().manual_seed(length)
    for i in range(n):
        size = length - int(torch.randint(0, length // 8, (1,), generator=g))
        yield f"{kind}-{i}", torch.randint(1, 20000, (size,), generator=g)


def batched(items, bs=4):
    buf = []
    for it in items:
        buf.append(it)
        if len(buf) == bs:
            yield buf
            buf = []
    if buf:
        yield buf


scorer = TopicScorer()
for kind, n, length in (("clip", 40, 256), ("short", 24, 768), ("news", 16, 1100), ("episode", 12, 5000)):
    t0 = time.time()
    best = []
    for chunk in batched(episodes(kind, n, length)):
        s = scorer.score([d for _, d in chunk])
        best += s.argmax(-1).tolist()
    print(kind, best, f"{time.time() - t0:.2f}s", flush=True)
