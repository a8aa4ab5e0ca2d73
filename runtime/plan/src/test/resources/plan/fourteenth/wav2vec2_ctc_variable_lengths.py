"""CTC training of a Wav2Vec2 encoder made from a config on synthetic tones, bucketed by length, gradient checkpointing off/on."""
import math
import torch
import torch.nn.functional as F
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

SR = 16_000
BATCH = 6
STEPS = 5
VOCAB = 24
MIN_SEC = 2.0
MAX_SEC = 7.0


def utterance(gen):
    """a string of symbols, each a chirp of its own frequency"""
    sec = MIN_SEC + (MAX_SEC - MIN_SEC) * torch.rand(1, generator=gen).item()
    n = max(2, int(sec * 3))
    labels = torch.randint(1, VOCAB, (n,), generator=gen)
    per = int(sec * SR / n)
    t = torch.arange(per) / SR
    wav = torch.cat([torch.sin(2 * math.pi * (200 + 80 * l) * t) * torch.hann_window(per) for l in labels.tolist()])
    return wav + 0.01 * torch.randn(len(wav), generator=gen), labels


def buckets(n_batches, gen):
    pool = sorted((utterance(gen) for _ in range(n_batches * BATCH)), key=lambda u: len(u[0]))
    batches = [pool[i:i + BATCH] for i in range(0, len(pool), BATCH)]
    for i in torch.randperm(len(batches), generator=gen).tolist():
        wavs, labs = zip(*batches[i])
        x = torch.nn.utils.rnn.pad_sequence(wavs, batch_first=True)
        am = torch.nn.utils.rnn.pad_sequence([torch.ones(len(w), dtype=torch.long) for w in wavs], batch_first=True)
        y = torch.nn.utils.rnn.pad_sequence(labs, batch_first=True, padding_value=-100)
        yield (x - x.mean(1, keepdim=True)) / (x.std(1, keepdim=True) + 1e-5), am, y


def greedy(logits):
    out = []
    for row in logits.argmax(-1):
        r = torch.unique_consecutive(row)
        out.append(r[r != 0].tolist())
    return out


def main():
    torch.manual_seed(41)
    gen = torch.Generator().manual_seed(41)
    cfg = Wav2Vec2Config(vocab_size=VOCAB, hidden_size=384, num_hidden_layers=6, num_attention_heads=6, intermediate_size=1536,
                         conv_dim=(256,) * 7, feat_extract_norm="layer", do_stable_layer_norm=True, num_conv_pos_embeddings=64,
                         num_conv_pos_embedding_groups=8, ctc_loss_reduction="mean", pad_token_id=0, mask_time_prob=0.05, ctc_zero_infinity=True)
    model = Wav2Vec2ForCTC(cfg).to("cuda")
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.98))
    sched = torch.optim.lr_scheduler.SequentialLR(opt, [torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=2),
                                                        torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)], milestones=[2])
    model.train()
    for step, (x, am, y) in enumerate(buckets(STEPS, gen)):
        if step == 3:
            model.gradient_checkpointing_enable()
        x, am, y = x.to("cuda"), am.to("cuda"), y.to("cuda")
        out = model(input_values=x, attention_mask=am, labels=y)
        opt.zero_grad()
        out.loss.backward()
        gn = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        print(f"{step} T={x.shape[1] / SR:.2f}s loss {out.loss.item():.3f} gn {gn.item():.2f} now {torch.cuda.memory_allocated() >> 20} "
              f"peak {torch.cuda.max_memory_allocated() >> 20} MiB")
    model.eval()
    with torch.no_grad():
        hyp = greedy(model(input_values=x, attention_mask=am).logits.cpu())
    print("hyp lengths", [len(h) for h in hyp])


if __name__ == "__main__":
    main()
