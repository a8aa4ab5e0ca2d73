import torch
torch.manual_seed(0)
x, y = torch.rand(1200, 4, device="cuda"), torch.randn(1200, device="cuda")
scale, noise, length = (torch.zeros((), device="cuda", requires_grad=True) for _ in range(3))
opt = torch.optim.Adam([scale, noise, length], lr=0.05)
for step in range(4):
    distance = torch.cdist(x, x).square()
    kernel = scale.exp() * torch.exp(-0.5 * distance / length.exp().square())
    kernel = kernel + (noise.exp() + 1e-4) * torch.eye(1200, device="cuda")
    chol = torch.linalg.cholesky(kernel)
    alpha = torch.cholesky_solve(y[:, None], chol)
    loss = 0.5 * (y[:, None] * alpha).sum() + chol.diagonal().log().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    new = torch.rand(500, 4, device="cuda")
    cross = scale.exp() * torch.exp(-0.5 * torch.cdist(new, x).square() / length.exp().square())
    mean = cross @ torch.cholesky_solve(y[:, None], chol)
