import torch
torch.manual_seed(0)
truth = torch.randn(1500, 64, device="cuda") @ torch.randn(64, 1200, device="cuda")
left, right = torch.randn(1500, 64, device="cuda", requires_grad=True), torch.randn(64, 1200, device="cuda", requires_grad=True)
opt = torch.optim.LBFGS([left, right], lr=0.5, max_iter=4, history_size=5)


def closure():
    opt.zero_grad()
    loss = (left @ right - truth).square().mean() + 1e-4 * (left.square().sum() + right.square().sum())
    loss.backward()
    return loss


for step in range(2):
    opt.step(closure)
