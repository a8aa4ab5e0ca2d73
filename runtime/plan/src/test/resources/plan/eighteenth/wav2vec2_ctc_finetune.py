"""Speech recognition: Wav2Vec2 (small config) + CTC on waveforms of different lengths, fp16 AMP."""
import random

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

SR = 16000
VOCAB = 32            # 0 is the blank / pad
BATCH = 6
STEPS = 6
SECONDS = (2.0, 7.0)
FREEZE_STEPS = 2      # train only the head first
device = "cuda"


class ToneSpeech(Dataset):
    """Every character is a short tone; the utterance is their concatenation."""

    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.items = []
        for _ in range(n):
            secs = rng.uniform(*SECONDS)
            chars = [rng.randint(1, VOCAB - 1) for _ in range(int(secs * 6))]
            self.items.append((int(secs * SR), chars))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        n, chars = self.items[i]
        seg = n // len(chars)
        t = torch.arange(seg) / SR
        wave = torch.cat([torch.sin(2 * torch.pi * (150 + 60 * c) * t) for c in chars])
        wave = wave + 0.05 * torch.randn_like(wave)
        return (wave - wave.mean()) / wave.std(), torch.tensor(chars)


def pad_batch(items):
    waves, texts = zip(*items)
    x = torch.nn.utils.rnn.pad_sequence(waves, batch_first=True)
    mask = torch.nn.utils.rnn.pad_sequence([torch.ones(len(w), dtype=torch.long) for w in waves], batch_first=True)
    y = torch.nn.utils.rnn.pad_sequence(texts, batch_first=True, padding_value=-100)
    return x, mask, y


def greedy(logits):
    out = []
    for row in logits.argmax(-1).cpu():
        row = torch.unique_consecutive(row)
        out.append([int(c) for c in row if c != 0])
    return out


def edit_distance(a, b):
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        cur = [i]
        for j, cb in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (ca != cb)))
        prev = cur
    return prev[-1]


def build():
    cfg = Wav2Vec2Config(
        vocab_size=VOCAB, hidden_size=384, num_hidden_layers=6, num_attention_heads=6, intermediate_size=1536,
        conv_dim=(256, 256, 256, 256, 256, 256, 256), feat_extract_norm="layer", do_stable_layer_norm=True,
        conv_bias=True, num_conv_pos_embeddings=64, mask_time_prob=0.05, ctc_loss_reduction="mean",
        ctc_zero_infinity=True, pad_token_id=0,
    )
    net = Wav2Vec2ForCTC(cfg).to(device)
    net.freeze_feature_encoder()
    return net


def main():
    torch.manual_seed(21)
    net = build()
    head = list(net.lm_head.parameters())
    opt = torch.optim.AdamW((p for p in net.parameters() if p.requires_grad), lr=3e-4, weight_decay=5e-3)
    scaler = torch.amp.GradScaler("cuda")
    dl = DataLoader(ToneSpeech(BATCH * STEPS, 1), batch_size=BATCH, collate_fn=pad_batch, shuffle=True)

    for p in net.wav2vec2.encoder.parameters():
        p.requires_grad_(False)
    net.train()
    for step, (x, mask, y) in enumerate(dl):
        if step == FREEZE_STEPS:
            for p in net.wav2vec2.encoder.parameters():
                p.requires_grad_(True)
            print("encoder unfrozen")
        x, mask, y = x.to(device), mask.to(device), y.to(device)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = net(x, attention_mask=mask, labels=y).loss
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
        print(f"step {step} len {x.shape[1] / SR:.1f}s loss {loss.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    net.eval()
    x, mask, y = pad_batch([ToneSpeech(4, 77)[i] for i in range(4)])
    with torch.no_grad():
        hyp = greedy(net(x.to(device), attention_mask=mask.to(device)).logits)
    refs = [[int(c) for c in r if c >= 0] for r in y]
    errs = sum(edit_distance(h, r) for h, r in zip(hyp, refs))
    print(f"CER {errs / sum(map(len, refs)):.2f}  head params {sum(p.numel() for p in head)}")


if __name__ == "__main__":
    main()
