import torch, timm
torch.manual_seed(0)
model = timm.create_model("deit_tiny_patch16_224", pretrained=False, num_classes=100).cuda().train()
model.set_grad_checkpointing(True)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
for step in range(3):
    x = torch.randn(64, 3, 224, 224, device="cuda"); y = torch.randint(0, 100, (64,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(); loss.backward(); torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0); opt.step()
