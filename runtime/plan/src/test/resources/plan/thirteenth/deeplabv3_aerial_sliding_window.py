"""Aerial land-cover segmentation. Train on crops in fp16 with GradScaler, evaluate on large tiles by sliding window."""
import argparse
import tempfile
import os

import torch
import torch.nn.functional as F
from torchvision.models.segmentation import deeplabv3_resnet50


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--classes", type=int, default=7)
    ap.add_argument("--crop", type=int, default=384)
    ap.add_argument("--tile", type=int, default=1024)
    ap.add_argument("--stride", type=int, default=256)
    ap.add_argument("--batch", type=int, default=4)
    ap.add_argument("--iters", type=int, default=5)
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--aux-weight", type=float, default=0.4)
    ap.add_argument("--seed", type=int, default=1)
    return ap.parse_args()


def fake_tile(size, classes, gen):
    coarse = torch.randint(0, classes, (1, 1, size // 64, size // 64), generator=gen).float()
    mask = F.interpolate(coarse, size=(size, size), mode="nearest")[0, 0].long()
    image = torch.randn(3, size, size, generator=gen) * 0.3 + mask / classes
    return image, mask


def random_crops(tiles, n, crop, gen):
    xs, ys = [], []
    for _ in range(n):
        image, mask = tiles[int(torch.randint(0, len(tiles), (1,), generator=gen))]
        top = int(torch.randint(0, image.shape[1] - crop + 1, (1,), generator=gen))
        left = int(torch.randint(0, image.shape[2] - crop + 1, (1,), generator=gen))
        m = mask[top : top + crop, left : left + crop].clone()
        m[:4] = 255
        xs.append(image[:, top : top + crop, left : left + crop])
        ys.append(m)
    return torch.stack(xs), torch.stack(ys)


@torch.inference_mode()
def predict_tile(model, image, crop, stride, classes):
    _, H, W = image.shape
    scores = torch.zeros(classes, H, W, device=image.device)
    counts = torch.zeros(1, H, W, device=image.device)
    tops = list(range(0, H - crop, stride)) + [H - crop]
    lefts = list(range(0, W - crop, stride)) + [W - crop]
    for t in tops:
        row = torch.stack([image[:, t : t + crop, l : l + crop] for l in lefts])
        with torch.autocast("cuda", dtype=torch.float16):
            out = model(row)["out"]
        for o, l in zip(out.float().softmax(1), lefts):
            scores[:, t : t + crop, l : l + crop] += o
            counts[:, t : t + crop, l : l + crop] += 1
    return (scores / counts).argmax(0)


def confusion(pred, target, classes):
    idx = target.flatten() * classes + pred.flatten()
    return torch.bincount(idx, minlength=classes**2).view(classes, classes)


def main():
    a = get_args()
    torch.manual_seed(a.seed)
    gen = torch.Generator().manual_seed(a.seed)
    dev = "cuda"
    tiles = [fake_tile(a.tile, a.classes, gen) for _ in range(3)]

    model = deeplabv3_resnet50(weights=None, weights_backbone=None, num_classes=a.classes, aux_loss=True).to(dev)
    head = list(model.classifier.parameters()) + list(model.aux_classifier.parameters())
    opt = torch.optim.SGD(
        [{"params": model.backbone.parameters(), "lr": a.lr}, {"params": head, "lr": a.lr * 10}],
        momentum=0.9, weight_decay=1e-4, nesterov=True,
    )
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=a.iters, power=0.9)
    scaler = torch.amp.GradScaler("cuda")

    model.train()
    for it in range(a.iters):
        x, y = random_crops(tiles, a.batch, a.crop, gen)
        x, y = x.to(dev, non_blocking=True), y.to(dev, non_blocking=True)
        opt.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            out = model(x)
            loss = F.cross_entropy(out["out"], y, ignore_index=255)
            loss = loss + a.aux_weight * F.cross_entropy(out["aux"], y, ignore_index=255)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        sched.step()
        print(f"{it}: loss {loss.item():.4f} scale {scaler.get_scale():.0f}")

    with tempfile.TemporaryDirectory() as d:
        torch.save({"model": model.state_dict(), "opt": opt.state_dict()}, os.path.join(d, "last.pth"))

    model.eval()
    cm = torch.zeros(a.classes, a.classes, dtype=torch.long, device=dev)
    for image, mask in tiles[:2]:
        cm += confusion(predict_tile(model, image.to(dev), a.crop, a.stride, a.classes), mask.to(dev), a.classes)
    iou = cm.diag() / (cm.sum(0) + cm.sum(1) - cm.diag()).clamp(min=1)
    print("mIoU", round(iou.mean().item(), 4), "| peak GiB", round(torch.cuda.max_memory_allocated() / 2**30, 2))


if __name__ == "__main__":
    main()
