import torch, torchvision
from torch.utils.checkpoint import checkpoint
torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
net = torchvision.models.resnet34(num_classes=50).cuda()
opt = torch.optim.AdamW(net.parameters(), 1e-3)
def forward(x):
    x = net.maxpool(net.relu(net.bn1(net.conv1(x))))
    for layer in (net.layer1, net.layer2, net.layer3, net.layer4): x = checkpoint(layer, x, use_reentrant=False)
    return net.fc(net.avgpool(x).flatten(1))
for i in range(3):
    x = torch.randn(32, 3, 192, 192, device="cuda"); y = torch.randint(0, 50, (32,), device="cuda")
    loss = torch.nn.functional.cross_entropy(forward(x), y); opt.zero_grad(); loss.backward(); opt.step()
