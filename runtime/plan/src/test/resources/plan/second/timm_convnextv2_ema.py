import copy
import timm, torch
torch.manual_seed(0)
model = timm.create_model("convnextv2_atto", pretrained=False, num_classes=100, drop_path_rate=0.1).cuda().train()
ema = copy.deepcopy(model).eval()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
for step in range(3):
    x, y = torch.randn(24, 3, 192, 192, device="cuda"), torch.randint(0, 100, (24,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        torch._foreach_lerp_(list(ema.parameters()), list(model.parameters()), 0.01)
