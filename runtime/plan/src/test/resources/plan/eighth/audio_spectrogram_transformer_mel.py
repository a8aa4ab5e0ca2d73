import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def mel_filters(bins, mels, rate=16000):
    to_mel = lambda f: 2595 * math.log10(1 + f / 700)
    points = torch.tensor([700 * (10 ** (m / 2595) - 1) for m in torch.linspace(0, to_mel(rate / 2), mels + 2).tolist()])
    freq = torch.linspace(0, rate / 2, bins)
    slopes = points[None, :] - freq[:, None]
    width = points[1:] - points[:-1]
    return torch.clamp(torch.minimum(-slopes[:, :-2] / width[:-1], slopes[:, 2:] / width[1:]), min=0)


class AST(nn.Module):
    def __init__(self, mels=64, width=192, depth=4, classes=35):
        super().__init__()
        self.register_buffer("window", torch.hann_window(400))
        self.register_buffer("filters", mel_filters(257, mels))
        self.patch = nn.Conv2d(1, width, 16, stride=10)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.pos = nn.Parameter(torch.zeros(1, 600, width))
        layer = nn.TransformerEncoderLayer(width, 3, 4 * width, 0.1, "gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, classes))

    def forward(self, audio):
        spec = torch.stft(audio, 512, 160, 400, self.window, return_complex=True).abs().square()
        mel = torch.log(spec.transpose(1, 2) @ self.filters + 1e-6)
        mel = (mel - mel.mean((1, 2), keepdim=True)) / mel.std((1, 2), keepdim=True)
        x = self.patch(mel.unsqueeze(1)).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(len(x), -1, -1), x], 1) + self.pos[:, :x.shape[1] + 1]
        return self.head(self.encoder(x)[:, 0])


torch.manual_seed(0)
model = AST().cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
for _ in range(3):
    audio, label = torch.randn(24, 48000, device="cuda"), torch.randint(0, 35, (24,), device="cuda")
    audio = audio + 0.01 * torch.randn_like(audio)
    loss = F.cross_entropy(model(audio), label, label_smoothing=0.1)
    opt.zero_grad()
    loss.backward()
    opt.step()
