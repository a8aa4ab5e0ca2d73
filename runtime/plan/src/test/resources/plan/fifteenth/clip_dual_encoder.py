# Image/text contrastive training: timm image tower + small text transformer, learnable temperature.
import numpy as np
import timm
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import OneCycleLR

CFG = dict(batch=48, ctx=77, vocab=49408, width=512, text_layers=8, heads=8, embed=512, img=160, steps=5, seed=8)
IMAGE_MODEL = "convnext_tiny"


class TextTower(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.token = nn.Embedding(c["vocab"], c["width"])
        self.pos = nn.Parameter(torch.randn(c["ctx"], c["width"]) * 0.01)
        layer = nn.TransformerEncoderLayer(c["width"], c["heads"], 4 * c["width"], dropout=0.0, activation="gelu",
                                           batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(layer, c["text_layers"], enable_nested_tensor=False)
        self.ln = nn.LayerNorm(c["width"])
        self.proj = nn.Linear(c["width"], c["embed"], bias=False)
        self.register_buffer("mask", torch.full((c["ctx"], c["ctx"]), float("-inf")).triu(1), persistent=False)

    def forward(self, ids):
        x = self.token(ids) + self.pos
        x = self.ln(self.blocks(x, mask=self.mask, is_causal=True))
        eot = ids.argmax(-1)
        return self.proj(x[torch.arange(len(x), device=x.device), eot])


class CLIP(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.visual = timm.create_model(IMAGE_MODEL, pretrained=False, num_classes=c["embed"], drop_path_rate=0.1)
        self.text = TextTower(c)
        self.logit_scale = nn.Parameter(torch.tensor(np.log(1 / 0.07), dtype=torch.float32))

    def forward(self, img, ids):
        i = F.normalize(self.visual(img).float(), dim=-1)
        t = F.normalize(self.text(ids).float(), dim=-1)
        return i, t, self.logit_scale.exp()


def clip_loss(i, t, scale):
    logits = scale * i @ t.T
    labels = torch.arange(len(i), device=i.device)
    return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels)) / 2


def batch_of(c, device):
    img = torch.randn(c["batch"], 3, c["img"], c["img"], device=device)
    ids = torch.randint(1, c["vocab"] - 2, (c["batch"], c["ctx"]), device=device)
    length = torch.randint(5, c["ctx"], (c["batch"],), device=device)
    pos = torch.arange(c["ctx"], device=device)[None]
    ids = torch.where(pos < length[:, None], ids, 0)
    ids.scatter_(1, length[:, None], c["vocab"] - 1)
    return img, ids


def main():
    c = CFG
    torch.manual_seed(c["seed"])
    device = torch.device("cuda")
    model = CLIP(c).to(device)
    decay = [p for n, p in model.named_parameters() if p.ndim >= 2]
    rest = [p for n, p in model.named_parameters() if p.ndim < 2]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.2}, {"params": rest, "weight_decay": 0.0}],
                            lr=5e-4, betas=(0.9, 0.98), eps=1e-6, fused=True)
    sched = OneCycleLR(opt, max_lr=5e-4, total_steps=c["steps"] + 1)
    for step in range(c["steps"]):
        img, ids = batch_of(c, device)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            i, t, s = model(img, ids)
        loss = clip_loss(i, t, s)
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        sched.step()
        with torch.no_grad():
            model.logit_scale.clamp_(0, np.log(100))
        print(f"step {step} loss {loss.item():.4f} scale {model.logit_scale.exp().item():.2f}")
    # zero-shot retrieval
    model.eval()
    with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
        img, ids = batch_of(c, device)
        i, t, _ = model(img, ids)
        r1 = ((i @ t.T).argmax(1) == torch.arange(len(i), device=device)).float().mean()
    print(f"R@1 {r1.item():.3f} | peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
