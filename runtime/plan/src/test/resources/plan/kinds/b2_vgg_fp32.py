import torch, torchvision
torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
net = torchvision.models.vgg11_bn(num_classes=10).cuda()
opt = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9, weight_decay=5e-4)
for i in range(3):
    x = torch.randn(32, 3, 128, 128, device="cuda"); y = torch.randint(0, 10, (32,), device="cuda")
    loss = torch.nn.functional.cross_entropy(net(x), y); opt.zero_grad(); loss.backward(); opt.step()
net.eval()
with torch.no_grad(): net(torch.randn(10, 3, 128, 128, device="cuda"))
