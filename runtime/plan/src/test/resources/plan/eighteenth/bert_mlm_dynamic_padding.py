"""Continue-pretraining style masked LM on variable-length 'reports'.

Dynamic padding to the longest of the batch, length-bucketed sampler, AdamW + linear warm-up.
"""
import math
import os
import random
import tempfile

import torch
from torch.utils.data import DataLoader, Dataset, Sampler
from transformers import BertConfig, BertForMaskedLM, get_linear_schedule_with_warmup

VOCAB = 16000
PAD, CLS, SEP, MASK = 0, 1, 2, 3
MAX_LEN = 320
BATCH_SIZE = 16
N_DOCS = 96
HIDDEN = 512
LAYERS = 8


class Reports(Dataset):
    def __init__(self, n, seed=0):
        rng = random.Random(seed)
        self.docs = []
        for _ in range(n):
            length = min(MAX_LEN - 2, max(16, int(rng.lognormvariate(4.9, 0.6))))
            self.docs.append([CLS] + [rng.randint(5, VOCAB - 1) for _ in range(length)] + [SEP])

    def __len__(self):
        return len(self.docs)

    def __getitem__(self, i):
        return self.docs[i]


class BucketSampler(Sampler):
    """Sort inside chunks of 3 batches, then shuffle the batches."""

    def __init__(self, lengths, batch_size, seed):
        self.lengths, self.bs, self.rng = lengths, batch_size, random.Random(seed)

    def __iter__(self):
        order = list(range(len(self.lengths)))
        self.rng.shuffle(order)
        batches = []
        chunk = self.bs * 3
        for s in range(0, len(order), chunk):
            part = sorted(order[s:s + chunk], key=lambda i: -self.lengths[i])
            batches += [part[k:k + self.bs] for k in range(0, len(part), self.bs)]
        self.rng.shuffle(batches)
        return iter(batches)

    def __len__(self):
        return math.ceil(len(self.lengths) / self.bs)


def collate(docs):
    longest = max(map(len, docs))
    ids = torch.full((len(docs), longest), PAD)
    for r, d in enumerate(docs):
        ids[r, :len(d)] = torch.tensor(d)
    attn = (ids != PAD).long()
    labels = ids.clone()
    prob = torch.full(ids.shape, 0.15)
    prob[(ids == PAD) | (ids == CLS) | (ids == SEP)] = 0.0
    chosen = torch.bernoulli(prob).bool()
    labels[~chosen] = -100
    replace = chosen & (torch.rand(ids.shape) < 0.8)
    randomise = chosen & ~replace & (torch.rand(ids.shape) < 0.5)
    ids[replace] = MASK
    ids[randomise] = torch.randint(5, VOCAB, (int(randomise.sum()),))
    return {"input_ids": ids, "attention_mask": attn, "labels": labels}


def param_groups(model):
    skip = ("bias", "LayerNorm.weight")
    named = list(model.named_parameters())
    return [
        {"params": [p for n, p in named if not n.endswith(skip)], "weight_decay": 0.01},
        {"params": [p for n, p in named if n.endswith(skip)], "weight_decay": 0.0},
    ]


def main():
    torch.manual_seed(13)
    device = "cuda"
    cfg = BertConfig(vocab_size=VOCAB, hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=8,
                     intermediate_size=4 * HIDDEN, max_position_embeddings=MAX_LEN, pad_token_id=PAD)
    model = BertForMaskedLM(cfg).to(device)
    data = Reports(N_DOCS)
    loader = DataLoader(data, batch_sampler=BucketSampler([len(d) for d in data.docs], BATCH_SIZE, 5),
                        collate_fn=collate)
    opt = torch.optim.AdamW(param_groups(model), lr=2e-4, betas=(0.9, 0.98), eps=1e-6)
    sched = get_linear_schedule_with_warmup(opt, 2, len(loader))

    model.train()
    for step, batch in enumerate(loader):
        batch = {k: v.to(device) for k, v in batch.items()}
        out = model(**batch)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        model.zero_grad()
        print(f"{step}: shape {tuple(batch['input_ids'].shape)} loss {out.loss.item():.3f} "
              f"ppl {math.exp(min(20, out.loss.item())):.0f} "
              f"mem {torch.cuda.max_memory_allocated() / 1e6:.0f} MB")

    with tempfile.TemporaryDirectory() as d:
        model.save_pretrained(d)
        print("saved", round(sum(os.path.getsize(os.path.join(d, f)) for f in os.listdir(d)) / 1e6), "MB")


if __name__ == "__main__":
    main()
