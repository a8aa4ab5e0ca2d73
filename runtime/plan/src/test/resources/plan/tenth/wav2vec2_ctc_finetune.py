"""
CTC fine-tuning of wav2vec2 (random init), frozen feature encoder, tri-stage lr, fp16.
"""
import logging
import random

import torch
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger(__name__)

SAMPLE_RATE = 16000
VOCAB = {c: i for i, c in enumerate(["<pad>", "|"] + list("abcdefghijklmnopqrstuvwxyz'"))}


def fake_utterance(rng, max_seconds=8):
    seconds = rng.uniform(3.0, max_seconds)
    n = int(seconds * SAMPLE_RATE)
    t = torch.arange(n) / SAMPLE_RATE
    wav = torch.sin(2 * torch.pi * rng.uniform(80, 400) * t) + 0.05 * torch.randn(n)
    text = "".join(rng.choice("abcdefgh|") for _ in range(int(seconds * 8)))
    wav = (wav - wav.mean()) / (wav.std() + 1e-7)
    return wav, [VOCAB[c] for c in text]


def collate(utts):
    n = max(len(w) for w, _ in utts)
    m = max(len(t) for _, t in utts)
    wavs = torch.zeros(len(utts), n)
    mask = torch.zeros(len(utts), n, dtype=torch.long)
    labels = torch.full((len(utts), m), -100)
    for i, (w, t) in enumerate(utts):
        wavs[i, :len(w)] = w
        mask[i, :len(w)] = 1
        labels[i, :len(t)] = torch.tensor(t)
    return {"input_values": wavs, "attention_mask": mask, "labels": labels}


def tri_stage(step, warm=1, hold=2, total=5):
    if step < warm:
        return (step + 1) / (warm + 1)
    if step < warm + hold:
        return 1.0
    return max(0.05, 1 - (step - warm - hold) / (total - warm - hold))


def greedy_decode(ids):
    inv = {v: k for k, v in VOCAB.items()}
    out, prev = [], None
    for i in ids:
        if i != prev and i != 0:
            out.append(inv.get(i, "?"))
        prev = i
    return "".join(out)


def main():
    rng = random.Random(0)
    torch.manual_seed(0)
    device = torch.device("cuda")
    config = Wav2Vec2Config(vocab_size=32, pad_token_id=0, ctc_loss_reduction="mean", ctc_zero_infinity=True,
                            mask_time_prob=0.065, layerdrop=0.0, do_stable_layer_norm=True, feat_extract_norm="layer")
    model = Wav2Vec2ForCTC(config)
    model.freeze_feature_encoder()
    model.to(device)
    trainable = [p for p in model.parameters() if p.requires_grad]
    logger.info("trainable %.1fM", sum(p.numel() for p in trainable) / 1e6)

    opt = torch.optim.AdamW(trainable, lr=1e-4, betas=(0.9, 0.98), eps=1e-8)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, tri_stage)
    scaler = torch.amp.GradScaler("cuda")

    model.train()
    for step in range(4):
        batch = collate([fake_utterance(rng) for _ in range(8)])
        batch = {k: v.to(device) for k, v in batch.items()}
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(**batch).loss
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(trainable, 1.0)
        scaler.step(opt)
        scaler.update()
        sched.step()
        logger.info("step %d loss %.3f frames %d", step, loss.item(), batch["input_values"].shape[1])

    model.eval()
    with torch.no_grad():
        batch = collate([fake_utterance(rng) for _ in range(4)])
        logits = model(batch["input_values"].to(device), attention_mask=batch["attention_mask"].to(device)).logits
    for row in logits.argmax(-1).tolist():
        logger.info("hyp: %s", greedy_decode(row)[:60])


if __name__ == "__main__":
    main()
