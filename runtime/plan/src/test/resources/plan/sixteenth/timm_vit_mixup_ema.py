"""Fine-tune recipe for a timm ViT-S/16: mixup, layer-wise lr decay, EMA, bf16."""
from dataclasses import dataclass

import timm
import torch
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.optim import param_groups_layer_decay
from timm.scheduler import CosineLRScheduler
from timm.utils import ModelEmaV3


@dataclass
class Config:
    model: str = "vit_small_patch16_224"
    num_classes: int = 100
    img_size: int = 224
    batch_size: int = 64
    steps_per_epoch: int = 3
    epochs: int = 2
    lr: float = 5e-4
    weight_decay: float = 0.05
    layer_decay: float = 0.75
    clip: float = 1.0
    drop_path: float = 0.1


def batches(cfg, n, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        x = torch.rand(cfg.batch_size, 3, cfg.img_size, cfg.img_size, generator=g)
        y = torch.randint(0, cfg.num_classes, (cfg.batch_size,), generator=g)
        yield x.cuda(non_blocking=True), y.cuda(non_blocking=True)


@torch.no_grad()
def evaluate(model, cfg):
    model.eval()
    correct = total = 0
    for x, y in batches(cfg, 2, seed=999):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(x)
        correct += (logits.argmax(-1) == y).sum().item()
        total += y.numel()
    return correct / total


def main():
    cfg = Config()
    torch.manual_seed(42)
    model = timm.create_model(cfg.model, pretrained=False, num_classes=cfg.num_classes,
                              img_size=cfg.img_size, drop_path_rate=cfg.drop_path).cuda()
    ema = ModelEmaV3(model, decay=0.99)
    groups = param_groups_layer_decay(model, weight_decay=cfg.weight_decay, layer_decay=cfg.layer_decay)
    for g in groups:
        g["lr"] = cfg.lr * g.get("lr_scale", 1.0)
    optimizer = torch.optim.AdamW(groups, lr=cfg.lr, betas=(0.9, 0.999))
    scheduler = CosineLRScheduler(optimizer, t_initial=cfg.epochs, warmup_t=1, warmup_lr_init=1e-6)
    mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, label_smoothing=0.1, num_classes=cfg.num_classes)
    criterion = SoftTargetCrossEntropy()
    print("params (M): %.2f, groups: %d" % (sum(p.numel() for p in model.parameters()) / 1e6, len(groups)))

    for epoch in range(cfg.epochs):
        model.train()
        scheduler.step(epoch)
        running = 0.0
        for x, y in batches(cfg, cfg.steps_per_epoch, seed=epoch):
            x, target = mixup(x, y)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = criterion(model(x), target.to(x.device))
            optimizer.zero_grad()
            loss.backward()
            gnorm = torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            optimizer.step()
            ema.update(model)
            running += loss.item()
        acc = evaluate(model, cfg)
        acc_ema = evaluate(ema.module, cfg)
        print(f"epoch {epoch} loss {running / cfg.steps_per_epoch:.4f} gnorm {gnorm:.3f} "
              f"acc {acc:.3f} ema {acc_ema:.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
