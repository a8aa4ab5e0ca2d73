import os
import tempfile
import torch
import torch.nn as nn
from torch import autograd

# WGAN with gradient penalty, 64x64, critic trained 3 times per generator step
Z_DIM = 128
FEATURES = 96
BATCH = 64
CRITIC_ITERS = 3
GEN_STEPS = 3
LAMBDA_GP = 10
LR = 1e-4
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Generator(nn.Module):
    def __init__(self, z, f):
        super().__init__()
        def block(i, o, k, s, p):
            return nn.Sequential(nn.ConvTranspose2d(i, o, k, s, p, bias=False), nn.BatchNorm2d(o), nn.ReLU())
        self.net = nn.Sequential(
            block(z, f * 8, 4, 1, 0),
            block(f * 8, f * 4, 4, 2, 1),
            block(f * 4, f * 2, 4, 2, 1),
            block(f * 2, f, 4, 2, 1),
            nn.ConvTranspose2d(f, 3, 4, 2, 1),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self, f):
        super().__init__()
        def block(i, o):
            return nn.Sequential(nn.Conv2d(i, o, 4, 2, 1, bias=False), nn.InstanceNorm2d(o, affine=True), nn.LeakyReLU(0.2))
        self.net = nn.Sequential(
            nn.Conv2d(3, f, 4, 2, 1), nn.LeakyReLU(0.2),
            block(f, f * 2), block(f * 2, f * 4), block(f * 4, f * 8),
            nn.Conv2d(f * 8, 1, 4, 1, 0),
        )

    def forward(self, x):
        return self.net(x).view(-1)


def weights_init(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d, nn.BatchNorm2d, nn.InstanceNorm2d)) and m.weight is not None:
        nn.init.normal_(m.weight.data, 0.0, 0.02)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mix)
    grad = autograd.grad(outputs=score, inputs=mix, grad_outputs=torch.ones_like(score),
                         create_graph=True, retain_graph=True)[0]
    return ((grad.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def real_batch():
    # blobs instead of faces
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, 64, device=DEVICE), torch.linspace(-1, 1, 64, device=DEVICE), indexing="ij")
    c = torch.rand(BATCH, 2, 1, 1, device=DEVICE) - 0.5
    r = 0.2 + 0.3 * torch.rand(BATCH, 1, 1, device=DEVICE)
    m = (((xx - c[:, 0]) ** 2 + (yy - c[:, 1]) ** 2) < r ** 2).float()
    return (m[:, None] * torch.rand(BATCH, 3, 1, 1, device=DEVICE)) * 2 - 1


def main():
    torch.manual_seed(64)
    gen, critic = Generator(Z_DIM, FEATURES).to(DEVICE), Critic(FEATURES).to(DEVICE)
    gen.apply(weights_init)
    critic.apply(weights_init)
    opt_gen = torch.optim.Adam(gen.parameters(), lr=LR, betas=(0.0, 0.9))
    opt_critic = torch.optim.Adam(critic.parameters(), lr=LR, betas=(0.0, 0.9))
    fixed_noise = torch.randn(32, Z_DIM, 1, 1, device=DEVICE)
    gen.train()
    critic.train()
    for step in range(GEN_STEPS):
        for _ in range(CRITIC_ITERS):
            real = real_batch()
            noise = torch.randn(BATCH, Z_DIM, 1, 1, device=DEVICE)
            fake = gen(noise)
            critic_real, critic_fake = critic(real), critic(fake)
            gp = gradient_penalty(critic, real, fake)
            loss_critic = -(critic_real.mean() - critic_fake.mean()) + LAMBDA_GP * gp
            critic.zero_grad()
            loss_critic.backward(retain_graph=True)
            opt_critic.step()
        gen_fake = critic(fake).reshape(-1)      # same fakes again, as in the well-known tutorial
        loss_gen = -gen_fake.mean()
        gen.zero_grad()
        loss_gen.backward()
        opt_gen.step()
        print(f"step {step} loss D: {loss_critic.item():.4f}, loss G: {loss_gen.item():.4f}, gp {gp.item():.4f}")
        with torch.no_grad():
            grid = gen(fixed_noise)
    with tempfile.TemporaryDirectory() as d:
        torch.save({"gen": gen.state_dict(), "critic": critic.state_dict(), "opt": opt_gen.state_dict()},
                   os.path.join(d, "wgan.pt"))
    print("grid", tuple(grid.shape))
    if DEVICE == "cuda":
        print("max memory allocated: %.0f MB" % (torch.cuda.max_memory_allocated() / 1e6))


main()
