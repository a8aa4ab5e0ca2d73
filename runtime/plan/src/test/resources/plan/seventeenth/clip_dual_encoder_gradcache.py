"""CLIP-style image/text contrastive training with GradCache: the large batch is embedded without graph in chunks,
the loss gradient w.r.t. the embeddings is cached, and chunks are replayed with graph."""
import argparse
import math

import timm
import torch
import torch.nn as nn
import torch.nn.functional as F
from transformers import CLIPTextConfig, CLIPTextModelWithProjection


class Clip(nn.Module):
    def __init__(self, vision="vit_small_patch16_224", img=224, dim=384, txt_width=384, txt_layers=8):
        super().__init__()
        self.visual = timm.create_model(vision, pretrained=False, num_classes=dim, img_size=img)
        cfg = CLIPTextConfig(vocab_size=49408, hidden_size=txt_width, intermediate_size=4 * txt_width,
                             num_hidden_layers=txt_layers, num_attention_heads=txt_width // 64,
                             max_position_embeddings=77, projection_dim=dim, eos_token_id=49407, bos_token_id=49406,
                             pad_token_id=1)
        self.text = CLIPTextModelWithProjection(cfg)
        self.logit_scale = nn.Parameter(torch.tensor(math.log(1 / 0.07)))

    def encode_image(self, x):
        return F.normalize(self.visual(x).float(), dim=-1)

    def encode_text(self, ids, mask):
        return F.normalize(self.text(input_ids=ids, attention_mask=mask).text_embeds.float(), dim=-1)


def captions(n):
    ids = torch.full((n, 77), 1)
    mask = torch.zeros_like(ids)
    for i, l in enumerate(torch.randint(6, 76, (n,)).tolist()):
        ids[i, 0], ids[i, l] = 49406, 49407
        ids[i, 1:l] = torch.randint(1000, 49000, (l - 1,))
        mask[i, : l + 1] = 1
    return ids, mask


def clip_loss(zi, zt, log_scale):
    logits = log_scale.exp().clamp(max=100) * zi @ zt.t()
    y = torch.arange(len(zi), device=zi.device)
    return (F.cross_entropy(logits, y) + F.cross_entropy(logits.t(), y)) / 2


def grad_cache_step(model, images, ids, mask, chunk, dev):
    amp = dict(device_type=dev, dtype=torch.bfloat16)
    spans = [slice(i, i + chunk) for i in range(0, len(images), chunk)]
    zi, zt = [], []
    with torch.no_grad(), torch.autocast(**amp):
        for s in spans:
            zi.append(model.encode_image(images[s].to(dev)))
            zt.append(model.encode_text(ids[s].to(dev), mask[s].to(dev)))
    zi, zt = torch.cat(zi).requires_grad_(), torch.cat(zt).requires_grad_()
    loss = clip_loss(zi, zt, model.logit_scale)
    loss.backward()
    for s in spans:
        with torch.autocast(**amp):
            a = model.encode_image(images[s].to(dev))
            b = model.encode_text(ids[s].to(dev), mask[s].to(dev))
        (torch.sum(a * zi.grad[s]) + torch.sum(b * zt.grad[s])).backward()
    return loss.detach()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--batch", type=int, default=144)
    p.add_argument("--chunk", type=int, default=48)
    p.add_argument("--steps", type=int, default=3)
    p.add_argument("--img", type=int, default=224)
    a = p.parse_args()
    torch.manual_seed(12)
    dev = "cuda"
    model = Clip(img=a.img).to(dev).train()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-4, betas=(0.9, 0.98), eps=1e-6, weight_decay=0.2)
    for step in range(a.steps):
        images = torch.randn(a.batch, 3, a.img, a.img)
        ids, mask = captions(a.batch)
        loss = grad_cache_step(model, images, ids, mask, a.chunk, dev)
        opt.step()
        opt.zero_grad()
        with torch.no_grad():
            model.logit_scale.clamp_(0, math.log(100))
        print(f"step {step} loss {loss.item():.4f} T {model.logit_scale.exp().item():.2f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")

    # zero-shot: 20 prompts as classifier
    model.eval()
    with torch.inference_mode():
        w = model.encode_text(*(t.to(dev) for t in captions(20)))
        pred = (model.encode_image(torch.randn(2 * a.chunk, 3, a.img, a.img, device=dev)) @ w.t()).argmax(1)
    print("zero-shot histogram", torch.bincount(pred, minlength=20).tolist())


if __name__ == "__main__":
    main()
