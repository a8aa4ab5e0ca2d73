# limit: 1.5
"""Photo restoration worker. Requests that fail go into a report with the exception; the worker goes on."""
import torch
import torch.nn.functional as F

FILTERS = 16


class Restorer:
    def __init__(self, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.bank = torch.randn(FILTERS, 1, 1, generator=g).to("cuda")
        self.mix = torch.softmax(torch.randn(FILTERS, 1, 1, generator=g), 0).to("cuda")

    @torch.no_grad()
    def __call__(self, photo):
        up = F.interpolate(photo[None].to("cuda"), scale_factor=2, mode="bilinear")[0]
        luma = up.mean(0, keepdim=True)
        responses = luma * self.bank
        activated = torch.tanh(responses)
        sharp = (activated * self.mix).sum(0)
        return (up + 0.1 * sharp).clamp_(0, 1).cpu()


class Worker:
    def __init__(self):
        self.restorer = Restorer()
        self.report = []
        self.in_a_row = 0

    def handle(self, number, photo):
        try:
            result = self.restorer(photo)
        except RuntimeError as exc:
            self.report.append((number, photo.shape, exc))
            self.in_a_row += 1
            print(f"#{number} {tuple(photo.shape)} failed")
            torch.cuda.empty_cache()
            if self.in_a_row > 6:
                raise
            return None
        self.in_a_row = 0
        print(f"#{number} ok {tuple(result.shape)}")
        return result


def main():
    worker = Worker()
    g = torch.Generator().manual_seed(5)
    sides = [512, 768, 1024, 800, 1024, 2048, 1024, 900] + [1024] * 10
    for number, side in enumerate(sides):
        worker.handle(number, torch.rand(3, side, side, generator=g))


if __name__ == "__main__":
    main()
