# Sound event detection (DCASE style baseline): log-mel on GPU with torch.stft, CNN + bidirectional GRU
import math
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

sr = 32000
n_fft = 1024
hop = 320
n_mels = 64
clip_seconds = 10
n_events = 10
batch_size = 32
epochs = 2
iters_per_epoch = 3


def mel_filterbank(n_freqs, n_mels, sr, fmin=50., fmax=14000.):
    hz2mel = lambda f: 2595. * np.log10(1. + f / 700.)
    mel2hz = lambda m: 700. * (10. ** (m / 2595.) - 1.)
    pts = mel2hz(np.linspace(hz2mel(fmin), hz2mel(fmax), n_mels + 2))
    freqs = np.linspace(0, sr / 2, n_freqs)
    fb = np.zeros((n_freqs, n_mels))
    for m in range(n_mels):
        lo, c, hi = pts[m:m + 3]
        fb[:, m] = np.maximum(0, np.minimum((freqs - lo) / (c - lo), (hi - freqs) / (hi - c)))
    return torch.tensor(fb, dtype=torch.float32)


class LogMel(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(n_fft))
        self.register_buffer("fb", mel_filterbank(n_fft // 2 + 1, n_mels, sr))

    @torch.no_grad()
    def forward(self, wav):
        spec = torch.stft(wav, n_fft, hop, window=self.window, return_complex=True, pad_mode="reflect")
        power = spec.abs().square()                       # (B, F, T)
        mel = torch.matmul(power.transpose(1, 2), self.fb)  # (B, T, M)
        return 10.0 * torch.log10(mel.clamp(min=1e-10))


class SpecAugment(nn.Module):
    def forward(self, x):
        if not self.training:
            return x
        x = x.clone()
        for b in range(x.size(0)):
            t0 = torch.randint(0, x.size(1) - 40, (1,)).item()
            f0 = torch.randint(0, x.size(2) - 8, (1,)).item()
            x[b, t0:t0 + 40] = x.mean()
            x[b, :, f0:f0 + 8] = x.mean()
        return x


class GLU(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.lin = nn.Linear(c, c)

    def forward(self, x):
        return x * torch.sigmoid(self.lin(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2))


class CRNN(nn.Module):
    def __init__(self, widths=(16, 32, 64, 128, 128), pools=((2, 2), (2, 2), (1, 2), (1, 2), (1, 2)), hidden=256):
        super().__init__()
        layers, c = [], 1
        for w, p in zip(widths, pools):
            layers += [nn.Conv2d(c, w, 3, padding=1), nn.BatchNorm2d(w), GLU(w), nn.Dropout(0.3), nn.AvgPool2d(p)]
            c = w
        self.cnn = nn.Sequential(*layers)
        self.rnn = nn.GRU(c * (n_mels // 32), hidden, num_layers=2, bidirectional=True, batch_first=True, dropout=0.2)
        self.strong = nn.Linear(2 * hidden, n_events)
        self.att = nn.Linear(2 * hidden, n_events)

    def forward(self, x):
        h = self.cnn(x.unsqueeze(1))                     # (B, C, T/4, M/32)
        h = h.permute(0, 2, 1, 3).flatten(2)
        h, _ = self.rnn(h)
        strong = torch.sigmoid(self.strong(h))
        att = torch.softmax(self.att(h), dim=-1).clamp(1e-7, 1)
        weak = (strong * att).sum(1) / att.sum(1)
        return strong, weak


def synth(bs, gen):
    t = torch.arange(sr * clip_seconds, device="cuda") / sr
    wav = 0.01 * torch.randn(bs, t.numel(), generator=gen, device="cuda")
    frames = math.ceil((t.numel() // hop + 1) / 4)
    y = torch.zeros(bs, frames, n_events, device="cuda")
    for b in range(bs):
        e = int(torch.randint(0, n_events, (1,), generator=gen, device="cuda"))
        s = float(torch.rand(1, generator=gen, device="cuda")) * (clip_seconds - 2)
        on = (t > s) & (t < s + 2)
        wav[b] += 0.2 * torch.sin(2 * math.pi * (200 + 300 * e) * t) * on
        y[b, int(s / clip_seconds * frames):int((s + 2) / clip_seconds * frames), e] = 1
    return wav, y


if __name__ == "__main__":
    torch.manual_seed(12)
    gen = torch.Generator(device="cuda").manual_seed(12)
    front, aug, net = LogMel().to("cuda"), SpecAugment(), CRNN().to("cuda")
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda i: math.exp(-5 * (1 - min(1, (i + 1) / 3)) ** 2))
    for epoch in range(epochs):
        net.train()
        for it in range(iters_per_epoch):
            wav, y = synth(batch_size, gen)
            strong, weak = net(aug(front(wav)))
            T = min(strong.size(1), y.size(1))
            loss = F.binary_cross_entropy(strong[:, :T], y[:, :T]) + 0.5 * F.binary_cross_entropy(weak, y.amax(1))
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
        net.eval()
        with torch.no_grad():
            wav, y = synth(batch_size, gen)
            strong, weak = net(front(wav))
            f1 = 2 * ((weak > .5) & (y.amax(1) > .5)).sum() / ((weak > .5).sum() + y.amax(1).sum()).clamp(min=1)
        print(f"epoch {epoch} loss {loss.item():.4f} weak-F1 {f1.item():.3f}")
    print(f"GPU peak {torch.cuda.max_memory_allocated() / 1e6:.0f} MB")
