# limit: 2.0
import argparse

import timm
import torch
import torch.nn.functional as F


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--arch", default="resnet18")
    p.add_argument("--bs", type=int, default=32)
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--classes", type=int, default=37)
    return p.parse_args()


def fake_batches(n, bs, classes, seed):
    g = torch.Generator(device="cuda").manual_seed(seed)
    for _ in range(n):
        yield (
            torch.randn(bs, 3, 128, 128, device="cuda", generator=g),
            torch.randint(0, classes, (bs,), device="cuda", generator=g),
        )


def train_one_epoch(model, opt, args, epoch):
    model.train()
    running = 0.0
    for i, (img, lab) in enumerate(fake_batches(30, args.bs, args.classes, epoch)):
        opt.zero_grad()
        loss = F.cross_entropy(model(img), lab)
        loss.backward()
        opt.step()
        running += loss.item()
    print(f"[{epoch}] train {running / (i + 1):.4f}", flush=True)


def validate(model, args, epoch):
    model.eval()
    val_loss, correct, seen = 0.0, 0, 0
    for img, lab in fake_batches(20, args.bs, args.classes, 1000 + epoch):
        out = model(img)
        val_loss += F.cross_entropy(out, lab)
        correct += (out.argmax(1) == lab).sum().item()
        seen += lab.numel()
    print(f"[{epoch}] val {val_loss.item() / 20:.4f} acc {correct / seen:.3f}", flush=True)


def main():
    args = get_args()
    torch.manual_seed(1)
    model = timm.create_model(args.arch, pretrained=False, num_classes=args.classes).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
    for epoch in range(args.epochs):
        train_one_epoch(model, opt, args, epoch)
        validate(model, args, epoch)


main()
