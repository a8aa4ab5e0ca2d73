import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Quantizer(nn.Module):
    def __init__(self, codes=512, width=64, decay=0.99):
        super().__init__()
        self.decay = decay
        self.register_buffer("codebook", torch.randn(codes, width))
        self.register_buffer("counts", torch.ones(codes))
        self.register_buffer("sums", self.codebook.clone())

    def forward(self, z):
        flat = z.permute(0, 2, 3, 1).reshape(-1, z.shape[1])
        distance = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.codebook.t() + self.codebook.pow(2).sum(1)
        index = distance.argmin(1)
        chosen = F.embedding(index, self.codebook).view(z.shape[0], z.shape[2], z.shape[3], -1).permute(0, 3, 1, 2)
        if self.training:
            with torch.no_grad():
                one = F.one_hot(index, len(self.codebook)).to(flat.dtype)
                self.counts.mul_(self.decay).add_(one.sum(0), alpha=1 - self.decay)
                self.sums.mul_(self.decay).add_(one.t() @ flat, alpha=1 - self.decay)
                self.codebook.copy_(self.sums / self.counts.clamp(min=1e-5).unsqueeze(1))
        return z + (chosen - z).detach(), F.mse_loss(z, chosen.detach())


encoder = nn.Sequential(nn.Conv2d(3, 64, 4, 2, 1), nn.ReLU(), nn.Conv2d(64, 128, 4, 2, 1), nn.ReLU(), nn.Conv2d(128, 64, 3, 1, 1)).cuda()
decoder = nn.Sequential(nn.Conv2d(64, 128, 3, 1, 1), nn.ReLU(), nn.ConvTranspose2d(128, 64, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(64, 3, 4, 2, 1)).cuda()
quantizer = Quantizer().cuda()
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], 2e-4, amsgrad=True)
for _ in range(3):
    x = torch.rand(48, 3, 64, 64, device="cuda")
    z, commit = quantizer(encoder(x))
    loss = F.mse_loss(decoder(z), x) + 0.25 * commit
    opt.zero_grad()
    loss.backward()
    opt.step()
