import timm, torch
torch.manual_seed(0)
model = timm.create_model("mobilevit_xs", pretrained=False, num_classes=100).to("cuda", torch.bfloat16)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(3):
    x, y = torch.randn(16, 3, 192, 192, device="cuda", dtype=torch.bfloat16), torch.randint(0, 100, (16,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
