"""CIFAR-like training as in many tutorials: GradScaler of torch.cuda.amp, gradient clipping, cosine schedule, checkpoints."""
import os, random, sys
import numpy as np
import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn
import torch.optim as optim
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader, Dataset, random_split


class Images(Dataset):
    def __init__(self, n):
        self.x, self.y = np.random.randint(0, 255, (n, 32, 32, 3), dtype=np.uint8), np.random.randint(0, 10, n)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i]).permute(2, 0, 1).float().div_(255), int(self.y[i])


class Basic(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o)
        self.c2, self.b2 = nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o)
        self.short = nn.Sequential(nn.Conv2d(i, o, 1, s, bias=False), nn.BatchNorm2d(o)) if s != 1 or i != o else nn.Sequential()

    def forward(self, x):
        y = self.b2(self.c2(torch.relu(self.b1(self.c1(x)))))
        return torch.relu(y + self.short(x))


seed = 7
random.seed(seed), np.random.seed(seed), torch.manual_seed(seed), torch.cuda.manual_seed_all(seed)
cudnn.deterministic, cudnn.benchmark = True, False
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Sequential(nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(), Basic(64, 64, 1), Basic(64, 128, 2), Basic(128, 256, 2), Basic(256, 512, 2),
                    nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10)).to(device)
if torch.cuda.device_count() > 1:
    net = nn.DataParallel(net)
train, valid = random_split(Images(640), [512, 128])
train_loader, valid_loader = DataLoader(train, 128, shuffle=True, num_workers=2, pin_memory=True), DataLoader(valid, 128, num_workers=2)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4, nesterov=True)
scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
scaler = GradScaler()
best, resume = 0, "/tmp/u_cifar_ckpt.pth"
for epoch in range(2):
    net.train()
    for inputs, targets in train_loader:
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        with autocast():
            outputs = net(inputs)
            loss = criterion(outputs, targets)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        scaler.step(optimizer)
        scaler.update()
        if not np.isfinite(loss.item()):
            sys.exit("loss is not finite")
    net.eval()
    predictions, truth = [], []
    with torch.no_grad():
        for inputs, targets in valid_loader:
            predictions.append(net(inputs.to(device)).softmax(1).max(1)[1].cpu().numpy())
            truth.append(targets.numpy())
    accuracy = (np.concatenate(predictions) == np.concatenate(truth)).mean()
    print("Epoch: %d | Acc: %.3f%% | lr %.4f" % (epoch, 100.0 * accuracy, scheduler.get_last_lr()[0]))
    scheduler.step()
    if accuracy >= best:
        torch.save({"net": net.state_dict(), "acc": accuracy, "epoch": epoch, "scaler": scaler.state_dict()}, resume)
        best = accuracy
    torch.cuda.empty_cache()
