import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.resnet34(weights=None).to("cuda", memory_format=torch.channels_last)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)
crit = torch.nn.CrossEntropyLoss()
for step in range(3):
    x = torch.randn(40, 3, 160, 160, device="cuda").contiguous(memory_format=torch.channels_last)
    y = torch.randint(0, 1000, (40,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = crit(model(x), y)
    opt.zero_grad(set_to_none=True); loss.backward(); opt.step()
