"""T5 encoder-decoder on (document, summary) pairs: Adafactor, label smoothing, beam-search eval."""
import logging
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from transformers import T5Config, T5ForConditionalGeneration
from transformers.optimization import Adafactor

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("t5")


@dataclass
class Config:
    vocab: int = 20000
    d_model: int = 512
    d_ff: int = 1024
    layers: int = 6
    heads: int = 8
    src_len: int = 384
    tgt_len: int = 96
    batch: int = 10
    steps: int = 5
    smoothing: float = 0.1
    beams: int = 4
    gen_len: int = 24


def make_pairs(cfg, n):
    src = torch.randint(3, cfg.vocab, (n, cfg.src_len))
    tgt = src[:, : cfg.tgt_len].clone()
    # ragged ends
    for row in range(n):
        src[row, cfg.src_len - int(torch.randint(0, cfg.src_len // 3, (1,))):] = 0
        k = cfg.tgt_len - int(torch.randint(1, cfg.tgt_len // 2, (1,)))
        tgt[row, k:] = 0
        tgt[row, k - 1] = 1
    return TensorDataset(src, tgt)


def smoothed_loss(logits, labels, eps):
    keep = labels != 0
    return F.cross_entropy(logits[keep], labels[keep], label_smoothing=eps)


def evaluate(model, loader, cfg, device):
    model.eval()
    match, n = 0.0, 0
    with torch.no_grad():
        for src, tgt in loader:
            src = src.to(device)
            gen = model.generate(
                input_ids=src, attention_mask=(src != 0).long(), num_beams=cfg.beams,
                max_new_tokens=cfg.gen_len, min_new_tokens=cfg.gen_len, do_sample=False,
            )
            ref = tgt[:, : gen.shape[1] - 1].to(device)
            match += (gen[:, 1:] == ref).float().mean().item()
            n += 1
    model.train()
    return match / n


def main():
    cfg = Config()
    torch.manual_seed(99)
    device = "cuda"
    model = T5ForConditionalGeneration(T5Config(
        vocab_size=cfg.vocab, d_model=cfg.d_model, d_kv=cfg.d_model // cfg.heads, d_ff=cfg.d_ff,
        num_layers=cfg.layers, num_heads=cfg.heads, feed_forward_proj="gated-gelu", dropout_rate=0.1,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, tie_word_embeddings=False,
    )).to(device)
    log.info("params: %.1fM", sum(p.numel() for p in model.parameters()) / 1e6)

    optimizer = Adafactor(model.parameters(), scale_parameter=True, relative_step=True, warmup_init=True, lr=None)
    train = DataLoader(make_pairs(cfg, cfg.batch * cfg.steps), batch_size=cfg.batch, shuffle=True)
    valid = DataLoader(make_pairs(cfg, 8), batch_size=8)

    model.train()
    for step, (src, tgt) in enumerate(train, 1):
        src, tgt = src.to(device), tgt.to(device)
        dec_in = torch.cat([torch.zeros_like(tgt[:, :1]), tgt[:, :-1]], dim=1)
        out = model(input_ids=src, attention_mask=(src != 0).long(), decoder_input_ids=dec_in, use_cache=False)
        loss = smoothed_loss(out.logits, tgt, cfg.smoothing)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.info("step %d loss %.3f alloc %.0f MB", step, loss.item(), torch.cuda.memory_allocated() / 1e6)

    del out, loss
    torch.cuda.empty_cache()
    acc = evaluate(model, valid, cfg, device)
    log.info("token match %.3f, peak %.2f GB", acc, torch.cuda.max_memory_allocated() / 1e9)


if __name__ == "__main__":
    main()
