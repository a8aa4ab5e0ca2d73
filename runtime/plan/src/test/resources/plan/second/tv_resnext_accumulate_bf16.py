import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.resnext50_32x4d(weights=None).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4, nesterov=True)
crit = torch.nn.CrossEntropyLoss().cuda()
for step in range(2):
    for micro in range(2):
        x, y = torch.randn(16, 3, 176, 176).cuda(non_blocking=True), torch.randint(0, 1000, (16,)).cuda(non_blocking=True)
        with torch.autocast("cuda", torch.bfloat16):
            loss = crit(model(x), y) / 2
        loss.backward()
    opt.step()
    opt.zero_grad()
