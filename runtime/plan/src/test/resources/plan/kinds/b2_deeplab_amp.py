import torch, torchvision
torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
net = torchvision.models.segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None, num_classes=21).cuda()
opt = torch.optim.SGD(net.parameters(), 0.01)
for i in range(2):
    x = torch.randn(4, 3, 256, 256, device="cuda"); y = torch.randint(0, 21, (4, 256, 256), device="cuda")
    with torch.autocast("cuda", torch.bfloat16): loss = torch.nn.functional.cross_entropy(net(x)["out"], y)
    opt.zero_grad(); loss.backward(); opt.step()
