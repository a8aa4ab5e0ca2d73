import torch
import torch.nn as nn
torch.manual_seed(0)
window = torch.hann_window(400).cuda()


def mel(wave, filters):
    spec = torch.stft(wave, 400, 160, window=window, return_complex=True)
    power = spec[..., :-1].abs() ** 2
    logs = torch.clamp(filters @ power, min=1e-10).log10()
    return (torch.maximum(logs, logs.amax((1, 2), keepdim=True) - 8.0) + 4.0) / 4.0


class Net(nn.Module):
    def __init__(self, d=256):
        super().__init__()
        self.c1, self.c2 = nn.Conv1d(80, d, 3, padding=1), nn.Conv1d(d, d, 3, stride=2, padding=1)
        self.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(d, 4, 1024, batch_first=True, activation="gelu", norm_first=True), 4)
        self.head = nn.Linear(d, 35)

    def forward(self, m):
        x = nn.functional.gelu(self.c2(nn.functional.gelu(self.c1(m)))).transpose(1, 2)
        return self.head(self.enc(x).mean(1))


model, filters = Net().cuda(), torch.rand(80, 201, device="cuda")
opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
for step in range(3):
    wave, y = torch.randn(24, 16000 * 4), torch.randint(0, 35, (24,))
    m = mel(wave.cuda(), filters)
    loss = nn.functional.cross_entropy(model(m), y.cuda())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
