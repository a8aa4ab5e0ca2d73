import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.maxvit_t(weights=None).cuda().eval()
with torch.no_grad(), torch.autocast("cuda", dtype=torch.float16):
    for _ in range(3):
        probs = model(torch.randn(12, 3, 224, 224, device="cuda")).softmax(1)
        top = probs.topk(5)
