"""Fine-tune Wav2Vec2 for CTC on utterances of unequal length.

Feature encoder frozen, bf16 autocast, gradient accumulation, greedy decoding with an error rate.
"""
import random
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC, get_linear_schedule_with_warmup

SR = 16_000
ALPHABET = "_ abcdefghijklmnopqrstuvwxyz'"
ACCUM = 2
MICRO_STEPS = 8


class Utterances(Dataset):
    def __init__(self, n, min_s, max_s, seed):
        r = random.Random(seed)
        self.spec = [(r.uniform(min_s, max_s), r.randrange(10**6)) for _ in range(n)]

    def __len__(self):
        return len(self.spec)

    def __getitem__(self, i):
        seconds, seed = self.spec[i]
        g = torch.Generator().manual_seed(seed)
        wave = torch.randn(int(seconds * SR), generator=g) * 0.1
        n_chars = max(4, int(seconds * 6))
        text = torch.randint(2, len(ALPHABET), (n_chars,), generator=g)
        return (wave - wave.mean()) / (wave.std() + 1e-6), text


@dataclass
class CTCCollator:
    def __call__(self, items):
        waves, texts = zip(*items)
        n, m = max(map(len, waves)), max(map(len, texts))
        x = torch.zeros(len(waves), n)
        mask = torch.zeros(len(waves), n, dtype=torch.long)
        y = torch.full((len(texts), m), -100, dtype=torch.long)
        for i, (w, t) in enumerate(zip(waves, texts)):
            x[i, : len(w)] = w
            mask[i, : len(w)] = 1
            y[i, : len(t)] = t
        return {"input_values": x, "attention_mask": mask, "labels": y}


def greedy(logits):
    out = []
    for row in logits.argmax(-1):
        row = torch.unique_consecutive(row)
        out.append(row[row != 0].tolist())
    return out


def edit_distance(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (x != y)))
        prev = cur
    return prev[-1]


def main():
    torch.manual_seed(0)
    random.seed(0)
    device = torch.device("cuda")
    cfg = Wav2Vec2Config(
        vocab_size=len(ALPHABET), pad_token_id=0, ctc_loss_reduction="mean", ctc_zero_infinity=True,
        hidden_size=768, num_hidden_layers=8, num_attention_heads=12, intermediate_size=3072,
        mask_time_prob=0.05, layerdrop=0.0,
    )
    model = Wav2Vec2ForCTC(cfg).to(device)
    model.freeze_feature_encoder()
    trainable = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(trainable, lr=1e-4, betas=(0.9, 0.98))
    sched = get_linear_schedule_with_warmup(opt, 1, MICRO_STEPS // ACCUM)
    train = DataLoader(Utterances(4 * MICRO_STEPS, 2.0, 9.0, 1), 4, shuffle=True, collate_fn=CTCCollator())
    dev = DataLoader(Utterances(8, 3.0, 12.0, 2), 4, collate_fn=CTCCollator())

    model.train()
    for i, batch in enumerate(train):
        batch = {k: v.to(device) for k, v in batch.items()}
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(**batch).loss / ACCUM
        loss.backward()
        if (i + 1) % ACCUM == 0:
            norm = torch.nn.utils.clip_grad_norm_(trainable, 1.0)
            opt.step()
            sched.step()
            opt.zero_grad()
            secs = batch["input_values"].shape[1] / SR
            print(f"update {(i + 1) // ACCUM}: loss {loss.item() * ACCUM:.3f} norm {norm:.2f} longest {secs:.1f}s")

    model.eval()
    errors = total = 0
    with torch.no_grad():
        for batch in dev:
            labels = batch.pop("labels")
            batch = {k: v.to(device) for k, v in batch.items()}
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits = model(**batch).logits
            for hyp, ref in zip(greedy(logits.float().cpu()), labels):
                ref = ref[ref >= 0].tolist()
                errors += edit_distance(hyp, ref)
                total += len(ref)
    print(f"CER {errors / total:.3f}; peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
