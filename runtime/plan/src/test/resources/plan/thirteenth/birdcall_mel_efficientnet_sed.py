"""Bird call identification: waveform -> log-mel on the GPU (own filterbank), SpecAugment, timm EfficientNet with an
attention (SED) head, waveform mixup, clip-wise and frame-wise BCE. Scored with torchmetrics."""
import math

import timm
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchmetrics.classification import MultilabelAveragePrecision

SR, SECONDS = 32_000, 5
N_FFT, HOP, MELS = 1024, 320, 128
BIRDS = 182
BATCH, STEPS = 24, 5


def mel_filterbank(sr, n_fft, n_mels, fmin=50.0, fmax=14_000.0):
    def hz2mel(f):
        return 2595 * math.log10(1 + f / 700)

    pts = torch.linspace(hz2mel(fmin), hz2mel(fmax), n_mels + 2)
    hz = 700 * (10 ** (pts / 2595) - 1)
    freqs = torch.linspace(0, sr / 2, n_fft // 2 + 1)
    up = (freqs[None] - hz[:-2, None]) / (hz[1:-1] - hz[:-2])[:, None]
    down = (hz[2:, None] - freqs[None]) / (hz[2:] - hz[1:-1])[:, None]
    return torch.minimum(up, down).clamp(min=0)


class LogMel(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(N_FFT), persistent=False)
        self.register_buffer("fb", mel_filterbank(SR, N_FFT, MELS), persistent=False)

    @torch.no_grad()
    def forward(self, wave):
        spec = torch.stft(wave, N_FFT, HOP, window=self.window, return_complex=True).abs().square()
        mel = (self.fb @ spec).clamp(min=1e-10).log10() * 10
        mel = mel - mel.amax((1, 2), keepdim=True)
        mel = mel.clamp(min=-80) / 40 + 1
        if self.training:
            b, m, t = mel.shape
            for size, dim in ((m // 8, 1), (t // 10, 2)):
                start = torch.randint(0, mel.shape[dim] - size, (b, 1), device=mel.device)
                pos = torch.arange(mel.shape[dim], device=mel.device)[None]
                mask = (pos >= start) & (pos < start + size)
                mel = mel.masked_fill(mask.unsqueeze(2 if dim == 1 else 1), -1.0)
        return mel.unsqueeze(1)


class SEDModel(nn.Module):
    def __init__(self, backbone="tf_efficientnet_b0"):
        super().__init__()
        self.mel = LogMel()
        self.bn0 = nn.BatchNorm2d(MELS)
        self.encoder = timm.create_model(backbone, pretrained=False, in_chans=1, num_classes=0, global_pool="")
        c = self.encoder.num_features
        self.fc1 = nn.Linear(c, c)
        self.att, self.cla = nn.Conv1d(c, BIRDS, 1), nn.Conv1d(c, BIRDS, 1)

    def forward(self, wave):
        x = self.mel(wave)
        x = self.bn0(x.transpose(1, 2)).transpose(1, 2)
        x = self.encoder(x.transpose(2, 3)).mean(3)
        x = F.max_pool1d(x, 3, 1, 1) + F.avg_pool1d(x, 3, 1, 1)
        x = F.relu(self.fc1(F.dropout(x, 0.5, self.training).transpose(1, 2))).transpose(1, 2)
        att = torch.tanh(self.att(x)).softmax(-1)
        frame = self.cla(x)
        return (att * frame).sum(-1), frame.amax(-1)


def clips(n, device):
    y = (torch.rand(n, BIRDS, device=device) < 0.015).float()
    y[torch.arange(n, device=device), torch.randint(0, BIRDS, (n,), device=device)] = 1
    t = torch.arange(SR * SECONDS, device=device) / SR
    f0 = (y * torch.linspace(800, 9000, BIRDS, device=device)).sum(1) / y.sum(1)
    wave = torch.sin(2 * math.pi * f0[:, None] * t + 3 * torch.sin(2 * math.pi * 7 * t)) * 0.3
    return wave + 0.1 * torch.randn_like(wave), y


def mixup(wave, y, alpha=0.5):
    lam = torch.distributions.Beta(alpha, alpha).sample().item()
    perm = torch.randperm(len(wave), device=wave.device)
    return lam * wave + (1 - lam) * wave[perm], torch.maximum(y, y[perm])


def main():
    torch.manual_seed(180)
    device = torch.device("cuda")
    model = SEDModel().to(device)
    opt = torch.optim.RAdam(model.parameters(), lr=1e-3, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=3)
    model.train()
    for step in range(STEPS):
        wave, y = mixup(*clips(BATCH, device))
        with torch.autocast("cuda", dtype=torch.bfloat16):
            clip, frame = model(wave)
        loss = F.binary_cross_entropy_with_logits(clip.float(), y) + 0.5 * F.binary_cross_entropy_with_logits(frame.float(), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step(step)
        print(f"{step}: loss {loss.item():.4f} mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    metric = MultilabelAveragePrecision(num_labels=BIRDS, average="micro").to(device)
    model.eval()
    with torch.no_grad():
        for _ in range(2):
            wave, y = clips(BATCH * 2, device)
            metric.update(model(wave)[0].sigmoid(), y.long())
    print("micro mAP", round(metric.compute().item(), 4), "peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
