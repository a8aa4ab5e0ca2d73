"""Speech-commands style keyword spotting: log-mel on the GPU, small CNN, SWA with BN update."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset

SAMPLE_RATE = 16000
N_FFT, HOP, N_MELS = 512, 128, 64
CLASSES = 35
BATCH = 128
N_TRAIN = 128 * 3
EPOCHS, SWA_START = 3, 1
device = torch.device("cuda")


def mel_filterbank(n_freqs, n_mels, sr):
    hz2mel = lambda f: 2595.0 * math.log10(1 + f / 700.0)
    m = torch.linspace(hz2mel(20.0), hz2mel(sr / 2), n_mels + 2)
    f = 700.0 * (10 ** (m / 2595.0) - 1)
    freqs = torch.linspace(0, sr / 2, n_freqs)
    lower = (freqs[:, None] - f[None, :-2]) / (f[1:-1] - f[:-2])
    upper = (f[None, 2:] - freqs[:, None]) / (f[2:] - f[1:-1])
    return torch.minimum(lower, upper).clamp(min=0)


class LogMel(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(N_FFT))
        self.register_buffer("fb", mel_filterbank(N_FFT // 2 + 1, N_MELS, SAMPLE_RATE))

    @torch.no_grad()
    def forward(self, wav):
        spec = torch.stft(wav, N_FFT, HOP, window=self.window, return_complex=True, center=True)
        power = spec.abs().pow(2)
        mel = torch.einsum("bft,fm->bmt", power, self.fb)
        mel = torch.log(mel + 1e-6)
        if self.training:  # SpecAugment
            t0 = int(torch.randint(0, mel.size(-1) - 20, (1,)))
            f0 = int(torch.randint(0, N_MELS - 8, (1,)))
            mel[:, :, t0:t0 + 20] = 0
            mel[:, f0:f0 + 8] = 0
        return mel.unsqueeze(1)


class DSBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dw = nn.Conv2d(c, c, 3, padding=1, groups=c, bias=False)
        self.pw = nn.Conv2d(c, c, 1, bias=False)
        self.bn1, self.bn2 = nn.BatchNorm2d(c), nn.BatchNorm2d(c)

    def forward(self, x):
        x = F.relu(self.bn1(self.dw(x)))
        return F.relu(self.bn2(self.pw(x)))


class DSCNN(nn.Module):
    def __init__(self, width=96, depth=4):
        super().__init__()
        self.frontend = LogMel()
        self.stem = nn.Sequential(nn.Conv2d(1, width, (10, 4), stride=(2, 2), padding=(5, 1), bias=False),
                                  nn.BatchNorm2d(width), nn.ReLU())
        self.blocks = nn.Sequential(*[DSBlock(width) for _ in range(depth)])
        self.fc = nn.Linear(width, CLASSES)

    def forward(self, wav):
        x = self.blocks(self.stem(self.frontend(wav)))
        return self.fc(F.dropout(x.mean((2, 3)), 0.2, self.training))


def dataset(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, CLASSES, (n,), generator=g)
    t = torch.arange(SAMPLE_RATE) / SAMPLE_RATE
    x = torch.sin(2 * math.pi * (200 + 60 * y[:, None]) * t) + 0.5 * torch.randn(n, SAMPLE_RATE, generator=g)
    return TensorDataset(x, y)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    return sum((model(x.to(device)).argmax(1).cpu() == y).sum().item() for x, y in loader) / len(loader.dataset)


def main():
    torch.manual_seed(0)
    train = DataLoader(dataset(N_TRAIN, 0), BATCH, shuffle=True, drop_last=True)
    val = DataLoader(dataset(96, 1), 96)
    model = DSCNN().to(device)
    swa_model = AveragedModel(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    swa_sched = SWALR(opt, swa_lr=0.02, anneal_epochs=1)
    for epoch in range(EPOCHS):
        model.train()
        for x, y in train:
            loss = F.cross_entropy(model(x.to(device)), y.to(device))
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch >= SWA_START:
            swa_model.update_parameters(model)
            swa_sched.step()
        print(f"epoch {epoch} loss {loss.item():.4f} val {accuracy(model, val):.3f}")
    update_bn(train, swa_model, device=device)
    print(f"swa val {accuracy(swa_model, val):.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
