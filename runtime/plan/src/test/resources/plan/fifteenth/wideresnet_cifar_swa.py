'''Train CIFAR10-sized data with PyTorch: WRN-28-10-ish, stochastic weight averaging and update_bn.'''
import argparse
import time

import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import transforms

parser = argparse.ArgumentParser(description='PyTorch CIFAR10 Training')
parser.add_argument('--lr', default=0.1, type=float, help='learning rate')
parser.add_argument('--depth', default=16, type=int)
parser.add_argument('--widen', default=8, type=int)
parser.add_argument('--batch-size', default=128, type=int)
parser.add_argument('--train-size', default=512, type=int)
parser.add_argument('--epochs', default=2, type=int)
args = parser.parse_args()

device = 'cuda' if torch.cuda.is_available() else 'cpu'
torch.manual_seed(0)
cudnn.benchmark = True


class WideBasic(nn.Module):
    def __init__(self, in_planes, planes, dropout_rate, stride=1):
        super().__init__()
        self.bn1 = nn.BatchNorm2d(in_planes)
        self.conv1 = nn.Conv2d(in_planes, planes, 3, padding=1, bias=True)
        self.dropout = nn.Dropout(p=dropout_rate)
        self.bn2 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, stride=stride, padding=1, bias=True)
        self.shortcut = nn.Sequential()
        if stride != 1 or in_planes != planes:
            self.shortcut = nn.Sequential(nn.Conv2d(in_planes, planes, 1, stride=stride, bias=True))

    def forward(self, x):
        out = self.dropout(self.conv1(F.relu(self.bn1(x))))
        out = self.conv2(F.relu(self.bn2(out)))
        out += self.shortcut(x)
        return out


class WideResNet(nn.Module):
    def __init__(self, depth, k, dropout_rate, num_classes):
        super().__init__()
        n = (depth - 4) // 6
        stages = [16, 16 * k, 32 * k, 64 * k]
        self.in_planes = 16
        self.conv1 = nn.Conv2d(3, stages[0], 3, padding=1, bias=True)
        self.layer1 = self._wide_layer(stages[1], n, dropout_rate, 1)
        self.layer2 = self._wide_layer(stages[2], n, dropout_rate, 2)
        self.layer3 = self._wide_layer(stages[3], n, dropout_rate, 2)
        self.bn1 = nn.BatchNorm2d(stages[3], momentum=0.9)
        self.linear = nn.Linear(stages[3], num_classes)

    def _wide_layer(self, planes, n, dropout_rate, stride):
        layers = []
        for s in [stride] + [1] * (n - 1):
            layers.append(WideBasic(self.in_planes, planes, dropout_rate, s))
            self.in_planes = planes
        return nn.Sequential(*layers)

    def forward(self, x):
        out = self.layer3(self.layer2(self.layer1(self.conv1(x))))
        out = F.adaptive_avg_pool2d(F.relu(self.bn1(out)), 1)
        return self.linear(out.flatten(1))


class AugmentedCifar(TensorDataset):
    tf = transforms.Compose([transforms.RandomCrop(32, padding=4), transforms.RandomHorizontalFlip()])

    def __getitem__(self, i):
        x, y = super().__getitem__(i)
        return self.tf(x), y


print('==> Preparing data..')
g = torch.Generator().manual_seed(1)
make = lambda n: (torch.randn(n, 3, 32, 32, generator=g), torch.randint(0, 10, (n,), generator=g))
trainloader = DataLoader(AugmentedCifar(*make(args.train_size)), batch_size=args.batch_size, shuffle=True)
testloader = DataLoader(TensorDataset(*make(args.train_size // 2)), batch_size=100, shuffle=False)

print('==> Building model..')
net = WideResNet(args.depth, args.widen, 0.3, 10).to(device)
swa_net = AveragedModel(net)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
swa_scheduler = SWALR(optimizer, swa_lr=0.05, anneal_epochs=1)


def train(epoch):
    net.train()
    train_loss, correct, total = 0, 0, 0
    for batch_idx, (inputs, targets) in enumerate(trainloader):
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()
        correct += outputs.argmax(1).eq(targets).sum().item()
        total += targets.size(0)
    print('Epoch: %d | Loss: %.3f | Acc: %.3f%% (%d/%d)' % (epoch, train_loss / (batch_idx + 1), 100. * correct / total, correct, total))


def test(model, tag):
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for inputs, targets in testloader:
            outputs = model(inputs.to(device))
            correct += outputs.argmax(1).cpu().eq(targets).sum().item()
            total += targets.size(0)
    print('%s Acc: %.3f%%' % (tag, 100. * correct / total))


for epoch in range(args.epochs):
    start = time.time()
    train(epoch)
    swa_net.update_parameters(net)
    swa_scheduler.step()
    test(net, 'plain')
    print('took %.1fs' % (time.time() - start))
update_bn(trainloader, swa_net, device=device)
test(swa_net, 'SWA')
print('Max memory: %.1f MB' % (torch.cuda.max_memory_allocated() / 1e6))
