import logging
import timm
import torch
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler
from timm.utils import AverageMeter, ModelEmaV3, NativeScaler, accuracy
logging.basicConfig(level=logging.INFO)
torch.manual_seed(0)
device = torch.device("cuda")
torch.backends.cudnn.benchmark = False
model = timm.create_model("mobilenetv3_large_100", pretrained=False, num_classes=20, drop_rate=0.2).to(device)
model = model.to(memory_format=torch.channels_last)
ema = ModelEmaV3(model, decay=0.999)
optimizer = create_optimizer_v2(model, opt="adamw", lr=1e-3, weight_decay=0.05)
scheduler = CosineLRScheduler(optimizer, t_initial=4, warmup_t=1)
scaler, mixup, criterion = NativeScaler(), Mixup(mixup_alpha=0.2, cutmix_alpha=1.0, num_classes=20), SoftTargetCrossEntropy().cuda()
losses = AverageMeter()
for epoch in range(2):
    model.train()
    for step in range(2):
        x, y = torch.randn(32, 3, 192, 192), torch.randint(0, 20, (32,))
        x, y = x.to(device, memory_format=torch.channels_last), y.to(device)
        x, y = mixup(x, y)
        with torch.amp.autocast("cuda"):
            loss = criterion(model(x), y)
        optimizer.zero_grad()
        scaler(loss, optimizer, clip_grad=1.0, parameters=model.parameters())
        torch.cuda.synchronize()
        ema.update(model, step=step)
        losses.update(loss.item(), x.size(0))
    scheduler.step(epoch + 1)
    model.eval()
    with torch.no_grad():
        x, y = torch.randn(64, 3, 192, 192).to(device, memory_format=torch.channels_last), torch.randint(0, 20, (64,), device=device)
        with torch.amp.autocast("cuda"):
            out = ema.module(x)
        acc1, acc5 = accuracy(out, y, topk=(1, 5))
        logging.info("epoch %d loss %.3f acc %.2f", epoch, losses.avg, acc1.item())
