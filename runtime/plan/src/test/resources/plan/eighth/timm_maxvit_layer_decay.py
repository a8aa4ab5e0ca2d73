import timm
import torch
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler

torch.manual_seed(0)
model = timm.create_model("maxvit_rmlp_pico_rw_256", pretrained=False, num_classes=100, drop_path_rate=0.1).cuda()
opt = create_optimizer_v2(model, opt="adamw", lr=1e-3, weight_decay=0.05, layer_decay=0.75)
schedule = CosineLRScheduler(opt, t_initial=10, warmup_t=2, warmup_lr_init=1e-6)
loss_fn = SoftTargetCrossEntropy()
mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=0.0, num_classes=100)
model.train()
for step in range(3):
    x, y = torch.randn(16, 3, 256, 256, device="cuda"), torch.randint(0, 100, (16,), device="cuda")
    x, y = mixup(x, y)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = loss_fn(model(x), y)
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    opt.step()
    schedule.step(step)
