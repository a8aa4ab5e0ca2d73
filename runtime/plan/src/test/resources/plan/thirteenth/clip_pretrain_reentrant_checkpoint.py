#!/usr/bin/env python
"""Contrastive image-text training of CLIPModel (ViT-B/32-ish) from scratch, gradient checkpointing the old (reentrant) way,
separate weight-decay groups, learned temperature clamped, zero-shot evaluation."""
import math
import time
from dataclasses import dataclass

import torch
from transformers import CLIPConfig, CLIPModel


@dataclass
class TrainConfig:
    batch_size: int = 96
    steps: int = 5
    lr: float = 5e-4
    image_size: int = 224
    patch: int = 32
    ctx: int = 77
    vocab: int = 49408
    seed: int = 10


def build(c):
    config = CLIPConfig(
        text_config=dict(vocab_size=c.vocab, hidden_size=512, intermediate_size=2048, num_hidden_layers=8,
                         num_attention_heads=8, max_position_embeddings=c.ctx, bos_token_id=49406, eos_token_id=49407),
        vision_config=dict(hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12,
                           image_size=c.image_size, patch_size=c.patch),
        projection_dim=512,
    )
    return CLIPModel(config)


def caption_batch(n, c, gen):
    ids = torch.randint(1, 49000, (n, c.ctx), generator=gen)
    lens = torch.randint(8, c.ctx + 1, (n,), generator=gen)
    ar = torch.arange(c.ctx)[None]
    ids[:, 0] = 49406
    ids = torch.where(ar == lens[:, None] - 1, torch.tensor(49407), ids)
    ids = torch.where(ar >= lens[:, None], torch.tensor(0), ids)
    return ids, (ar < lens[:, None]).long()


def groups(model, wd=0.2):
    skip = ("bias", "layer_norm", "layrnorm", "layernorm", "logit_scale", "class_embedding")
    yes, no = [], []
    for n, p in model.named_parameters():
        (no if any(s in n.lower() for s in skip) else yes).append(p)
    return [{"params": yes, "weight_decay": wd}, {"params": no, "weight_decay": 0.0}]


@torch.no_grad()
def zero_shot(model, c, gen, device, classes=20, templates=4):
    model.eval()
    weights = []
    for _ in range(classes):
        ids, mask = caption_batch(templates, c, gen)
        out = model.text_model(input_ids=ids.to(device), attention_mask=mask.to(device))
        t = model.text_projection(out.pooler_output)
        t = torch.nn.functional.normalize(t, dim=-1).mean(0)
        weights.append(t / t.norm())
    w = torch.stack(weights, 1)
    px = torch.randn(128, 3, c.image_size, c.image_size, device=device)
    v = model.visual_projection(model.vision_model(pixel_values=px).pooler_output)
    guess = (torch.nn.functional.normalize(v, dim=-1) @ w).argmax(1)
    return torch.bincount(guess, minlength=classes)


def main():
    c = TrainConfig()
    torch.manual_seed(c.seed)
    gen = torch.Generator().manual_seed(c.seed)
    device = torch.device("cuda")
    model = build(c).to(device)
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": True})
    opt = torch.optim.AdamW(groups(model), lr=c.lr, betas=(0.9, 0.98), eps=1e-6, foreach=True)

    def lr_at(step):
        warm = 2
        if step < warm:
            return (step + 1) / warm
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, c.steps - warm)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_at)
    model.train()
    for step in range(c.steps):
        t0 = time.time()
        px = torch.randn(c.batch_size, 3, c.image_size, c.image_size, generator=gen).to(device)
        # reentrant checkpoints need an input that asks for gradient
        px.requires_grad_(True)
        ids, mask = (t.to(device) for t in caption_batch(c.batch_size, c, gen))
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(input_ids=ids, attention_mask=mask, pixel_values=px, return_loss=True)
        out.loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        opt.zero_grad(set_to_none=True)
        with torch.no_grad():
            model.logit_scale.clamp_(0, math.log(100))
        print(f"step {step} loss {out.loss.item():.4f} norm {norm.item():.2f} "
              f"scale {model.logit_scale.exp().item():.1f} {time.time() - t0:.2f}s")
        del out, px

    hist = zero_shot(model, c, gen, device)
    print("zero-shot histogram", hist.tolist())
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
