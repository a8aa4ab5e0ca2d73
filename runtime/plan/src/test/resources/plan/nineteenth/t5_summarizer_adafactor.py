import random
import tempfile

import torch
from torch.utils.data import BatchSampler, DataLoader, Dataset
from transformers import T5Config, T5ForConditionalGeneration
from transformers.optimization import Adafactor, AdafactorSchedule

DEVICE = "cuda"
SEED = 5
D_MODEL, D_FF, LAYERS, HEADS = 640, 2048, 6, 10
SRC_MAX, TGT_MAX = 448, 96
TOKENS_PER_BATCH = 6144
N_DOCS = 72
VOCAB = 32128

random.seed(SEED)
torch.manual_seed(SEED)


class Articles(Dataset):
    def __init__(self, n, rng):
        self.pairs = []
        for _ in range(n):
            s = rng.randint(80, SRC_MAX)
            t = min(TGT_MAX, max(12, s // 5))
            src = [rng.randint(3, VOCAB - 200) for _ in range(s - 1)] + [1]
            self.pairs.append((src, src[: t - 1] + [1]))

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        return self.pairs[i]


class TokenBudgetSampler(BatchSampler):
    """Sort by length, fill each batch up to a budget of source tokens, then shuffle the batches."""

    def __init__(self, data, budget, seed):
        order = sorted(range(len(data)), key=lambda i: len(data[i][0]))
        self.batches, cur, width = [], [], 0
        for i in order:
            w = max(width, len(data[i][0]))
            if cur and w * (len(cur) + 1) > budget:
                self.batches.append(cur)
                cur, w = [], len(data[i][0])
            cur.append(i)
            width = w
        self.batches.append(cur)
        random.Random(seed).shuffle(self.batches)

    def __iter__(self):
        return iter(self.batches)

    def __len__(self):
        return len(self.batches)


def collate(rows):
    def pad(seqs, value):
        w = max(map(len, seqs))
        return torch.tensor([s + [value] * (w - len(s)) for s in seqs])

    src = pad([r[0] for r in rows], 0)
    return {"input_ids": src, "attention_mask": (src != 0).long(), "labels": pad([r[1] for r in rows], -100)}


def main():
    cfg = T5Config(
        vocab_size=VOCAB, d_model=D_MODEL, d_kv=D_MODEL // HEADS, d_ff=D_FF, num_layers=LAYERS, num_heads=HEADS,
        feed_forward_proj="gated-gelu", decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, dropout_rate=0.1,
    )
    model = T5ForConditionalGeneration(cfg).to(DEVICE)
    print(f"params {model.num_parameters() / 1e6:.1f}M")
    opt = Adafactor(model.parameters(), scale_parameter=True, relative_step=True, warmup_init=True, lr=None)
    sched = AdafactorSchedule(opt)
    docs = Articles(N_DOCS, random.Random(SEED))
    loader = DataLoader(docs, batch_sampler=TokenBudgetSampler(docs, TOKENS_PER_BATCH, SEED), collate_fn=collate)
    model.train()
    for step, batch in enumerate(loader):
        if step == 6:
            break
        batch = {k: v.to(DEVICE) for k, v in batch.items()}
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            loss = model(**batch).loss
        loss.backward()
        opt.step()
        sched.step()
        opt.zero_grad()
        print(f"{step} shape {tuple(batch['input_ids'].shape)} loss {loss.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f}")

    model.eval()
    sample = collate([docs[i] for i in range(8)])
    with torch.no_grad(), torch.autocast(DEVICE, dtype=torch.bfloat16):
        out = model.generate(
            input_ids=sample["input_ids"].to(DEVICE), attention_mask=sample["attention_mask"].to(DEVICE),
            max_new_tokens=20, num_beams=2, length_penalty=0.8, early_stopping=True,
        )
    print("generated", tuple(out.shape))
    with tempfile.TemporaryDirectory() as d:
        model.save_pretrained(d)


if __name__ == "__main__":
    main()
