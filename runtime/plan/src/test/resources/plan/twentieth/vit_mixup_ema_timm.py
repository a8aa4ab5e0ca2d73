# ViT-S/16 from scratch, timm recipe: mixup/cutmix, soft targets, EMA of weights, bf16 autocast
import math
import torch
import timm
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.utils import ModelEmaV3
from timm.optim import create_optimizer_v2

IMG = 224
BATCH = 64
NUM_CLASSES = 100
STEPS = 6
WARMUP = 2
BASE_LR = 5e-4
DEVICE = "cuda"

torch.manual_seed(0)

model = timm.create_model(
    "vit_small_patch16_224", pretrained=False, num_classes=NUM_CLASSES,
    img_size=IMG, drop_path_rate=0.1,
).to(DEVICE)
ema = ModelEmaV3(model, decay=0.999)
n = sum(p.numel() for p in model.parameters()) / 1e6
print(f"{n:.1f}M params")

mixup_fn = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, prob=1.0, switch_prob=0.5,
                 mode="batch", label_smoothing=0.1, num_classes=NUM_CLASSES)

optimizer = create_optimizer_v2(model, opt="adamw", lr=BASE_LR, weight_decay=0.05)
train_loss_fn = SoftTargetCrossEntropy()
val_loss_fn = torch.nn.CrossEntropyLoss()


def lr_at(step):
    if step < WARMUP:
        return BASE_LR * (step + 1) / WARMUP
    t = (step - WARMUP) / max(1, STEPS - WARMUP)
    return 0.5 * BASE_LR * (1 + math.cos(math.pi * t))


def one_hot_smooth(y, off=0.1 / NUM_CLASSES, on=1 - 0.1 + 0.1 / NUM_CLASSES):
    out = torch.full((y.numel(), NUM_CLASSES), off, device=y.device)
    return out.scatter_(1, y.view(-1, 1), on)


def batches(n_batches, bs):
    for _ in range(n_batches):
        x = torch.randn(bs, 3, IMG, IMG, device=DEVICE)
        y = torch.randint(0, NUM_CLASSES, (bs,), device=DEVICE)
        yield x, y


def train_one_epoch():
    model.train()
    for step, (x, y) in enumerate(batches(STEPS, BATCH)):
        for g in optimizer.param_groups:
            g["lr"] = lr_at(step)
        if step % 3 == 2:
            target = one_hot_smooth(y)          # plain batch from time to time
        else:
            x, target = mixup_fn(x, y)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(x)
            loss = train_loss_fn(logits, target)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        ema.update(model)
        print(f"[{step}] lr {optimizer.param_groups[0]['lr']:.2e} loss {loss.item():.4f} grad {norm.item():.3f}")


@torch.inference_mode()
def evaluate(net, name):
    net.eval()
    losses, top5 = [], []
    for x, y in batches(2, BATCH * 2):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = net(x)
        losses.append(val_loss_fn(logits.float(), y))
        top5.append((logits.topk(5, 1).indices == y[:, None]).any(1).float().mean())
    print(f"{name}: loss {torch.stack(losses).mean():.4f} top5 {torch.stack(top5).mean():.4f}")


train_one_epoch()
evaluate(model, "model")
evaluate(ema.module, "ema")
print(f"max memory {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")
