"""PyTorch's side of io.vramlab.bench.ModelStepBench: the same networks and lines, ten steps first, then the median and the least of batches of five."""
import time
import torch, torch.nn as nn, torch.nn.functional as F

WARM, BATCHES, STEPS = 10, 9, 5
torch.set_default_device('cuda')


class Bottleneck(nn.Module):
    def __init__(self, i, width, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(i, width, 1, bias=False), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = nn.Conv2d(width, 4 * width, 1, bias=False), nn.BatchNorm2d(4 * width)
        self.down = nn.Sequential(nn.Conv2d(i, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width)) if stride != 1 or i != 4 * width else None

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)), inplace=True)
        y = F.relu(self.bn2(self.conv2(y)), inplace=True)
        y = self.bn3(self.conv3(y))
        y += x if self.down is None else self.down(x)
        return F.relu(y, inplace=True)


class ResNet50(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv1, self.bn1, self.pool, blocks, i = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.MaxPool2d(3, 2, 1), [], 64
        for stage, depth in enumerate((3, 4, 6, 3)):
            for k in range(depth):
                blocks.append(Bottleneck(i, 64 << stage, 2 if stage and k == 0 else 1))
                i = 4 * (64 << stage)
        self.blocks, self.mean, self.fc = nn.Sequential(*blocks), nn.AdaptiveAvgPool2d(1), nn.Linear(i, classes)

    def forward(self, x):
        x = self.pool(F.relu(self.bn1(self.conv1(x)), inplace=True))
        return self.fc(self.mean(self.blocks(x)).flatten(1))


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ln1, self.attention, self.projection = nn.LayerNorm(d), nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.ln2, self.wide, self.narrow = nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x):
        n, length, d = x.shape
        q, k, v = (t.view(n, length, 12, d // 12).transpose(1, 2) for t in self.attention(self.ln1(x)).split(d, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.projection(y.transpose(1, 2).contiguous().view(n, length, d))
        return x + self.narrow(F.gelu(self.wide(self.ln2(x))))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.positions, self.blocks, self.last = nn.Embedding(50304, 768), nn.Embedding(1024, 768), nn.Sequential(*[Block(768) for _ in range(12)]), nn.LayerNorm(768)

    def forward(self, x):
        y = self.words(x) + self.positions(torch.arange(1024))
        return F.linear(self.last(self.blocks(y)), self.words.weight)


class LstmLm(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.lstm, self.out = nn.Embedding(10000, 1024), nn.LSTM(1024, 1024, 2), nn.Linear(1024, 10000)

    def forward(self, x): return self.out(self.lstm(self.words(x))[0])


def timed(name, optimizer, cast, loss):
    def step():
        optimizer.zero_grad()
        if cast is None: error = loss()
        else:
            with torch.autocast('cuda', dtype=cast): error = loss()
        error.backward()
        optimizer.step()
    for _ in range(WARM): step()
    torch.cuda.synchronize()
    millis = []
    for _ in range(BATCHES):
        start = time.perf_counter()
        for _ in range(STEPS): step()
        torch.cuda.synchronize()
        millis.append((time.perf_counter() - start) * 1e3 / STEPS)
    print(f'{name:36} median {sorted(millis)[BATCHES // 2]:.2f} ms, least {min(millis):.2f}', flush=True)


def resnet(name, batch, size, cast):
    net, x, y = ResNet50(1000), torch.randn(batch, 3, size, size), torch.randint(0, 1000, (batch,))
    timed(name, torch.optim.SGD(net.parameters(), lr=.01, momentum=.9), cast, lambda: F.cross_entropy(net(x), y))


def words(name, net, x, optimizer, cast): timed(name, optimizer, cast, lambda: F.cross_entropy(net(x).flatten(0, 1), x.flatten()))


if __name__ == '__main__':
    resnet('resnet50 32x224 float32', 32, 224, None)
    resnet('resnet50 64x224 autocast bfloat16', 64, 224, torch.bfloat16)
    resnet('resnet50 16x64 float32', 16, 64, None)
    gpt, lstm = Gpt(), LstmLm()
    words('gpt2 8x1024 autocast bfloat16', gpt, torch.randint(0, 50304, (8, 1024)), torch.optim.AdamW(gpt.parameters(), lr=1e-4, fused=True), torch.bfloat16)
    words('lstm 2x1024 128x64 float32', lstm, torch.randint(0, 10000, (128, 64)), torch.optim.SGD(lstm.parameters(), lr=.1), None)
