#!/usr/bin/env python
"""timm ConvNeXt-Nano recipe: Mixup/CutMix, ModelEmaV3, AdamW with layer decay, cosine schedule."""
import argparse
import time

import timm
import torch
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler
from timm.utils import AverageMeter, ModelEmaV3, accuracy, dispatch_clip_grad

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="convnext_nano")
parser.add_argument("-b", "--batch-size", default=40, type=int)
parser.add_argument("--img-size", default=192, type=int)
parser.add_argument("--num-classes", default=200, type=int)
parser.add_argument("--updates", default=6, type=int)
parser.add_argument("--drop-path", default=0.1, type=float)
parser.add_argument("--clip-grad", default=1.0, type=float)
parser.add_argument("--ema-decay", default=0.998, type=float)


def synthetic_batches(n, bs, size, classes, device, seed):
    g = torch.Generator(device="cpu").manual_seed(seed)
    for _ in range(n):
        x = torch.randn(bs, 3, size, size, generator=g)
        y = torch.randint(0, classes, (bs,), generator=g)
        yield x.to(device), y.to(device)


def validate(model, args, device, tag):
    top1, top5 = AverageMeter(), AverageMeter()
    model.eval()
    with torch.inference_mode():
        for x, y in synthetic_batches(2, args.batch_size, args.img_size, args.num_classes, device, 99):
            with torch.autocast(device_type=device.type, dtype=torch.bfloat16):
                out = model(x)
            a1, a5 = accuracy(out, y, topk=(1, 5))
            top1.update(a1.item(), y.size(0))
            top5.update(a5.item(), y.size(0))
    print(f"  [{tag}] top1 {top1.avg:.2f} top5 {top5.avg:.2f}")


def main():
    args = parser.parse_args()
    torch.manual_seed(42)
    device = torch.device("cuda")

    model = timm.create_model(args.model, pretrained=False, num_classes=args.num_classes,
                              drop_path_rate=args.drop_path)
    model.to(device)
    ema = ModelEmaV3(model, decay=args.ema_decay, use_warmup=True)

    optimizer = create_optimizer_v2(model, opt="adamw", lr=2e-3, weight_decay=0.05, layer_decay=0.8)
    scheduler = CosineLRScheduler(optimizer, t_initial=args.updates, lr_min=1e-6,
                                  warmup_t=2, warmup_lr_init=1e-5, t_in_epochs=False)
    mixup_fn = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, prob=1.0, switch_prob=0.5, mode="batch",
                     label_smoothing=0.1, num_classes=args.num_classes)
    # Mixup builds its soft targets on the labels' own device
    loss_fn = SoftTargetCrossEntropy().to(device)

    losses, timer = AverageMeter(), AverageMeter()
    end = time.time()
    model.train()
    for update, (x, y) in enumerate(synthetic_batches(args.updates, args.batch_size, args.img_size,
                                                      args.num_classes, device, 0)):
        x, y = mixup_fn(x, y)
        with torch.autocast(device_type=device.type, dtype=torch.bfloat16):
            loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        dispatch_clip_grad(model.parameters(), args.clip_grad, mode="norm")
        optimizer.step()
        ema.update(model, step=update)
        scheduler.step_update(num_updates=update)
        losses.update(loss.item(), x.size(0))
        timer.update(time.time() - end)
        end = time.time()
        lr = sum(g["lr"] for g in optimizer.param_groups) / len(optimizer.param_groups)
        print(f"update {update} loss {losses.val:.3f} ({losses.avg:.3f}) lr {lr:.2e} {timer.val:.2f}s "
              f"mem {torch.cuda.memory_allocated() / 2**20:.0f}M")

    validate(model, args, device, "model")
    validate(ema.module, args, device, "ema")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
