# Fine-tuning recipe for a small ViT with layer-wise lr decay, mixup and model EMA.
import math
import tempfile
from dataclasses import dataclass

import timm
import torch
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.utils import ModelEmaV3


@dataclass
class Config:
    model: str = "vit_small_patch16_224"
    img_size: int = 224
    num_classes: int = 100
    batch_size: int = 64
    steps: int = 6
    warmup: int = 2
    base_lr: float = 5e-4
    layer_decay: float = 0.75
    weight_decay: float = 0.05
    drop_path: float = 0.1


def param_groups_lrd(model, cfg):
    n_layers = len(model.blocks) + 1
    groups = {}
    for name, p in model.named_parameters():
        if name.startswith(("cls_token", "pos_embed", "patch_embed")):
            layer = 0
        elif name.startswith("blocks."):
            layer = int(name.split(".")[1]) + 1
        else:
            layer = n_layers
        decay = 0.0 if p.ndim == 1 else cfg.weight_decay
        key = (layer, decay)
        if key not in groups:
            scale = cfg.layer_decay ** (n_layers - layer)
            groups[key] = {"params": [], "lr_scale": scale, "weight_decay": decay}
        groups[key]["params"].append(p)
    return list(groups.values())


def set_lr(opt, step, cfg):
    if step < cfg.warmup:
        lr = cfg.base_lr * (step + 1) / cfg.warmup
    else:
        lr = 0.5 * cfg.base_lr * (1 + math.cos(math.pi * (step - cfg.warmup) / (cfg.steps - cfg.warmup)))
    for g in opt.param_groups:
        g["lr"] = lr * g["lr_scale"]
    return lr


def main(cfg=Config()):
    torch.manual_seed(0)
    device = "cuda"
    model = timm.create_model(cfg.model, pretrained=False, img_size=cfg.img_size, num_classes=cfg.num_classes, drop_path_rate=cfg.drop_path)
    model.to(device)
    ema = ModelEmaV3(model, decay=0.99)
    opt = torch.optim.AdamW(param_groups_lrd(model, cfg), lr=cfg.base_lr, betas=(0.9, 0.999))
    mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, label_smoothing=0.1, num_classes=cfg.num_classes)
    criterion = SoftTargetCrossEntropy()
    print(f"{cfg.model}: {sum(p.numel() for p in model.parameters()) / 1e6:.1f}M params, {len(opt.param_groups)} groups")

    for step in range(cfg.steps):
        lr = set_lr(opt, step, cfg)
        x = torch.randn(cfg.batch_size, 3, cfg.img_size, cfg.img_size, device=device)
        y = torch.randint(cfg.num_classes, (cfg.batch_size,), device=device)
        x, y = mixup(x, y)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = criterion(model(x), y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        ema.update(model, step=step)
        print(f"step {step} loss {loss.item():.4f} gnorm {norm.item():.2f} lr {lr:.2e}")

    ema.module.eval()
    correct = 0
    with torch.inference_mode(), torch.autocast("cuda", dtype=torch.bfloat16):
        for _ in range(2):
            x = torch.randn(cfg.batch_size * 2, 3, cfg.img_size, cfg.img_size, device=device)
            y = torch.randint(cfg.num_classes, (len(x),), device=device)
            correct += (ema.module(x).argmax(-1) == y).sum().item()
    print("ema acc", correct / (4 * cfg.batch_size))
    with tempfile.NamedTemporaryFile(suffix=".pth") as f:
        torch.save({"ema": ema.module.state_dict()}, f.name)
    print(f"max mem {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
