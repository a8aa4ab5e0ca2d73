import timm, torch
torch.manual_seed(0)
model = timm.create_model("vit_small_patch32_224", num_classes=100, drop_rate=0.1).cuda().train()
model.set_grad_checkpointing(True)
opt = torch.optim.AdamW(model.parameters(), lr=5e-4, fused=True)
scaler = torch.amp.GradScaler("cuda")
for step in range(3):
    x, y = torch.randn(40, 3, 224, 224).cuda(), torch.randint(0, 100, (40,)).cuda()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = torch.nn.functional.cross_entropy(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    opt.zero_grad(set_to_none=True)
