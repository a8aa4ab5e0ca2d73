# limit: 1.5
# style statistics of a whole image folder with a VGG (random weights, as a baseline)
import torch
from torchvision.models import vgg11_bn

torch.manual_seed(0)
device = torch.device("cuda")


class Tap:
    """collects the output of one layer"""

    def __init__(self, module, name):
        self.name = name
        self.maps = []
        self.handle = module.register_forward_hook(self.hook)

    def hook(self, module, inputs, output):
        self.maps.append(output.detach())

    def gram(self):
        total, n = 0.0, 0
        for m in self.maps:
            f = m.flatten(2)
            total = total + (f @ f.transpose(1, 2) / f.shape[-1]).sum(0)
            n += len(m)
        return total / n

    def close(self):
        self.handle.remove()


def folder(n_batches, size):
    for k in range(n_batches):
        g = torch.Generator(device).manual_seed(k)
        img = torch.rand(size, 3, 128, 128, device=device, generator=g)
        yield (img - 0.45) / 0.225


def main():
    net = vgg11_bn(weights=None).features.to(device).eval()
    wanted = {"relu2": 6, "relu3": 13, "relu4": 20}
    taps = [Tap(net[i], name) for name, i in wanted.items()]
    seen = 0
    with torch.no_grad():
        for k, img in enumerate(folder(60, 16)):
            net(img)
            seen += len(img)
            if k % 10 == 0:
                print(f"{seen} images, {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    for t in taps:
        g = t.gram()
        print(t.name, tuple(g.shape), g.norm().item())
        t.close()


if __name__ == "__main__":
    main()
