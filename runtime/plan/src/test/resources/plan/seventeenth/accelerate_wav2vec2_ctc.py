"""Fine-tune a (randomly initialised) wav2vec2 with CTC by an accelerate loop.  Waveforms of 2-8 seconds."""
import math

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, Dataset
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC, get_scheduler

SR = 16000
MAX_SEC = 8.0
BATCH = 6
N_TRAIN = 36
N_DEV = 12
LAYERS = 8
HIDDEN = 512
ACCUM = 2


class Speech(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.sec = (2 + torch.rand(n, generator=g) * (MAX_SEC - 2)).tolist()
        self.seed = seed

    def __len__(self):
        return len(self.sec)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed * 1000 + i)
        t = torch.arange(int(self.sec[i] * SR)) / SR
        f = 80 + 300 * torch.rand(4, 1, generator=g)
        wave = torch.sin(2 * math.pi * f * t).sum(0) + 0.1 * torch.randn(len(t), generator=g)
        text = torch.randint(1, 32, (int(self.sec[i] * 6),), generator=g)
        return (wave - wave.mean()) / wave.std(), text


def collate(items):
    n = max(len(w) for w, _ in items)
    m = max(len(t) for _, t in items)
    x, att, y = torch.zeros(len(items), n), torch.zeros(len(items), n, dtype=torch.long), torch.full((len(items), m), -100)
    for i, (w, t) in enumerate(items):
        x[i, : len(w)], att[i, : len(w)], y[i, : len(t)] = w, 1, t
    return {"input_values": x, "attention_mask": att, "labels": y}


def greedy(logits):
    out = []
    for row in logits.argmax(-1).tolist():
        prev, seq = None, []
        for c in row:
            if c != prev and c != 0:
                seq.append(c)
            prev = c
        out.append(seq)
    return out


def main():
    set_seed(4)
    acc = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=ACCUM)
    cfg = Wav2Vec2Config(vocab_size=32, hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=8,
                         intermediate_size=4 * HIDDEN, feat_extract_norm="layer", do_stable_layer_norm=True,
                         conv_bias=True, mask_time_prob=0.05, ctc_loss_reduction="mean", ctc_zero_infinity=True,
                         pad_token_id=0, layerdrop=0.0)
    model = Wav2Vec2ForCTC(cfg)
    model.freeze_feature_encoder()
    opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=3e-4, weight_decay=0.005)
    train = DataLoader(Speech(N_TRAIN, 1), batch_size=BATCH, shuffle=True, collate_fn=collate)
    dev = DataLoader(Speech(N_DEV, 2), batch_size=BATCH, collate_fn=collate)
    sched = get_scheduler("linear", opt, num_warmup_steps=1, num_training_steps=len(train))
    model, opt, train, dev, sched = acc.prepare(model, opt, train, dev, sched)

    model.train()
    for step, batch in enumerate(train):
        with acc.accumulate(model):
            loss = model(**batch).loss
            acc.backward(loss)
            if acc.sync_gradients:
                acc.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            opt.zero_grad()
        acc.print(f"step {step} samples {batch['input_values'].shape[1]} ctc {loss.item():.3f}")

    model.eval()
    symbols = 0
    for batch in dev:
        with torch.no_grad():
            logits = model(input_values=batch["input_values"], attention_mask=batch["attention_mask"]).logits
        symbols += sum(len(s) for s in greedy(logits.float().cpu()))
    acc.print("decoded symbols", symbols)
    acc.print(f"max memory {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
