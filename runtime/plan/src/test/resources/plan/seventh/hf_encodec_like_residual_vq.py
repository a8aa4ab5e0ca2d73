import torch
import torch.nn as nn
import torch.nn.functional as F


class Res(nn.Module):
    def __init__(self, c, d):
        super().__init__()
        self.block = nn.Sequential(nn.ELU(), nn.Conv1d(c, c // 2, 3, padding=d, dilation=d), nn.ELU(), nn.Conv1d(c // 2, c, 1))

    def forward(self, x):
        return x + self.block(x)


torch.manual_seed(0)
down, up, c = [nn.Conv1d(1, 24, 7, padding=3)], [], 24
for s in (2, 4, 5):
    down += [Res(c, 1), Res(c, 3), nn.ELU(), nn.Conv1d(c, 2 * c, 2 * s, s, s // 2 + s % 2)]
    up = [nn.ELU(), nn.ConvTranspose1d(2 * c, c, 2 * s, s, s // 2 + s % 2, output_padding=s % 2), Res(c, 1), Res(c, 3)] + up
    c *= 2
encoder, decoder = nn.Sequential(*down).cuda(), nn.Sequential(*up, nn.ELU(), nn.Conv1d(24, 1, 7, padding=3)).cuda()
books = nn.ParameterList(torch.randn(256, c) for _ in range(4)).cuda()
opt = torch.optim.AdamW([*encoder.parameters(), *decoder.parameters(), *books.parameters()], lr=3e-4, betas=(0.5, 0.9))
for step in range(3):
    wave = torch.randn(8, 1, 16000, device="cuda")
    z = encoder(wave)
    rest, total, commit = z.transpose(1, 2), 0, 0
    for book in books:
        index = torch.cdist(rest.detach(), book[None]).argmin(-1)
        code = F.embedding(index, book)
        commit = commit + F.mse_loss(rest, code.detach()) + F.mse_loss(code, rest.detach())
        code = rest + (code - rest).detach()
        total, rest = total + code, rest - code
    out = decoder(total.transpose(1, 2))
    loss = F.l1_loss(out[..., :15900], wave[..., :15900]) + commit
    opt.zero_grad()
    loss.backward()
    opt.step()
