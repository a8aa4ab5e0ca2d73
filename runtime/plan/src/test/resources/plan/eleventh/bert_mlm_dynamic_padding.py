"""Masked-LM pretraining of a small BERT with length-bucketed dynamic padding."""
import random
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader, Dataset, Sampler
from transformers import BertConfig, BertForMaskedLM, get_linear_schedule_with_warmup

VOCAB = 16000
PAD, CLS, SEP, MASK = 0, 1, 2, 3
N_SENT = 160
BATCH = 16
MAX_LEN = 320


class ZipfText(Dataset):
    def __init__(self, n, seed=5):
        rng = random.Random(seed)
        self.lengths = [min(MAX_LEN, max(24, int(rng.lognormvariate(4.9, 0.5)))) for _ in range(n)]

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        u = torch.rand(self.lengths[i] - 2, generator=g)
        body = (4 + (VOCAB - 5) * u.pow(3)).long()
        return torch.cat([torch.tensor([CLS]), body, torch.tensor([SEP])])


class BucketSampler(Sampler):
    def __init__(self, lengths, batch, seed):
        order = sorted(range(len(lengths)), key=lambda i: lengths[i])
        self.batches = [order[i:i + batch] for i in range(0, len(order), batch)]
        random.Random(seed).shuffle(self.batches)

    def __iter__(self):
        return iter(self.batches)

    def __len__(self):
        return len(self.batches)


@dataclass
class MlmCollator:
    p: float = 0.15
    multiple: int = 8

    def __call__(self, seqs):
        width = max(len(s) for s in seqs)
        width = (width + self.multiple - 1) // self.multiple * self.multiple
        ids = torch.full((len(seqs), width), PAD)
        for r, s in enumerate(seqs):
            ids[r, :len(s)] = s
        att = (ids != PAD).long()
        labels = ids.clone()
        prob = torch.full(ids.shape, self.p).masked_fill(ids < 4, 0.0)
        chosen = torch.bernoulli(prob).bool()
        labels[~chosen] = -100
        rep = torch.rand(ids.shape)
        ids[chosen & (rep < 0.8)] = MASK
        rnd = chosen & (rep >= 0.8) & (rep < 0.9)
        ids[rnd] = torch.randint(4, VOCAB, (int(rnd.sum()),))
        return {"input_ids": ids, "attention_mask": att, "labels": labels}


def main():
    torch.manual_seed(42)
    cfg = BertConfig(vocab_size=VOCAB, hidden_size=512, num_hidden_layers=8, num_attention_heads=8,
                     intermediate_size=2048, max_position_embeddings=MAX_LEN, pad_token_id=PAD)
    model = BertForMaskedLM(cfg).to("cuda")
    ds = ZipfText(N_SENT)
    loader = DataLoader(ds, batch_sampler=BucketSampler(ds.lengths, BATCH, 9), collate_fn=MlmCollator(), num_workers=0)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-4, betas=(0.9, 0.98), weight_decay=0.01, foreach=True)
    steps = min(8, len(loader))
    sched = get_linear_schedule_with_warmup(opt, 2, steps)

    model.train()
    for step, batch in enumerate(loader):
        if step == steps:
            break
        batch = {k: v.to("cuda") for k, v in batch.items()}
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(**batch)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        opt.zero_grad()
        with torch.no_grad():
            sel = batch["labels"] != -100
            acc = (out.logits[sel].argmax(-1) == batch["labels"][sel]).float().mean().item()
        print(f"{step} shape={tuple(batch['input_ids'].shape)} loss={out.loss.item():.3f} acc={acc:.3f} "
              f"alloc={torch.cuda.memory_allocated() / 1e6:.0f}MB peak={torch.cuda.max_memory_allocated() / 1e6:.0f}MB")


if __name__ == "__main__":
    main()
