import torch
import timm
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler
from timm.utils import ModelEmaV3

# quick DeiT-ish recipe, random images just to see that the thing runs
BATCH = 64
IMG = 224
NUM_CLASSES = 100
STEPS = 4
MODEL = "vit_base_patch16_224"

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(42)

model = timm.create_model(MODEL, pretrained=False, num_classes=NUM_CLASSES, drop_path_rate=0.1, img_size=IMG)
model.to(device)
n_params = sum(p.numel() for p in model.parameters())
print(f"{MODEL}: {n_params / 1e6:.1f}M params")

ema = ModelEmaV3(model, decay=0.9998, use_warmup=True)
optimizer = create_optimizer_v2(model, opt="adamw", lr=5e-4, weight_decay=0.05)
scheduler = CosineLRScheduler(optimizer, t_initial=STEPS, warmup_t=1, warmup_lr_init=1e-6, t_in_epochs=False)
mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, label_smoothing=0.1, num_classes=NUM_CLASSES)
loss_fn = SoftTargetCrossEntropy()


def batch():
    x = torch.randn(BATCH, 3, IMG, IMG)
    y = torch.randint(NUM_CLASSES, (BATCH,))
    return x.to(device), y.to(device)


model.train()
for step in range(STEPS):
    x, y = batch()
    x, y = mixup(x, y)
    with torch.autocast(device_type=device, dtype=torch.bfloat16):
        logits = model(x)
        loss = loss_fn(logits, y)
    optimizer.zero_grad()
    loss.backward()
    gn = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    ema.update(model, step=step)
    scheduler.step_update(step)
    print(step, "loss", round(loss.item(), 4), "gnorm", round(gn.item(), 3))

# evaluate both
for name, m in [("model", model), ("ema", ema.module)]:
    m.eval()
    correct = total = 0
    with torch.no_grad():
        for _ in range(2):
            x, y = batch()
            with torch.autocast(device_type=device, dtype=torch.bfloat16):
                pred = m(x).argmax(-1)
            correct += (pred == y).sum().item()
            total += y.numel()
    print(name, "acc", correct / total)
