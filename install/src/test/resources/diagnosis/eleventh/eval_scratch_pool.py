# limit: 2.0
import torch
from torch import nn

torch.manual_seed(21)


class Evaluator:
    """Evaluation in a pool of its own 'so that it does not fragment training'."""

    def __init__(self):
        self.pool = torch.cuda.MemPool()

    @torch.no_grad()
    def __call__(self, model, n=16384):
        with torch.cuda.use_mem_pool(self.pool):
            x = torch.randn(n, 1024, device="cuda")
            h = model[0](x)
            h = model[1](h)
            y = model[2](h)
            score = (y - x).square().mean().item()
            del x, h, y
        return score


def make_model():
    return nn.Sequential(nn.Linear(1024, 8192), nn.ReLU(), nn.Linear(8192, 1024)).cuda()


def train_epoch(model, opt, bs, steps):
    for _ in range(steps):
        x = torch.randn(bs, 1024, device="cuda")
        loss = (model(x) - x).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def main():
    model = make_model()
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    evaluate = Evaluator()
    for epoch, bs in enumerate([256, 512, 512, 8192, 8192]):
        loss = train_epoch(model, opt, bs, 10)
        score = evaluate(model)
        print(f"epoch {epoch} bs {bs} loss {loss:.4f} eval {score:.4f}")


main()
