import torch, torchvision
import torch.nn.functional as F
torch.manual_seed(0)
teacher = torchvision.models.resnet34(weights=None).cuda().eval()
student = torchvision.models.mobilenet_v2(weights=None, width_mult=0.5).cuda().train()
opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-4)
for step in range(3):
    x, y = torch.randn(20, 3, 160, 160, device="cuda"), torch.randint(0, 1000, (20,), device="cuda")
    with torch.no_grad():
        soft = F.softmax(teacher(x) / 4, dim=1)
    logits = student(x)
    loss = 0.7 * 16 * F.kl_div(F.log_softmax(logits / 4, dim=1), soft, reduction="batchmean") + 0.3 * F.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
