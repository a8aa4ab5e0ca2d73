"""MViT-v2-S action recognition on clips; activation checkpointing per block, label smoothing, pure AdamW."""
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
from torchvision.models.video import mvit_v2_s

CLIPS_PER_STEP = 3
FRAMES = 16
SIDE = 224
NUM_CLASSES = 101
STEPS = 4
USE_CKPT_EVERY = 2


class CheckpointedBlock(nn.Module):
    def __init__(self, block):
        super().__init__()
        self.block = block

    def forward(self, x, thw):
        if self.training:
            return checkpoint(self.block, x, thw, use_reentrant=False)
        return self.block(x, thw)


def build():
    m = mvit_v2_s(weights=None, num_classes=NUM_CLASSES)
    for i in range(len(m.blocks)):
        if i % USE_CKPT_EVERY == 0:
            m.blocks[i] = CheckpointedBlock(m.blocks[i])
    return m


def clip_batches(n):
    g = torch.Generator().manual_seed(77)
    for _ in range(n):
        u8 = torch.randint(0, 256, (CLIPS_PER_STEP, FRAMES, SIDE, SIDE, 3), dtype=torch.uint8, generator=g)
        yield u8, torch.randint(0, NUM_CLASSES, (CLIPS_PER_STEP,), generator=g)


def to_device(u8, dev):
    # decode-on-gpu style: ship bytes, normalise there
    x = u8.to(dev, non_blocking=True).permute(0, 4, 1, 2, 3).float().div_(255)
    mean = torch.tensor([0.45, 0.45, 0.45], device=dev).view(1, 3, 1, 1, 1)
    std = torch.tensor([0.225, 0.225, 0.225], device=dev).view(1, 3, 1, 1, 1)
    return (x - mean) / std


def main():
    torch.manual_seed(0)
    dev = "cuda"
    model = build().to(dev)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.05)
    crit = nn.CrossEntropyLoss(label_smoothing=0.1)
    model.train()
    for it, (u8, y) in enumerate(clip_batches(STEPS)):
        x, y = to_device(u8, dev), y.to(dev)
        with torch.autocast(dev, dtype=torch.bfloat16):
            logits = model(x)
            loss = crit(logits, y)
        opt.zero_grad()
        loss.backward()
        gn = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print(f"[{it}] loss={loss.item():.3f} |g|={gn.item():.2f}")

    # 3-view test
    model.eval()
    with torch.no_grad(), torch.autocast(dev, dtype=torch.bfloat16):
        views = [to_device(u8, dev).roll(s, dims=-1) for s in (-16, 0, 16)]
        prob = torch.stack([model(v).softmax(-1) for v in views]).mean(0)
    print("top1:", prob.argmax(-1).tolist())
    print(f"peak {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
