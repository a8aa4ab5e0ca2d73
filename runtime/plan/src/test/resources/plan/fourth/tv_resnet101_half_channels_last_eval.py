import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.resnet101(weights=None).cuda().half().to(memory_format=torch.channels_last).eval()
hits = torch.zeros((), device="cuda")
with torch.inference_mode():
    for step in range(4):
        x = torch.randn(28, 3, 224, 224).half().cuda(non_blocking=True).to(memory_format=torch.channels_last)
        y = torch.randint(0, 1000, (28,)).cuda()
        hits += (model(x).topk(5, 1).indices == y[:, None]).any(1).sum()
print(hits.item())
