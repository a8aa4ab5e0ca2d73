# SegFormer (B1-like) on 6-band satellite tiles, hand-written loop, bf16 autocast, gradient accumulation
import os
import tempfile
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from transformers import SegformerConfig, SegformerForSemanticSegmentation


@dataclass
class Cfg:
    tile: int = 384
    bands: int = 6
    classes: int = 9
    micro_batch: int = 4
    accum: int = 2
    epochs: int = 2
    n_train: int = 16
    n_val: int = 8
    lr: float = 6e-5


def miou(conf):
    inter = conf.diag()
    union = conf.sum(0) + conf.sum(1) - inter
    return (inter / union.clamp(min=1)).mean().item()


def make_split(n, c):
    x = torch.randn(n, c.bands, c.tile, c.tile)
    y = torch.randint(0, c.classes, (n, c.tile // 32, c.tile // 32))
    y = y.repeat_interleave(32, 1).repeat_interleave(32, 2)
    y[:, :8] = 255  # no-data border
    return TensorDataset(x, y)


def main():
    c = Cfg()
    torch.manual_seed(3)
    dev = "cuda"
    conf = SegformerConfig(num_channels=c.bands, num_labels=c.classes, hidden_sizes=[64, 128, 320, 512],
                           depths=[2, 2, 2, 2], decoder_hidden_size=256, semantic_loss_ignore_index=255)
    model = SegformerForSemanticSegmentation(conf).to(dev)
    decay, no_decay = [], []
    for n, p in model.named_parameters():
        (no_decay if p.ndim == 1 else decay).append(p)
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01},
                             {"params": no_decay, "weight_decay": 0.0}], lr=c.lr)
    train = DataLoader(make_split(c.n_train, c), batch_size=c.micro_batch, shuffle=True,
                       num_workers=2, pin_memory=True, persistent_workers=True)
    val = DataLoader(make_split(c.n_val, c), batch_size=c.micro_batch * 2)
    total = c.epochs * len(train) // c.accum
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: (1 - s / (total + 1)) ** 0.9)

    for epoch in range(c.epochs):
        model.train()
        running = 0.0
        for i, (x, y) in enumerate(train):
            x, y = x.to(dev, non_blocking=True), y.to(dev, non_blocking=True)
            with torch.autocast(dev, dtype=torch.bfloat16):
                out = model(pixel_values=x, labels=y)
            (out.loss / c.accum).backward()
            running += out.loss.item()
            if (i + 1) % c.accum == 0:
                opt.step()
                sched.step()
                opt.zero_grad(set_to_none=True)
        model.eval()
        cm = torch.zeros(c.classes, c.classes, device=dev)
        with torch.no_grad():
            for x, y in val:
                x, y = x.to(dev), y.to(dev)
                logits = model(pixel_values=x).logits
                logits = F.interpolate(logits, size=y.shape[-2:], mode="bilinear", align_corners=False)
                pred = logits.argmax(1)
                ok = y != 255
                idx = y[ok] * c.classes + pred[ok]
                cm += torch.bincount(idx, minlength=c.classes**2).view(c.classes, c.classes)
        print(f"epoch {epoch} loss {running / len(train):.4f} mIoU {miou(cm):.4f}")

    with tempfile.TemporaryDirectory() as d:
        torch.save(model.state_dict(), os.path.join(d, "segformer.pt"))
    print("max allocated: %.2f GiB" % (torch.cuda.max_memory_allocated() / 2**30))


main()
