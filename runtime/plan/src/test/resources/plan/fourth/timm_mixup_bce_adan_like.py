import timm, torch
from timm.data import Mixup
torch.manual_seed(0)
model = timm.create_model("deit3_small_patch16_224", img_size=128, num_classes=60, drop_path_rate=0.05).cuda().train()
mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=0.0, label_smoothing=0.0, num_classes=60)
opt = torch.optim.NAdam(model.parameters(), lr=1e-3, weight_decay=0.02)
for step in range(3):
    x, y = mixup(torch.randn(24, 3, 128, 128, device="cuda"), torch.randint(0, 60, (24,), device="cuda"))
    loss = torch.nn.functional.binary_cross_entropy_with_logits(model(x), y)
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    opt.step()
