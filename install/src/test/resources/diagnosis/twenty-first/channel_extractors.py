# limit: 3.2
"""Meeting recordings with eight channels: each channel has its own extractor that runs at the same time as the others."""
import torch
import torch.nn as nn

CHANNELS, ROUNDS, FRAMES = 8, 4, 131_072


class MeanFrames(nn.Module):
    def forward(self, x):
        return x.unflatten(0, (-1, 20)).mean(1)


class Extractor:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(80, 512), nn.ReLU(), MeanFrames()).to("cuda").eval()
        self.stream = torch.cuda.Stream()
        self.kept = []

    @torch.no_grad()
    def push(self, mel):
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            mel.record_stream(self.stream)
            self.kept.append(self.net(mel))


class Diarizer(nn.Module):
    def __init__(self, speakers=6):
        super().__init__()
        self.up = nn.Linear(512, 1024)
        self.out = nn.Linear(1024, speakers)

    def forward(self, x):
        return self.out(torch.tanh(self.up(x)))


def extract():
    extractors = [Extractor() for _ in range(CHANNELS)]
    for r in range(ROUNDS):
        for e in extractors:
            e.push(torch.randn(FRAMES // 20 * 20, 80, device="cuda"))
        torch.cuda.synchronize()
        print(f"round {r}: allocated {torch.cuda.memory_allocated() >> 20} reserved {torch.cuda.memory_reserved() >> 20}")
    return [f for e in extractors for f in e.kept]


def diarize(features, steps=30):
    x = torch.cat(features)
    model = Diarizer().to("cuda")
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    y = torch.randint(0, 6, (len(x),), device="cuda")
    for step in range(steps):
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def main():
    torch.manual_seed(60)
    features = extract()
    print("frames", sum(map(len, features)))
    print("loss", diarize(features))


if __name__ == "__main__":
    main()
