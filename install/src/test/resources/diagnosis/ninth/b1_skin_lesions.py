# limit: 2
import torch
from torch import nn

DEV = torch.device("cuda")
MICRO, MICRO_BATCHES, CLASSES = 32, 8, 7


def block(cin, cout, stride=1):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


class LesionNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            block(3, 32), block(32, 32), block(32, 64, 2), block(64, 64), block(64, 128, 2))
        self.classify = nn.Linear(128, CLASSES)

    def forward(self, x):
        return self.classify(self.features(x).mean((2, 3)))


class Lesions(torch.utils.data.Dataset):
    def __len__(self):
        return 4096

    def __getitem__(self, i):
        return torch.randn(3, 128, 128), int(i) % CLASSES


def train():
    model = LesionNet().to(DEV)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    lossfn = nn.CrossEntropyLoss()
    loader = torch.utils.data.DataLoader(Lesions(), batch_size=MICRO, shuffle=True)
    stream = iter(loader)
    for step in range(10):
        loss = 0.0
        for _ in range(MICRO_BATCHES):
            images, labels = next(stream)
            logits = model(images.to(DEV))
            loss = loss + lossfn(logits, labels.to(DEV)) / MICRO_BATCHES
        opt.zero_grad()
        loss.backward()
        opt.step()
        print("step", step, "loss", loss.item())


if __name__ == "__main__":
    train()
