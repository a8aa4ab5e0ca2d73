# limit: 2.0
import timm
import torch

torch.manual_seed(61)


class AutoScaler:
    """Doubles the batch until memory runs out, then takes half of the largest that worked."""

    def __init__(self, net, opt, size):
        self.net, self.opt, self.size = net, opt, size

    def step(self, bs):
        x = torch.randn(bs, 3, self.size, self.size, device="cuda")
        y = torch.randint(0, 50, (bs,), device="cuda")
        loss = torch.nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        return loss.item()

    def scale(self, start=8, limit=4096):
        bs, good = start, None
        while bs <= limit:
            ok = True
            try:
                self.step(bs)
            except torch.OutOfMemoryError:
                ok = False
            if not ok:
                self.opt.zero_grad(set_to_none=True)
                torch.cuda.empty_cache()
                print(f"  {bs} does not fit")
                break
            print(f"  {bs} fits")
            good, bs = bs, bs * 2
        if good is None:
            raise RuntimeError("not even the smallest batch fits")
        return max(1, good // 2)


def main():
    net = timm.create_model("vit_tiny_patch16_224", num_classes=50).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    scaler = AutoScaler(net, opt, size=224)
    bs = scaler.scale()
    print("training with batch", bs)
    for epoch in range(3):
        total = sum(scaler.step(bs) for _ in range(15))
        print(f"epoch {epoch}: {total / 15:.3f}")


if __name__ == "__main__":
    main()
