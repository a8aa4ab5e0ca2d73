# CLIP training with a big contrastive batch by gradient caching (two passes over micro-batches)
import torch
import torch.nn as nn
import torch.nn.functional as F
from transformers import CLIPConfig, CLIPModel, CLIPTextConfig, CLIPVisionConfig

BATCH = 128
CHUNK = 32
STEPS = 3
CTX = 64
IMG = 160
LR = 5e-4


def build(vision_width=512, text_width=384, layers=8):
    vision = CLIPVisionConfig(hidden_size=vision_width, intermediate_size=vision_width * 4, num_hidden_layers=layers,
                              num_attention_heads=8, image_size=IMG, patch_size=16, projection_dim=256)
    text = CLIPTextConfig(vocab_size=20000, hidden_size=text_width, intermediate_size=text_width * 4,
                          num_hidden_layers=layers, num_attention_heads=6, max_position_embeddings=CTX,
                          projection_dim=256, bos_token_id=1, eos_token_id=2, pad_token_id=0)
    return CLIPModel(CLIPConfig(text_config=text.to_dict(), vision_config=vision.to_dict(), projection_dim=256))


class TwoTower(nn.Module):
    def __init__(self, clip):
        super().__init__()
        self.clip = clip

    def image(self, px):
        pooled = self.clip.vision_model(pixel_values=px).pooler_output
        return F.normalize(self.clip.visual_projection(pooled).float(), dim=-1)

    def text(self, ids, mask):
        pooled = self.clip.text_model(input_ids=ids, attention_mask=mask).pooler_output
        return F.normalize(self.clip.text_projection(pooled).float(), dim=-1)


def contrastive(im, tx, scale):
    logits = scale * im @ tx.t()
    target = torch.arange(len(im), device=im.device)
    return 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target))


def batch():
    px = torch.randn(BATCH, 3, IMG, IMG, device="cuda")
    ids = torch.randint(3, 20000, (BATCH, CTX), device="cuda")
    lens = torch.randint(8, CTX, (BATCH,), device="cuda")
    pos = torch.arange(CTX, device="cuda")
    ids[:, 0] = 1
    ids = torch.where(pos[None] == lens[:, None], 2, ids)
    ids = torch.where(pos[None] > lens[:, None], 0, ids)
    return px, ids, (pos[None] <= lens[:, None]).long()


def main():
    torch.manual_seed(16)
    model = TwoTower(build()).to("cuda").train()
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f}M parameters")
    opt = torch.optim.AdamW(model.parameters(), lr=LR, betas=(0.9, 0.98), eps=1e-6, weight_decay=0.2)
    amp = lambda: torch.autocast("cuda", dtype=torch.bfloat16)
    for step in range(STEPS):
        px, ids, mask = batch()
        chunks = list(zip(px.split(CHUNK), ids.split(CHUNK), mask.split(CHUNK)))
        # pass 1: embeddings without graph
        with torch.no_grad(), amp():
            im = torch.cat([model.image(p) for p, _, _ in chunks])
            tx = torch.cat([model.text(i, m) for _, i, m in chunks])
        im.requires_grad_(True)
        tx.requires_grad_(True)
        scale = model.clip.logit_scale.exp()
        loss = contrastive(im, tx, scale)
        loss.backward()
        # pass 2: micro-batches with cached gradients
        for (p, i, m), gi, gt in zip(chunks, im.grad.split(CHUNK), tx.grad.split(CHUNK)):
            with amp():
                a, b = model.image(p), model.text(i, m)
            surrogate = (a * gi).sum() + (b * gt).sum()
            surrogate.backward()
        gn = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        with torch.no_grad():
            model.clip.logit_scale.clamp_(0, 4.6052)
        print(f"step {step} loss {loss.item():.4f} gradnorm {gn.item():.3f} scale {scale.item():.2f}")
    model.eval()
    with torch.no_grad(), amp():
        px, ids, mask = batch()
        sim = model.image(px) @ model.text(ids, mask).t()
    print("retrieval@1", (sim.argmax(1) == torch.arange(BATCH, device="cuda")).float().mean().item())
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
