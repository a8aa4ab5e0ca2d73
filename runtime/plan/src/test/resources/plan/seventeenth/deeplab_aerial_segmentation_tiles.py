import torch
import torch.nn.functional as F
from torchvision.models.segmentation import deeplabv3_resnet50

# aerial image segmentation, 6 classes, training on crops & sliding-window testing on large tiles
cfg = dict(
    classes=6,
    crop=320,
    batch=4,
    iters=5,
    tile=1024,
    stride=256,
    lr=0.01,
    power=0.9,
    aux_weight=0.4,
)
device = "cuda"


def dice_loss(logits, target, eps=1.0):
    prob = logits.softmax(1)
    onehot = F.one_hot(target.clamp(min=0), logits.shape[1]).permute(0, 3, 1, 2).float()
    mask = (target >= 0).unsqueeze(1)
    prob, onehot = prob * mask, onehot * mask
    inter = (prob * onehot).sum((0, 2, 3))
    denom = (prob + onehot).sum((0, 2, 3))
    return 1 - ((2 * inter + eps) / (denom + eps)).mean()


def get_batch(n, size):
    x = torch.randn(n, 3, size, size)
    y = torch.randint(0, cfg["classes"], (n, size // 16, size // 16))
    y = y.repeat_interleave(16, 1).repeat_interleave(16, 2)
    y[torch.rand(y.shape) < 0.02] = -1  # unlabelled pixels
    return x.to(device), y.to(device)


class ConfusionMatrix:
    def __init__(self, n):
        self.n = n
        self.mat = torch.zeros(n, n, dtype=torch.int64, device=device)

    def update(self, t, p):
        k = t >= 0
        idx = self.n * t[k] + p[k]
        self.mat += torch.bincount(idx, minlength=self.n ** 2).reshape(self.n, self.n)

    def miou(self):
        h = self.mat.float()
        return (h.diag() / (h.sum(1) + h.sum(0) - h.diag()).clamp(min=1)).mean().item()


@torch.no_grad()
def predict_tile(model, img):
    """Sliding window with overlap; sums probabilities over windows."""
    _, _, H, W = img.shape
    c, s = cfg["crop"], cfg["stride"]
    acc = torch.zeros(1, cfg["classes"], H, W, device=device)
    cnt = torch.zeros(1, 1, H, W, device=device)
    ys = sorted(set(list(range(0, H - c, s)) + [H - c]))
    xs = sorted(set(list(range(0, W - c, s)) + [W - c]))
    for y in ys:
        for x in xs:
            win = img[:, :, y:y + c, x:x + c]
            out = model(win)["out"].softmax(1)
            out = out + model(win.flip(3))["out"].softmax(1).flip(3)
            acc[:, :, y:y + c, x:x + c] += out
            cnt[:, :, y:y + c, x:x + c] += 2
    return (acc / cnt).argmax(1)


torch.manual_seed(7)
model = deeplabv3_resnet50(weights=None, weights_backbone=None, num_classes=cfg["classes"], aux_loss=True).to(device)
optimizer = torch.optim.SGD(
    [
        {"params": model.backbone.parameters(), "lr": cfg["lr"] * 0.1},
        {"params": list(model.classifier.parameters()) + list(model.aux_classifier.parameters())},
    ],
    lr=cfg["lr"], momentum=0.9, weight_decay=1e-4,
)
sched = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=cfg["iters"], power=cfg["power"])

model.train()
for it in range(cfg["iters"]):
    x, y = get_batch(cfg["batch"], cfg["crop"])
    out = model(x)
    loss = F.cross_entropy(out["out"], y, ignore_index=-1) + dice_loss(out["out"], y)
    loss = loss + cfg["aux_weight"] * F.cross_entropy(out["aux"], y, ignore_index=-1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    sched.step()
    print(f"iter {it} loss {loss.item():.4f} lr {sched.get_last_lr()[1]:.5f}")

print(f"train peak {torch.cuda.max_memory_allocated() / 2 ** 30:.2f} GiB")
model.eval()
cm = ConfusionMatrix(cfg["classes"])
x, y = get_batch(1, cfg["tile"])
cm.update(y, predict_tile(model, x))
print(f"mIoU {cm.miou():.4f}; overall peak {torch.cuda.max_memory_allocated() / 2 ** 30:.2f} GiB")
