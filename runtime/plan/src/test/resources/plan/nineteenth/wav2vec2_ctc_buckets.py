"""CTC training of a Wav2Vec2 model made from config; clips of 2-8 seconds, one large raw-audio batch per length bucket.
Feature encoder frozen, time masking, reentrant checkpointing in the transformer, greedy decoding and error rate."""
import itertools
import random

import torch
from torch.utils.data import DataLoader, Dataset, Sampler
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC, get_linear_schedule_with_warmup

SR = 16_000
HIDDEN, LAYERS, HEADS, FFN = 512, 8, 8, 2048
MIN_S, MAX_S = 2.0, 8.0
SECONDS_PER_BATCH = 60.0
N_CLIPS, STEPS = 90, 6
CHARS = 30
device = "cuda"


class Speech(Dataset):
    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.seconds = [rng.uniform(MIN_S, MAX_S) for _ in range(n)]
        self.text = [[rng.randrange(2, CHARS) for _ in range(int(7 * s))] for s in self.seconds]

    def __len__(self):
        return len(self.seconds)

    def __getitem__(self, i):
        n = int(self.seconds[i] * SR)
        g = torch.Generator().manual_seed(i)
        tones = torch.tensor(self.text[i]).float().repeat_interleave(n // len(self.text[i]) + 1)[:n]
        phase = (2 * torch.pi * (100 + 100 * tones) / SR).cumsum(0)
        wav = phase.sin() + 0.1 * torch.randn(n, generator=g)
        return (wav - wav.mean()) / wav.std(), torch.tensor(self.text[i])


class LengthBuckets(Sampler):
    def __init__(self, data, budget, seed):
        order = sorted(range(len(data)), key=data.seconds.__getitem__)
        self.batches, cur = [], []
        for i in order:
            if cur and data.seconds[i] * (len(cur) + 1) > budget:
                self.batches.append(cur)
                cur = []
            cur.append(i)
        self.batches.append(cur)
        random.Random(seed).shuffle(self.batches)

    def __iter__(self):
        return iter(self.batches)

    def __len__(self):
        return len(self.batches)


def collate(rows):
    wavs, texts = zip(*rows)
    x = torch.nn.utils.rnn.pad_sequence(wavs, batch_first=True)
    mask = torch.zeros(x.shape, dtype=torch.long)
    for i, w in enumerate(wavs):
        mask[i, : len(w)] = 1
    y = torch.nn.utils.rnn.pad_sequence(texts, batch_first=True, padding_value=-100)
    return {"input_values": x, "attention_mask": mask, "labels": y}


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (x != y))
    return row[-1]


def greedy(ids):
    return [k for k, _ in itertools.groupby(ids) if k > 1]


def main():
    random.seed(27)
    torch.manual_seed(27)
    cfg = Wav2Vec2Config(
        vocab_size=CHARS, hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=FFN,
        apply_spec_augment=False, ctc_loss_reduction="mean", ctc_zero_infinity=True, pad_token_id=0, layerdrop=0.0,
        feat_extract_norm="layer", do_stable_layer_norm=True,
    )
    model = Wav2Vec2ForCTC(cfg)
    model.freeze_feature_encoder()
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": True})
    model.to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    print(f"{sum(p.numel() for p in params) / 1e6:.1f}M trainable")
    data = Speech(N_CLIPS, 27)
    loader = DataLoader(data, batch_sampler=LengthBuckets(data, SECONDS_PER_BATCH, 27), collate_fn=collate, num_workers=2)
    opt = torch.optim.AdamW(params, lr=3e-4, weight_decay=0.005)
    sched = get_linear_schedule_with_warmup(opt, 2, STEPS)
    model.train()
    for step, batch in enumerate(loader):
        if step == STEPS:
            break
        batch = {k: v.to(device) for k, v in batch.items()}
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        sched.step()
        opt.zero_grad()
        b, n = batch["input_values"].shape
        print(f"step {step}: {b} x {n / SR:.1f}s loss {loss.item():.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f}")

    model.eval()
    errors = total = 0
    batch = collate([data[i] for i in range(6)])
    with torch.no_grad():
        logits = model(batch["input_values"].to(device), attention_mask=batch["attention_mask"].to(device)).logits
    for ids, ref in zip(logits.argmax(-1).tolist(), batch["labels"].tolist()):
        ref = [r for r in ref if r >= 0]
        errors += edit_distance(greedy(ids), ref)
        total += len(ref)
    print(f"character error rate {errors / total:.2f}")
    print(f"{torch.cuda.max_memory_allocated() / 2**30:.2f} GiB at most")


if __name__ == "__main__":
    main()
