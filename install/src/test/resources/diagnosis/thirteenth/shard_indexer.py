# limit: 2.0
import torch


class ShardIndexer:
    def __init__(self, dim=256):
        self.dim = dim
        self.codes = []
        self.rot = torch.linalg.qr(torch.randn(dim, dim))[0].to("cuda")

    def stage(self, rows):
        """raw vectors of one shard; shards grow a little from day to day"""
        buf = torch.empty(rows, self.dim, device="cuda")
        for s in range(0, rows, 4096):
            x = torch.randn(min(4096, rows - s), self.dim, device="cuda")
            torch.matmul(x, self.rot, out=buf[s:s + 4096])
        return buf

    def add(self, rows):
        buf = self.stage(rows)
        mean, std = buf.mean(0), buf.std().item()
        keep = rows * 53 // 100
        del buf
        codes = torch.empty(keep, self.dim, device="cuda")
        codes.normal_(0.0, std).add_(mean)
        self.codes.append(codes)

    def search(self, q):
        return torch.stack([(q @ c.T).max(1).values for c in self.codes]).max(0)


@torch.no_grad()
def main():
    torch.manual_seed(30)
    ix = ShardIndexer()
    rows = 100_000
    for day in range(30):
        ix.add(rows)
        q = torch.randn(16, 256, device="cuda")
        best = ix.search(q)
        print(f"day {day}: {rows} rows, best shard {best.indices[0].item()}, "
              f"in use {torch.cuda.memory_allocated() / 2**20:.0f} of "
              f"{torch.cuda.memory_reserved() / 2**20:.0f} MiB")
        rows += 6000


if __name__ == "__main__":
    main()
