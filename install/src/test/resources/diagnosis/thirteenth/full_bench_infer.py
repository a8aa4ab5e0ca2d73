# limit: 1.5
import argparse
import statistics
import torch
import timm


def get_args():
    p = argparse.ArgumentParser("throughput bench")
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--rounds", type=int, default=12)
    p.add_argument("--model", default="vit_small_patch16_224")
    return p.parse_args([])


class Bench:
    def __init__(self, args):
        self.args = args
        self.model = timm.create_model(args.model, pretrained=False, num_classes=100).to("cuda").eval()
        self.hist = torch.zeros(100, dtype=torch.long, device="cuda")

    @torch.inference_mode()
    def round(self):
        x = torch.rand(self.args.batch, 3, 224, 224, device="cuda")
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        logits = self.model(x)
        end.record()
        torch.cuda.synchronize()
        self.hist += torch.bincount(logits.argmax(-1), minlength=100)
        return start.elapsed_time(end)


def main():
    args = get_args()
    torch.manual_seed(0)
    bench = Bench(args)
    times = []
    for r in range(args.rounds):
        times.append(bench.round())
        if r % 4 == 3:
            print(f"round {r}: {args.batch / times[-1] * 1e3:.0f} images/s, "
                  f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    print("median ms", statistics.median(times), "classes seen", int((bench.hist > 0).sum()))


if __name__ == "__main__":
    main()
