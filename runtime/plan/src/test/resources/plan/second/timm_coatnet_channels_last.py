import timm, torch
import timm.loss, timm.optim
torch.manual_seed(0)
model = timm.create_model("coatnet_nano_rw_224", pretrained=False, num_classes=50).to("cuda", memory_format=torch.channels_last)
opt = timm.optim.create_optimizer_v2(model, opt="lamb", lr=1e-3, weight_decay=0.02)
crit = timm.loss.LabelSmoothingCrossEntropy(0.1)
for step in range(2):
    x = torch.randn(8, 3, 224, 224, device="cuda").to(memory_format=torch.channels_last)
    y = torch.randint(0, 50, (8,), device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        loss = crit(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
