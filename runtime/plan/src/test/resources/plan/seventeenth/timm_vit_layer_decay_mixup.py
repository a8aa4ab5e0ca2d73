# Fine-tuning recipe: ViT-S/16 with layer-wise lr decay, mixup, EMA and fp16 GradScaler
import torch
import timm
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.utils import ModelEmaV3

DEVICE = "cuda"
MODEL = "vit_small_patch16_224"
IMG = 224
CLASSES = 100
BATCH = 64
STEPS = 6
BASE_LR = 5e-4
LAYER_DECAY = 0.75
WARMUP = 2


def layer_id(name, depth):
    if name.startswith(("cls_token", "pos_embed", "patch_embed")):
        return 0
    if name.startswith("blocks."):
        return int(name.split(".")[1]) + 1
    return depth + 1


def make_groups(model, depth):
    groups = {}
    for name, p in model.named_parameters():
        if not p.requires_grad:
            continue
        lid = layer_id(name, depth)
        wd = 0.0 if p.ndim <= 1 or name in ("pos_embed", "cls_token") else 0.05
        key = (lid, wd)
        if key not in groups:
            scale = LAYER_DECAY ** (depth + 1 - lid)
            groups[key] = {"params": [], "weight_decay": wd, "lr": BASE_LR * scale, "lr_scale": scale}
        groups[key]["params"].append(p)
    return list(groups.values())


def set_lr(opt, step):
    warm = min(1.0, (step + 1) / WARMUP)
    for g in opt.param_groups:
        g["lr"] = BASE_LR * warm * g["lr_scale"]


def main():
    torch.manual_seed(42)
    model = timm.create_model(MODEL, pretrained=False, num_classes=CLASSES, drop_path_rate=0.1, img_size=IMG)
    model.to(DEVICE)
    depth = len(model.blocks)
    opt = torch.optim.AdamW(make_groups(model, depth), lr=BASE_LR, betas=(0.9, 0.999), fused=True)
    scaler = torch.amp.GradScaler(DEVICE)
    ema = ModelEmaV3(model, decay=0.999)
    mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, prob=1.0, switch_prob=0.5, label_smoothing=0.1,
                  num_classes=CLASSES)
    criterion = SoftTargetCrossEntropy()

    model.train()
    for step in range(STEPS):
        set_lr(opt, step)
        images = torch.randn(BATCH, 3, IMG, IMG, device=DEVICE)
        labels = torch.randint(CLASSES, (BATCH,), device=DEVICE)
        lam_images, targets = mixup(images, labels)
        with torch.autocast(DEVICE, dtype=torch.float16):
            logits = model(lam_images)
            loss = criterion(logits, targets)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
        ema.update(model)
        print(f"step {step}: loss={loss.item():.4f} gnorm={norm.item():.3f} scale={scaler.get_scale():.0f}")

    ema.module.eval()
    with torch.inference_mode(), torch.autocast(DEVICE, dtype=torch.float16):
        hits = 0
        for _ in range(2):
            x = torch.randn(128, 3, IMG, IMG, device=DEVICE)
            hits += (ema.module(x).argmax(1) == 0).sum().item()
    print("ema eval hits", hits)
    print(f"max allocated: {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
