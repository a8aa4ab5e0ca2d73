# Keyword spotting: log-mel computed on the GPU with torch.stft, SpecAugment, conv + bi-GRU, RMSprop.
import math
import torch
import torch.nn as nn


class LogMel(nn.Module):
    def __init__(self, sr=16000, n_fft=512, hop=160, n_mels=64):
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        self.register_buffer("window", torch.hann_window(n_fft))
        self.register_buffer("fb", self._filters(sr, n_fft, n_mels))

    @staticmethod
    def _filters(sr, n_fft, n_mels):
        def to_mel(f):
            return 2595.0 * math.log10(1 + f / 700.0)
        mels = torch.linspace(to_mel(20), to_mel(sr / 2), n_mels + 2)
        hz = 700.0 * (10 ** (mels / 2595.0) - 1)
        freqs = torch.linspace(0, sr / 2, n_fft // 2 + 1)
        up = (freqs[None] - hz[:-2, None]) / (hz[1:-1] - hz[:-2])[:, None]
        down = (hz[2:, None] - freqs[None]) / (hz[2:] - hz[1:-1])[:, None]
        return torch.minimum(up, down).clamp(min=0)

    @torch.no_grad()
    def forward(self, wav):
        spec = torch.stft(wav, self.n_fft, self.hop, window=self.window, return_complex=True)
        power = spec.real ** 2 + spec.imag ** 2
        return torch.log(self.fb @ power + 1e-6)


def spec_augment(x, n_freq=2, max_f=10, n_time=2, max_t=20):
    x = x.clone()
    for _ in range(n_freq):
        w = int(torch.randint(1, max_f, (1,)))
        s = int(torch.randint(0, x.size(1) - w, (1,)))
        x[:, s:s + w] = 0
    for _ in range(n_time):
        w = int(torch.randint(1, max_t, (1,)))
        s = int(torch.randint(0, x.size(2) - w, (1,)))
        x[:, :, s:s + w] = 0
    return x


class CRNN(nn.Module):
    def __init__(self, n_mels=64, classes=35, ch=48, hidden=192):
        super().__init__()
        layers, cin = [], 1
        for i in range(3):
            cout = ch * 2 ** i
            layers += [nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.SiLU(),
                       nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.SiLU(),
                       nn.MaxPool2d((2, 2) if i else (2, 1))]
            cin = cout
        self.conv = nn.Sequential(*layers)
        self.gru = nn.GRU(cin * (n_mels // 8), hidden, num_layers=2, batch_first=True, bidirectional=True, dropout=0.2)
        self.att = nn.Linear(2 * hidden, 1)
        self.fc = nn.Linear(2 * hidden, classes)

    def forward(self, mel):
        h = self.conv(mel.unsqueeze(1))
        h = h.flatten(1, 2).transpose(1, 2)
        h, _ = self.gru(h)
        w = self.att(h).softmax(1)
        return self.fc((w * h).sum(1))


def batch(n, classes, device, seconds=1.5, sr=16000):
    y = torch.randint(0, classes, (n,))
    t = torch.arange(int(seconds * sr)) / sr
    wav = torch.sin(2 * math.pi * (200 + 90 * y[:, None]) * t[None])
    wav += 0.3 * torch.randn_like(wav)
    return wav.to(device), y.to(device)


def run(batch_size=96, steps=6, classes=35):
    torch.manual_seed(5)
    device = "cuda"
    front = LogMel().to(device)
    net = CRNN(classes=classes).to(device)
    opt = torch.optim.RMSprop(net.parameters(), lr=5e-4, alpha=0.95, momentum=0.9, centered=True)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=1)
    loss_fn = nn.CrossEntropyLoss()
    for step in range(steps):
        wav, y = batch(batch_size, classes, device)
        mel = spec_augment(front(wav))
        net.train()
        loss = loss_fn(net(mel), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(net.parameters(), 0.5)
        opt.step()
        # small validation after each "epoch" of two steps
        if step % 2 == 1:
            net.eval()
            with torch.no_grad():
                wav, y = batch(batch_size // 2, classes, device)
                out = net(front(wav))
                val = loss_fn(out, y)
            plateau.step(val.item())
            print(f"step {step}: train {loss.item():.3f} val {val.item():.3f} "
                  f"acc {(out.argmax(1) == y).float().mean().item():.2f} lr {opt.param_groups[0]['lr']:.1e}")
    print("peak (MiB):", torch.cuda.max_memory_allocated() // 1048576)


if __name__ == "__main__":
    run()
