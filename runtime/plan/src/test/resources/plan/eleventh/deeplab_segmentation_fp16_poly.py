import os, tempfile, time
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models.segmentation import deeplabv3_resnet50

# ---- config ----
CROP = 320
BATCH = 8
N_CLASSES = 19
MAX_ITER = 5
BASE_LR = 0.01
AUX_W = 0.4
IGNORE = 255
device = "cuda"

torch.manual_seed(2024)
torch.backends.cudnn.benchmark = True


def make_data(n):
    """Blobby label maps, with colours tied to the labels plus noise. A band of 'ignore' at the border."""
    coarse = torch.randint(0, N_CLASSES, (n, 1, 8, 8)).float()
    lab = F.interpolate(coarse, size=(CROP, CROP), mode="nearest").long().squeeze(1)
    pal = torch.randn(N_CLASSES, 3)
    img = pal[lab].permute(0, 3, 1, 2) + 0.3 * torch.randn(n, 3, CROP, CROP)
    lab[:, :6] = IGNORE
    lab[:, :, :6] = IGNORE
    return TensorDataset(img.contiguous(), lab.to(torch.uint8))


class ConfMat:
    def __init__(self, n):
        self.mat = torch.zeros(n, n, dtype=torch.int64, device=device)
        self.n = n

    def add(self, gt, pred):
        keep = gt < self.n
        idx = self.n * gt[keep].long() + pred[keep]
        self.mat += torch.bincount(idx, minlength=self.n ** 2).view(self.n, self.n)

    def miou(self):
        m = self.mat.double()
        inter = m.diag()
        return (inter / (m.sum(0) + m.sum(1) - inter).clamp(min=1)).mean().item()


def criterion(out, target):
    main = F.cross_entropy(out["out"], target, ignore_index=IGNORE)
    aux = F.cross_entropy(out["aux"], target, ignore_index=IGNORE)
    return main + AUX_W * aux


model = deeplabv3_resnet50(weights=None, weights_backbone=None, num_classes=N_CLASSES, aux_loss=True).to(device)
groups = [
    {"params": model.backbone.parameters(), "lr": BASE_LR},
    {"params": model.classifier.parameters(), "lr": BASE_LR * 10},
    {"params": model.aux_classifier.parameters(), "lr": BASE_LR * 10},
]
opt = torch.optim.SGD(groups, lr=BASE_LR, momentum=0.9, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=MAX_ITER, power=0.9)
scaler = torch.amp.GradScaler("cuda", init_scale=2.0 ** 12)

train_loader = DataLoader(make_data(BATCH * MAX_ITER), batch_size=BATCH, shuffle=True, pin_memory=True, drop_last=True)
val_loader = DataLoader(make_data(BATCH), batch_size=4)

model.train()
for it, (img, lab) in enumerate(train_loader):
    tic = time.perf_counter()
    img = img.to(device, non_blocking=True)
    lab = lab.to(device, non_blocking=True).long()
    opt.zero_grad()
    with torch.autocast(device_type="cuda", dtype=torch.float16):
        out = model(img)
        loss = criterion(out, lab)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    sched.step()
    print(f"iter {it}: loss={loss.item():.3f} scale={scaler.get_scale():.0f} lr={opt.param_groups[0]['lr']:.5f} {time.perf_counter() - tic:.2f}s")

model.eval()
cm = ConfMat(N_CLASSES)
with torch.no_grad():
    for img, lab in val_loader:
        img, lab = img.to(device), lab.to(device).long()
        # plain + flipped test-time augmentation
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            logits = model(img)["out"].float() + model(img.flip(-1))["out"].float().flip(-1)
        cm.add(lab, logits.argmax(1))
print("mIoU %.4f" % cm.miou())
with tempfile.TemporaryDirectory() as tmp:
    torch.save({"model": model.state_dict(), "scaler": scaler.state_dict()}, os.path.join(tmp, "ckpt.pth"))
print("peak %.0f MB, reserved %.0f MB" % (torch.cuda.max_memory_allocated() / 1e6, torch.cuda.max_memory_reserved() / 1e6))
