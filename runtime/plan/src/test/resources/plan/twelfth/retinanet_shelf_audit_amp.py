"""Fine-tune a RetinaNet on shelf pictures (synthetic boxes here), fp16 AMP, variable image sizes."""
import argparse
import random

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.models.detection import retinanet_resnet50_fpn_v2


class ShelfBoxes(Dataset):
    def __init__(self, n, lo, hi, n_classes, seed=0):
        self.rng = random.Random(seed)
        self.sizes = [(self.rng.randrange(lo, hi, 16), self.rng.randrange(lo, hi, 16)) for _ in range(n)]
        self.n_classes = n_classes

    def __len__(self):
        return len(self.sizes)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        h, w = self.sizes[i]
        img = torch.rand(3, h, w, generator=g)
        k = 3 + i % 9
        xy = torch.rand(k, 2, generator=g) * torch.tensor([w * 0.7, h * 0.7])
        wh = 10 + torch.rand(k, 2, generator=g) * torch.tensor([w * 0.2, h * 0.2])
        boxes = torch.cat([xy, xy + wh], 1)
        labels = torch.randint(1, self.n_classes, (k,), generator=g)
        return img, {"boxes": boxes, "labels": labels}


def collate(batch):
    return tuple(zip(*batch))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=4)
    p.add_argument("--min-size", type=int, default=512)
    p.add_argument("--lo", type=int, default=400)
    p.add_argument("--hi", type=int, default=800)
    p.add_argument("--steps", type=int, default=4)
    p.add_argument("--classes", type=int, default=21)
    args = p.parse_args()

    torch.manual_seed(11)
    device = torch.device("cuda")
    model = retinanet_resnet50_fpn_v2(
        weights=None, weights_backbone=None, num_classes=args.classes,
        min_size=args.min_size, max_size=args.min_size * 3 // 2,
    ).to(device)
    # stem stays frozen, as with pretrained weights
    for name, prm in model.backbone.body.named_parameters():
        if name.startswith(("conv1", "layer1")):
            prm.requires_grad_(False)

    params = [q for q in model.parameters() if q.requires_grad]
    opt = torch.optim.SGD(params, lr=5e-4, momentum=0.9, weight_decay=1e-4)
    warm = torch.optim.lr_scheduler.LinearLR(opt, start_factor=0.01, total_iters=args.steps)
    scaler = torch.amp.GradScaler(device.type)
    dl = DataLoader(ShelfBoxes(args.batch_size * args.steps, args.lo, args.hi, args.classes),
                    batch_size=args.batch_size, collate_fn=collate)

    model.train()
    for step, (images, targets) in enumerate(dl):
        images = [im.to(device) for im in images]
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        with torch.autocast(device.type, dtype=torch.float16):
            losses = model(images, targets)
            loss = sum(losses.values())
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(params, 1.0)
        scaler.step(opt)
        scaler.update()
        warm.step()
        print(f"step {step} " + " ".join(f"{k}={v.item():.3f}" for k, v in losses.items()))

    model.eval()
    with torch.inference_mode():
        dets = model(images)
    print("detections per image:", [len(d["boxes"]) for d in dets])
    print("peak MiB", torch.cuda.max_memory_allocated() / 2**20)


if __name__ == "__main__":
    main()
