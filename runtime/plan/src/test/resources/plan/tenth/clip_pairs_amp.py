"""CLIP training on synthetic image/caption pairs."""
import argparse
import math

import torch
from transformers import CLIPConfig, CLIPModel, CLIPTextConfig, CLIPVisionConfig


def build(args):
    text = CLIPTextConfig(vocab_size=49408, hidden_size=512, intermediate_size=2048, num_hidden_layers=12,
                          num_attention_heads=8, max_position_embeddings=77, projection_dim=512,
                          bos_token_id=49406, eos_token_id=49407)
    vision = CLIPVisionConfig(hidden_size=768, intermediate_size=3072, num_hidden_layers=12,
                              num_attention_heads=12, image_size=224, patch_size=args.patch, projection_dim=512)
    cfg = CLIPConfig(text_config=text.to_dict(), vision_config=vision.to_dict(), projection_dim=512)
    return CLIPModel(cfg)


def pairs(n, generator):
    images = torch.randn(n, 3, 224, 224, generator=generator)
    tokens = torch.zeros(n, 77, dtype=torch.long)
    mask = torch.zeros(n, 77, dtype=torch.long)
    lengths = torch.randint(5, 76, (n,), generator=generator)
    for i, l in enumerate(lengths.tolist()):
        tokens[i, 0] = 49406
        tokens[i, 1:l] = torch.randint(1, 49000, (l - 1,), generator=generator)
        tokens[i, l] = 49407
        mask[i, :l + 1] = 1
    return images, tokens, mask


def recall_at_k(sim, k):
    gt = torch.arange(sim.size(0), device=sim.device)[:, None]
    return (sim.topk(k, dim=1).indices == gt).any(1).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--patch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--lr", type=float, default=5e-4)
    args = parser.parse_args()

    torch.manual_seed(0)
    g = torch.Generator().manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    model = build(args).to(device)
    exclude = lambda n, p: p.ndim < 2 or "logit_scale" in n or "bias" in n
    named = list(model.named_parameters())
    opt = torch.optim.AdamW(
        [
            {"params": [p for n, p in named if exclude(n, p)], "weight_decay": 0.0},
            {"params": [p for n, p in named if not exclude(n, p)], "weight_decay": 0.2},
        ],
        lr=args.lr, betas=(0.9, 0.98), eps=1e-6)

    model.train()
    for step in range(args.steps):
        images, tokens, mask = [t.to(device) for t in pairs(args.batch_size, g)]
        with torch.autocast(device, dtype=torch.bfloat16):
            out = model(input_ids=tokens, pixel_values=images, attention_mask=mask, return_loss=True)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        with torch.no_grad():
            model.logit_scale.clamp_(0, math.log(100))
        print(f"step {step}: loss {out.loss.item():.4f} scale {model.logit_scale.exp().item():.2f}")

    model.eval()
    ims, txts = [], []
    with torch.no_grad(), torch.autocast(device, dtype=torch.bfloat16):
        for _ in range(2):
            images, tokens, mask = [t.to(device) for t in pairs(args.batch_size, g)]
            out = model(input_ids=tokens, pixel_values=images, attention_mask=mask)
            ims.append(out.image_embeds)
            txts.append(out.text_embeds)
    sim = torch.cat(ims).float() @ torch.cat(txts).float().t()
    print("R@1 %.3f R@5 %.3f R@10 %.3f" % tuple(recall_at_k(sim, k) for k in (1, 5, 10)))


if __name__ == "__main__":
    main()
