# -*- coding: utf-8 -*-
# T5 fine-tuning loop for summarization with Adafactor; documents have very different lengths.
import argparse
import random

import torch
from torch.utils.data import DataLoader, Dataset, Sampler
from transformers import Adafactor, T5Config, T5ForConditionalGeneration

PAD, EOS = 0, 1


class Documents(Dataset):
    def __init__(self, n, vocab, max_src, max_tgt, seed):
        rnd = random.Random(seed)
        self.items = []
        for _ in range(n):
            s = rnd.randint(max_src // 6, max_src)
            t = rnd.randint(max_tgt // 4, max_tgt)
            self.items.append(([rnd.randrange(10, vocab) for _ in range(s)] + [EOS],
                               [rnd.randrange(10, vocab) for _ in range(t)] + [EOS]))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class TokenBudgetSampler(Sampler):
    """Group documents of similar length so that a batch has at most max_tokens source tokens."""

    def __init__(self, ds, max_tokens, seed=0):
        order = sorted(range(len(ds)), key=lambda i: len(ds[i][0]))
        self.batches, cur, longest = [], [], 0
        for i in order:
            longest = max(longest, len(ds[i][0]))
            if cur and longest * (len(cur) + 1) > max_tokens:
                self.batches.append(cur)
                cur, longest = [], len(ds[i][0])
            cur.append(i)
        self.batches.append(cur)
        random.Random(seed).shuffle(self.batches)

    def __iter__(self):
        return iter(self.batches)

    def __len__(self):
        return len(self.batches)


def collate(rows):
    S, T = max(len(s) for s, _ in rows), max(len(t) for _, t in rows)
    ids = torch.full((len(rows), S), PAD)
    lab = torch.full((len(rows), T), -100)
    for i, (s, t) in enumerate(rows):
        ids[i, :len(s)] = torch.tensor(s)
        lab[i, :len(t)] = torch.tensor(t)
    return {"input_ids": ids, "attention_mask": (ids != PAD).long(), "labels": lab}


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--d_model", type=int, default=512)
    ap.add_argument("--layers", type=int, default=6)
    ap.add_argument("--vocab", type=int, default=32128)
    ap.add_argument("--max_src", type=int, default=600)
    ap.add_argument("--max_tgt", type=int, default=96)
    ap.add_argument("--max_tokens", type=int, default=3600)
    ap.add_argument("--max_updates", type=int, default=7)
    args = ap.parse_args()

    random.seed(5)
    torch.manual_seed(5)
    device = torch.device("cuda")
    cfg = T5Config(vocab_size=args.vocab, d_model=args.d_model, d_kv=64, d_ff=args.d_model * 4,
                   num_layers=args.layers, num_decoder_layers=args.layers, num_heads=args.d_model // 64,
                   dropout_rate=0.1, decoder_start_token_id=PAD, pad_token_id=PAD, eos_token_id=EOS)
    model = T5ForConditionalGeneration(cfg).to(device)
    print("parameters: %.1fM" % (model.num_parameters() / 1e6))

    optimizer = Adafactor(model.parameters(), scale_parameter=True, relative_step=True, warmup_init=True, lr=None)
    ds = Documents(48, args.vocab, args.max_src, args.max_tgt, seed=5)
    loader = DataLoader(ds, batch_sampler=TokenBudgetSampler(ds, args.max_tokens), collate_fn=collate)

    model.train()
    for step, batch in enumerate(loader):
        if step == args.max_updates:
            break
        batch = {k: v.to(device) for k, v in batch.items()}
        out = model(**batch)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        print("step %d shape %s loss %.3f alloc %.0fM" % (
            step, tuple(batch["input_ids"].shape), out.loss.item(), torch.cuda.memory_allocated() / 2**20))

    model.eval()
    torch.cuda.empty_cache()
    src = collate(ds.items[:4])
    with torch.no_grad():
        summary = model.generate(input_ids=src["input_ids"].to(device),
                                 attention_mask=src["attention_mask"].to(device),
                                 num_beams=4, max_new_tokens=16, length_penalty=2.0)
    print("generated", tuple(summary.shape))
    print("peak %.0f MiB (reserved %.0f MiB)" % (torch.cuda.max_memory_allocated() / 2**20,
                                                 torch.cuda.max_memory_reserved() / 2**20))
