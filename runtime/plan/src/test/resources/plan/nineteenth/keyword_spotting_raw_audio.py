import time

import torch
import torch.nn as nn
import torch.nn.functional as F

# Keyword spotting: log-mel made on the GPU with torch.stft, then a BC-ResNet-ish conv net.
# Forward hooks collect how much every block puts out.

SR = 16000
SECONDS = 1.0
N_FFT, HOP, N_MELS = 512, 128, 64
BATCH = 48
STEPS = 6
WORDS = 35
WIDTH = 64
device = "cuda"
torch.manual_seed(404)


def mel_filterbank(n_mels, n_fft, sr):
    def hz2mel(f):
        return 2595 * torch.log10(1 + f / 700)

    pts = torch.linspace(float(hz2mel(torch.tensor(20.0))), float(hz2mel(torch.tensor(sr / 2))), n_mels + 2)
    hz = 700 * (10 ** (pts / 2595) - 1)
    freqs = torch.linspace(0, sr / 2, n_fft // 2 + 1)
    up = (freqs[None] - hz[:-2, None]) / (hz[1:-1] - hz[:-2])[:, None]
    down = (hz[2:, None] - freqs[None]) / (hz[2:] - hz[1:-1])[:, None]
    return torch.minimum(up, down).clamp_min(0)


class LogMel(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(N_FFT))
        self.register_buffer("fb", mel_filterbank(N_MELS, N_FFT, SR))

    def forward(self, wav):
        spec = torch.stft(wav, N_FFT, HOP, window=self.window, return_complex=True).abs().square()
        mel = torch.log(self.fb @ spec + 1e-6)
        return (mel - mel.mean((1, 2), keepdim=True)) / (mel.std((1, 2), keepdim=True) + 1e-5)


class Block(nn.Module):
    def __init__(self, cin, cout, stride, dil):
        super().__init__()
        self.freq = nn.Conv2d(cin, cin, (3, 1), (stride, 1), (1, 0), groups=cin, bias=False)
        self.pw1 = nn.Conv2d(cin, cout, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.temp = nn.Conv2d(cout, cout, (1, 3), padding=(0, dil), dilation=(1, dil), groups=cout, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.pw2 = nn.Conv2d(cout, cout, 1, bias=False)
        self.drop = nn.Dropout2d(0.1)

    def forward(self, x):
        f = F.relu(self.bn1(self.pw1(self.freq(x))))
        t = f.mean(2, keepdim=True)
        t = self.drop(self.pw2(F.silu(self.bn2(self.temp(t)))))
        return F.relu(f + t)


class Net(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.mel = LogMel()
        self.stem = nn.Sequential(nn.Conv2d(1, w, 5, (1, 1), 2, bias=False), nn.BatchNorm2d(w), nn.ReLU())
        self.blocks = nn.ModuleList([
            Block(w, w, 1, 1), Block(w, w, 1, 1), Block(w, 2 * w, 2, 2), Block(2 * w, 2 * w, 1, 2),
            Block(2 * w, 3 * w, 2, 4), Block(3 * w, 3 * w, 1, 4), Block(3 * w, 4 * w, 2, 8),
        ])
        self.fc = nn.Linear(4 * w, WORDS)

    def forward(self, wav):
        with torch.no_grad():
            x = self.mel(wav).unsqueeze(1)
        x = self.stem(x)
        for b in self.blocks:
            x = b(x)
        return self.fc(x.mean((2, 3)))


def make_batch(gen, n):
    y = torch.randint(WORDS, (n,), generator=gen, device=device)
    t = torch.arange(int(SR * SECONDS), device=device) / SR
    f0 = 150 + 60 * y.float()
    phase = 6.28 * torch.rand(n, 1, generator=gen, device=device)
    wav = torch.sin(2 * torch.pi * f0[:, None] * t + phase)
    wav = wav + 0.3 * torch.randn(wav.shape, generator=gen, device=device)
    shift = int(torch.randint(-1600, 1600, (1,)).item())
    return wav.roll(shift, 1), y


sizes = {}


def watch(name):
    def hook(mod, inp, out):
        sizes[name] = out.numel() * out.element_size()
    return hook


net = Net(WIDTH).to(device)
handles = [b.register_forward_hook(watch(f"block{i}")) for i, b in enumerate(net.blocks)]
opt = torch.optim.NAdam(net.parameters(), lr=2e-3, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
gen = torch.Generator(device=device).manual_seed(1)
for step in range(STEPS):
    t0 = time.perf_counter()
    wav, y = make_batch(gen, BATCH)
    loss = F.cross_entropy(net(wav), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    print(f"{step} loss {loss.item():.3f} {time.perf_counter() - t0:.3f}s")
    if step == 0:
        for h in handles:
            h.remove()
        print({k: f"{v / 1e6:.0f}MB" for k, v in sizes.items()})

net.eval()
with torch.inference_mode():
    accs = []
    for _ in range(2):
        wav, y = make_batch(gen, 2 * BATCH)
        accs.append((net(wav).argmax(1) == y).float().mean().item())
print("val", sum(accs) / len(accs))
print("peak MiB", torch.cuda.max_memory_allocated() / 2**20)
