import torch
torch.manual_seed(0)
x = torch.randn(5000, 256, device="cuda"); y = torch.randint(0, 10, (5000,), device="cuda")
x = x - x.mean(0)
cov = x.T @ x / (len(x) - 1)
vals, vecs = torch.linalg.eigh(cov)
z = x @ vecs[:, -32:]
u, s, vt = torch.linalg.svd(x, full_matrices=False)
explained = (s ** 2 / (s ** 2).sum()).cumsum(0)
means = torch.stack([z[y == c].mean(0) for c in range(10)])
sw = sum(((z[y == c] - means[c]).T @ (z[y == c] - means[c]) for c in range(10)))
inv = torch.linalg.inv(sw)
white = torch.linalg.cholesky(torch.linalg.inv(cov + 1e-3 * torch.eye(256, device="cuda")))
w = torch.linalg.lstsq(torch.cat([x, torch.ones(len(x), 1, device="cuda")], 1), torch.nn.functional.one_hot(y, 10).float()).solution
cond = torch.linalg.cond(cov); rank = torch.linalg.matrix_rank(x); spec = torch.linalg.matrix_norm(cov, 2); p = torch.linalg.pinv(cov)
q, r = torch.linalg.qr(x[:512])
det = torch.linalg.slogdet(cov); sol = torch.linalg.solve(cov + torch.eye(256, device="cuda"), x[:256].T)
