# limit: 2.0
"""Find the largest batch that fits, then train (helper I use in all my ablations)."""
import torch
import torch.nn.functional as F
import torchvision

torch.manual_seed(5)
device = torch.device("cuda")
CLASSES = 37


def make_net():
    return torchvision.models.resnet18(weights=None, num_classes=CLASSES).to(device)


def fake_pets(n):
    return torch.randn(n, 3, 224, 224), torch.randint(0, CLASSES, (n,))


def one_step(net, opt, x, y):
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


class BatchFinder:
    def __init__(self, candidates):
        self.candidates = candidates
        self.attempts = []

    def trial(self, net, opt, bs):
        x, y = fake_pets(bs)
        x, y = x.to(device), y.to(device)
        return one_step(net, opt, x, y)

    def search(self, net, opt):
        for bs in self.candidates:
            try:
                self.trial(net, opt, bs)
            except torch.cuda.OutOfMemoryError as err:
                self.attempts.append((bs, err))
                print(f"batch {bs}: out of memory")
                torch.cuda.empty_cache()
                continue
            print(f"batch {bs}: fits")
            return bs
        self.report()
        raise self.attempts[-1][1]

    def report(self):
        for bs, err in self.attempts:
            print(bs, str(err).splitlines()[0][:90])


def main():
    net = make_net()
    opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    print("baseline loss", one_step(net, opt, *[t.to(device) for t in fake_pets(8)]))
    bs = BatchFinder([256, 128, 64, 32, 16, 8]).search(net, opt)
    for it in range(10):
        x, y = fake_pets(bs)
        print("step", it, one_step(net, opt, x.to(device), y.to(device)))


if __name__ == "__main__":
    main()
