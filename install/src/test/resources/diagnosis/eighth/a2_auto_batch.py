# limit: 4
# "My halving trick: 256 fails as expected, but then 128, 64, ... all fail, though 128 alone works"
import torch

torch.manual_seed(26)
SAMPLE = 3 * 2 ** 20  # floats per sample: 12 MiB


class Encoder:
    def __init__(self, device):
        self.device = device
        self.gain = torch.ones(1, device=device)

    def load(self, n):
        return torch.ones(n, SAMPLE, device=self.device)

    def encode(self, n):
        samples = self.load(n)
        encoded = samples * self.gain
        return encoded.mean().item()


def with_smaller_batches(minimum):
    """Decorator: on OOM try again with half of the batch."""
    def decorate(fn):
        def attempt(encoder, n):
            try:
                return fn(encoder, n)
            except torch.cuda.OutOfMemoryError:
                print("batch", n, "did not fit")
                if n // 2 < minimum:
                    raise
                return attempt(encoder, n // 2)
        return attempt
    return decorate


@with_smaller_batches(minimum=32)
def measure(encoder, n):
    return encoder.encode(n)


encoder = Encoder("cuda")
with torch.no_grad():
    print("mean", measure(encoder, 256))
