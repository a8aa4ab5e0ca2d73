import argparse
import math

import timm
import torch
from timm.data.mixup import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.utils import ModelEmaV2


def get_args():
    p = argparse.ArgumentParser("ConvNeXt fine-tuning with EMA")
    p.add_argument("--model", default="convnext_tiny")
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--img-size", type=int, default=160)
    p.add_argument("--steps", type=int, default=6)
    p.add_argument("--lr", type=float, default=4e-4)
    p.add_argument("--layer-decay", type=float, default=0.8)
    p.add_argument("--classes", type=int, default=37)
    p.add_argument("--drop-path", type=float, default=0.1)
    p.add_argument("--seed", type=int, default=3407)
    return p.parse_args()


def layer_id(name):
    """lower is nearer to the input"""
    if name.startswith("stem"):
        return 0
    if name.startswith("stages."):
        stage, rest = name.split(".")[1], name.split(".")[2:]
        if rest[0] == "blocks" and stage == "2":
            return 3 + int(rest[1]) // 3
        return {"0": 1, "1": 2, "2": 3, "3": 6}[stage]
    return 7


def build_groups(model, lr, wd, decay):
    groups = {}
    for n, p in model.named_parameters():
        lid = layer_id(n)
        this_wd = 0.0 if p.ndim <= 1 or n.endswith("gamma") else wd
        key = (lid, this_wd)
        groups.setdefault(key, {"params": [], "weight_decay": this_wd, "lr": lr * decay ** (7 - lid)})
        groups[key]["params"].append(p)
    return list(groups.values())


def batches(args, n):
    g = torch.Generator().manual_seed(args.seed)
    for _ in range(n):
        x = torch.randn(args.batch_size, 3, args.img_size, args.img_size, generator=g)
        y = torch.randint(0, args.classes, (args.batch_size,), generator=g)
        yield x.to(DEVICE), y.to(DEVICE)


DEVICE = "cuda"


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    import numpy as np
    np.random.seed(args.seed)

    model = timm.create_model(args.model, pretrained=False, num_classes=args.classes, drop_path_rate=args.drop_path)
    model.to(DEVICE)
    ema = ModelEmaV2(model, decay=0.99)
    mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, label_smoothing=0.1, num_classes=args.classes)
    criterion = SoftTargetCrossEntropy()
    opt = torch.optim.AdamW(build_groups(model, args.lr, 0.05, args.layer_decay), lr=args.lr)
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: (s + 1) / 2 if s < 2 else 0.5 * (1 + math.cos(math.pi * (s - 2) / max(1, args.steps - 2)))
    )
    print(f"{args.model}: {sum(p.numel() for p in model.parameters()) / 1e6:.1f}M params, {len(opt.param_groups)} groups")

    model.train()
    for step, (x, y) in enumerate(batches(args, args.steps)):
        x, target = mixup(x, y)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            loss = criterion(model(x), target)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        opt.zero_grad()
        ema.update(model)
        print(f"{step:03d} loss={loss.item():.4f}")

    # compare the raw and the averaged weights
    for tag, m in (("raw", model), ("ema", ema.module)):
        m.eval()
        tot, ok = 0, 0
        with torch.inference_mode(), torch.autocast(DEVICE, dtype=torch.bfloat16):
            for x, y in batches(args, 2):
                ok += (m(x).argmax(1) == y).sum().item()
                tot += len(y)
        print(f"{tag} acc {ok / tot:.3f}")
    print("max mem GiB", round(torch.cuda.max_memory_allocated() / 2**30, 3))


if __name__ == "__main__":
    main()
