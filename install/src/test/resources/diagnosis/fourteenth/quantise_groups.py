# limit: 2.1
# GPTQ-flavoured post-training quantisation: Hessians per layer, int8 weights stay on the GPU
import torch

torch.manual_seed(64)


def calibrate():
    """Ranges of the calibration activations, all layers at once."""
    acts = torch.randn(384, 1024, 1024, device="cuda")
    lo, hi = acts.amin().item(), acts.amax().item()
    print(f"activation range {lo:.2f} .. {hi:.2f}")
    return lo, hi


class Layer:
    def __init__(self, n_in, seed):
        self.n_in = n_in
        self.w = torch.randn(n_in, 13_107_200 // n_in, generator=torch.Generator().manual_seed(seed))

    def hessian(self, n=256):
        x = torch.randn(n, self.n_in, device="cuda")
        return x.t() @ x

    def quantise(self, bits=8):
        scale = self.w.abs().amax() / (2 ** (bits - 1) - 1)
        return (self.w / scale).round_().to(torch.int8).cuda(), scale


class Quantiser:
    def __init__(self):
        self.qweights = {}

    def group(self, name, layers):
        hess = []
        for i, layer in enumerate(layers):
            hess.append(layer.hessian())
            self.qweights[name, i] = layer.quantise()
        worst = max(h.diagonal().max().item() for h in hess)
        print(f"{name}: {len(layers)} layers, largest diagonal {worst:.1f}")


def main():
    torch.set_num_threads(4)
    calibrate()
    q = Quantiser()
    q.group("attention", [Layer(5120, s) for s in range(12)])
    q.group("mlp", [Layer(6144, 100 + s) for s in range(8)])
    size = sum(w.numel() for w, _ in q.qweights.values())
    print(f"quantised {size / 1e6:.0f}M weights")


if __name__ == "__main__":
    main()
