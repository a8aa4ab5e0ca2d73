# limit: 2
from __future__ import print_function
import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, 1)
        self.conv2 = nn.Conv2d(32, 64, 3, 1)
        self.fc1 = nn.Linear(9216, 128)
        self.fc2 = nn.Linear(128, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        return F.log_softmax(self.fc2(x), dim=1)


def train(args, model, device, optimizer, epoch):
    model.train()
    for batch_idx in range(args.train_batches):
        data = torch.rand(256, 1, 28, 28, device=device)
        target = torch.randint(0, 10, (256,), device=device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(data), target)
        loss.backward()
        optimizer.step()
        if batch_idx % 50 == 0:
            print('Train Epoch: {} [{}]\tLoss: {:.6f}'.format(epoch, batch_idx, loss.item()))


def validate(args, model, device):
    model.eval()
    test_loss = 0
    correct = 0
    for _ in range(args.val_batches):
        data = torch.rand(256, 1, 28, 28, device=device)
        target = torch.randint(0, 10, (256,), device=device)
        output = model(data)
        test_loss += F.nll_loss(output, target, reduction='sum')
        pred = output.argmax(dim=1, keepdim=True)
        correct += pred.eq(target.view_as(pred)).sum().item()
    test_loss /= args.val_batches * 256
    print('Test: loss {:.4f}, accuracy {}'.format(test_loss, correct))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=2)
    parser.add_argument('--train-batches', type=int, default=200)
    parser.add_argument('--val-batches', type=int, default=100)
    args = parser.parse_args()
    torch.manual_seed(1)
    device = torch.device("cuda")
    model = Net().to(device)
    optimizer = optim.Adadelta(model.parameters(), lr=1.0)
    for epoch in range(1, args.epochs + 1):
        train(args, model, device, optimizer, epoch)
        validate(args, model, device)


main()
