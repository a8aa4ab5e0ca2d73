import copy
import timm, torch
torch.manual_seed(0)
model = timm.create_model("convnext_pico", drop_path_rate=0.1, num_classes=200).cuda().train()
average = copy.deepcopy(model).eval().requires_grad_(False)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
for step in range(3):
    for micro in range(2):
        x, y = torch.randn(12, 3, 192, 192, device="cuda"), torch.randint(0, 200, (12,), device="cuda")
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(model(x), y, label_smoothing=0.1) / 2
        loss.backward()
    opt.step()
    opt.zero_grad()
    with torch.no_grad():
        for slow, fast in zip(average.state_dict().values(), model.state_dict().values()):
            slow.copy_(slow * 0.99 + fast * 0.01)
