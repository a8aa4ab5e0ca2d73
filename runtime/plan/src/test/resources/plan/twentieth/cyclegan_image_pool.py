"""CycleGAN, two ResNet generators and two PatchGANs, image history pool, linear decay. 128x128, batch 2."""
import itertools
import random

import torch
from torch import nn


class ResnetBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.block = nn.Sequential(
            nn.ReflectionPad2d(1), nn.Conv2d(dim, dim, 3), nn.InstanceNorm2d(dim), nn.ReLU(True),
            nn.ReflectionPad2d(1), nn.Conv2d(dim, dim, 3), nn.InstanceNorm2d(dim))

    def forward(self, x):
        return x + self.block(x)


def define_G(ngf=64, n_blocks=6):
    m = [nn.ReflectionPad2d(3), nn.Conv2d(3, ngf, 7), nn.InstanceNorm2d(ngf), nn.ReLU(True)]
    for i in range(2):
        c = ngf * 2 ** i
        m += [nn.Conv2d(c, c * 2, 3, 2, 1), nn.InstanceNorm2d(c * 2), nn.ReLU(True)]
    m += [ResnetBlock(ngf * 4) for _ in range(n_blocks)]
    for i in range(2):
        c = ngf * 2 ** (2 - i)
        m += [nn.ConvTranspose2d(c, c // 2, 3, 2, 1, output_padding=1), nn.InstanceNorm2d(c // 2), nn.ReLU(True)]
    return nn.Sequential(*m, nn.ReflectionPad2d(3), nn.Conv2d(ngf, 3, 7), nn.Tanh())


def define_D(ndf=64, n_layers=3):
    m = [nn.Conv2d(3, ndf, 4, 2, 1), nn.LeakyReLU(0.2, True)]
    c = ndf
    for n in range(1, n_layers + 1):
        o = min(ndf * 2 ** n, 512)
        m += [nn.Conv2d(c, o, 4, 2 if n < n_layers else 1, 1), nn.InstanceNorm2d(o), nn.LeakyReLU(0.2, True)]
        c = o
    return nn.Sequential(*m, nn.Conv2d(c, 1, 4, 1, 1))


class ImagePool:
    def __init__(self, size=50):
        self.size, self.images = size, []

    def query(self, batch):
        out = []
        for img in batch.detach().split(1):
            if len(self.images) < self.size:
                self.images.append(img.clone())
                out.append(img)
            elif random.random() > 0.5:
                k = random.randrange(self.size)
                out.append(self.images[k].clone())
                self.images[k] = img.clone()
            else:
                out.append(img)
        return torch.cat(out)


def set_requires_grad(nets, flag):
    for n in nets:
        for p in n.parameters():
            p.requires_grad = flag


class CycleGANModel:
    def __init__(self, device, lr=2e-4, lambda_cyc=10.0, lambda_idt=0.5):
        self.G_A, self.G_B = define_G().to(device), define_G().to(device)
        self.D_A, self.D_B = define_D().to(device), define_D().to(device)
        self.pool_A, self.pool_B = ImagePool(), ImagePool()
        self.gan, self.l1 = nn.MSELoss(), nn.L1Loss()
        self.opt_G = torch.optim.Adam(itertools.chain(self.G_A.parameters(), self.G_B.parameters()), lr=lr, betas=(0.5, 0.999))
        self.opt_D = torch.optim.Adam(itertools.chain(self.D_A.parameters(), self.D_B.parameters()), lr=lr, betas=(0.5, 0.999))
        self.lc, self.li = lambda_cyc, lambda_idt

    def adv(self, pred, real):
        return self.gan(pred, torch.full_like(pred, 1.0 if real else 0.0))

    def step(self, A, B):
        fake_B = self.G_A(A)
        rec_A = self.G_B(fake_B)
        fake_A = self.G_B(B)
        rec_B = self.G_A(fake_A)
        set_requires_grad([self.D_A, self.D_B], False)
        self.opt_G.zero_grad()
        idt = (self.l1(self.G_A(B), B) + self.l1(self.G_B(A), A)) * self.lc * self.li
        cyc = (self.l1(rec_A, A) + self.l1(rec_B, B)) * self.lc
        adv = self.adv(self.D_A(fake_B), True) + self.adv(self.D_B(fake_A), True)
        (adv + cyc + idt).backward()
        self.opt_G.step()
        set_requires_grad([self.D_A, self.D_B], True)
        self.opt_D.zero_grad()
        losses = []
        for D, real, fake in ((self.D_A, B, self.pool_B.query(fake_B)), (self.D_B, A, self.pool_A.query(fake_A))):
            loss = 0.5 * (self.adv(D(real), True) + self.adv(D(fake), False))
            loss.backward()
            losses.append(loss.item())
        self.opt_D.step()
        return {"adv": adv.item(), "cyc": cyc.item(), "idt": idt.item(), "D": sum(losses)}


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    size, batch, n_iter, decay_after = 128, 2, 5, 2
    device = torch.device("cuda")
    model = CycleGANModel(device)
    rule = lambda e: 1.0 - max(0, e + 1 - decay_after) / float(n_iter - decay_after + 1)
    scheds = [torch.optim.lr_scheduler.LambdaLR(o, lr_lambda=rule) for o in (model.opt_G, model.opt_D)]
    for it in range(n_iter):
        A = torch.rand(batch, 3, size, size).to(device) * 2 - 1
        B = (torch.rand(batch, 3, size // 8, size // 8).to(device) * 2 - 1).repeat_interleave(8, 2).repeat_interleave(8, 3)
        logs = model.step(A, B)
        for s in scheds:
            s.step()
        print(it, " ".join(f"{k} {v:.3f}" for k, v in logs.items()))
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
