"""CLIP from configuration, large contrastive batch through gradient caching (two passes over chunks)."""
import torch
import torch.nn.functional as F
from transformers import CLIPConfig, CLIPModel, CLIPTextConfig, CLIPVisionConfig

CHUNK, N_CHUNKS = 16, 4
STEPS = 4
IMG, PATCH = 160, 16
WIDTH, V_LAYERS, T_LAYERS = 512, 8, 6
VOCAB, CTX = 20000, 48
DEVICE = "cuda"


def build_model():
    text = CLIPTextConfig(vocab_size=VOCAB, hidden_size=WIDTH, intermediate_size=4 * WIDTH, num_hidden_layers=T_LAYERS,
                          num_attention_heads=8, max_position_embeddings=CTX, eos_token_id=2, bos_token_id=1, pad_token_id=0)
    vision = CLIPVisionConfig(hidden_size=WIDTH, intermediate_size=4 * WIDTH, num_hidden_layers=V_LAYERS,
                              num_attention_heads=8, image_size=IMG, patch_size=PATCH)
    cfg = CLIPConfig(text_config=text.to_dict(), vision_config=vision.to_dict(), projection_dim=256)
    return CLIPModel(cfg)


def fake_pairs(step):
    g = torch.Generator().manual_seed(step)
    n = CHUNK * N_CHUNKS
    images = torch.randn(n, 3, IMG, IMG, generator=g)
    lens = torch.randint(6, CTX, (n,), generator=g)
    ids = torch.randint(3, VOCAB, (n, CTX), generator=g)
    pos = torch.arange(CTX)
    ids[:, 0] = 1
    ids[pos == (lens[:, None] - 1)] = 2
    mask = (pos < lens[:, None]).long()
    ids = ids * mask
    return images, ids, mask


def embed(model, images, ids, mask):
    with torch.autocast("cuda", dtype=torch.float16):
        out_v = model.visual_projection(model.vision_model(pixel_values=images).pooler_output)
        out_t = model.text_projection(model.text_model(input_ids=ids, attention_mask=mask).pooler_output)
    return F.normalize(out_v.float(), dim=-1), F.normalize(out_t.float(), dim=-1)


def clip_loss(v, t, logit_scale):
    logits = logit_scale.exp() * v @ t.T
    target = torch.arange(len(v), device=v.device)
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2


def main():
    torch.manual_seed(0)
    model = build_model().to(DEVICE).train()
    named = list(model.named_parameters())
    no_wd = [p for n, p in named if p.ndim < 2 or "bias" in n or "norm" in n]
    wd = [p for n, p in named if not (p.ndim < 2 or "bias" in n or "norm" in n)]
    opt = torch.optim.AdamW([{"params": wd, "weight_decay": 0.2}, {"params": no_wd, "weight_decay": 0.0}],
                            lr=5e-4, betas=(0.9, 0.98), eps=1e-6)
    scaler = torch.amp.GradScaler("cuda", init_scale=2.0**12)
    print("params %.1fM, logical batch %d" % (sum(p.numel() for p in model.parameters()) / 1e6, CHUNK * N_CHUNKS))
    for step in range(STEPS):
        images, ids, mask = (t.to(DEVICE) for t in fake_pairs(step))
        chunks = list(zip(images.split(CHUNK), ids.split(CHUNK), mask.split(CHUNK)))
        # pass 1: embeddings without graph
        with torch.no_grad():
            vs, ts = zip(*[embed(model, *c) for c in chunks])
        v = torch.cat(vs).requires_grad_(True)
        t = torch.cat(ts).requires_grad_(True)
        loss = clip_loss(v, t, model.logit_scale)
        scaler.scale(loss).backward()
        gv, gt = v.grad.split(CHUNK), t.grad.split(CHUNK)
        # pass 2: chunk by chunk with the cached gradients
        for c, a, b in zip(chunks, gv, gt):
            ve, te = embed(model, *c)
            torch.autograd.backward([ve, te], [a, b])
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad(set_to_none=True)
        with torch.no_grad():
            model.logit_scale.clamp_(0, 4.6052)
        acc = (v @ t.T).argmax(1).eq(torch.arange(len(v), device=v.device)).float().mean()
        print(f"step {step} loss {loss.item():.4f} r@1 {acc.item():.3f} scale {model.logit_scale.exp().item():.2f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    model.eval()
    with torch.no_grad():
        images, ids, mask = (t.to(DEVICE) for t in fake_pairs(100))
        v, t = embed(model, images, ids, mask)
    print("retrieval", (v @ t.T).topk(5, 1).indices.shape)


if __name__ == "__main__":
    main()
