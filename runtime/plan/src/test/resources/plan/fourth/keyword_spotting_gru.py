import torch
import torch.nn as nn


class Spotter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(400))
        self.conv = nn.Sequential(nn.Conv2d(1, 32, (5, 5), (2, 2), (2, 2)), nn.BatchNorm2d(32), nn.ReLU(), nn.Conv2d(32, 32, 3, (2, 1), 1), nn.BatchNorm2d(32), nn.ReLU())
        self.rnn, self.out = nn.GRU(32 * 51, 128, batch_first=True), nn.Linear(128, 35)

    def forward(self, wave):
        power = torch.stft(wave, 400, 160, 400, self.window, return_complex=True).abs().pow(2)
        h = self.conv(torch.log(power + 1e-6)[:, None])
        b, c, f, t = h.shape
        h, _ = self.rnn(h.permute(0, 3, 1, 2).reshape(b, t, c * f))
        return self.out(h[:, -1])


torch.manual_seed(0)
model = Spotter().cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(3):
    wave, y = torch.randn(32, 16000, device="cuda"), torch.randint(0, 35, (32,), device="cuda")
    loss = nn.functional.cross_entropy(model(wave), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
