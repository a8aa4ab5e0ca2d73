import torch, torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(torch.nn.utils.parametrizations.orthogonal(nn.Linear(128, 128)), nn.ReLU(), torch.nn.utils.parametrizations.spectral_norm(nn.Linear(128, 64)), nn.ReLU(), nn.Linear(64, 10)).cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
for i in range(3):
    loss = nn.functional.cross_entropy(net(torch.randn(256, 128, device="cuda")), torch.randint(0, 10, (256,), device="cuda"))
    opt.zero_grad(); loss.backward(); opt.step()
w = torch.randn(4, 96, 64, device="cuda")
nn.init.orthogonal_(w[0])
uu, ss, vv = torch.linalg.svd(w, full_matrices=False); near = uu @ vv
k = torch.randn(6, 48, 48, device="cuda"); k = k @ k.mT + torch.eye(48, device="cuda")
L = torch.linalg.cholesky(k); mvn = torch.distributions.MultivariateNormal(torch.zeros(48, device="cuda"), scale_tril=L)
lp = mvn.log_prob(mvn.rsample((100,))).sum()
