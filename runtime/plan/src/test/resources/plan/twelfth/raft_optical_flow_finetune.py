"""RAFT-small fine-tuning with the sequence loss (gamma weighting), OneCycle, clip 1.0."""
import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.models.optical_flow import raft_small

H, W = 256, 384
BATCH = 3
UPDATES = 8
STEPS = 4
GAMMA = 0.8
MAX_FLOW = 400.0


class FakeSintel(Dataset):
    def __len__(self):
        return BATCH * STEPS

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(1000 + i)
        img = torch.rand(3, H, W, generator=g) * 2 - 1
        dx, dy = [int(v) for v in torch.randint(-6, 7, (2,), generator=g)]
        nxt = img.roll((dy, dx), dims=(1, 2))
        flow = torch.tensor([dx, dy], dtype=torch.float32).view(2, 1, 1).expand(2, H, W).clone()
        valid = (torch.rand(H, W, generator=g) > 0.05).float()
        return img, nxt, flow, valid


def sequence_loss(preds, flow, valid):
    valid = valid.bool() & (flow.norm(dim=1) < MAX_FLOW)
    preds = torch.stack(preds)                       # (updates, N, 2, H, W)
    err = (preds - flow).abs()[:, valid[:, None].expand_as(flow)]
    err = err.mean(dim=1)
    w = GAMMA ** torch.arange(len(preds) - 1, -1, -1, device=flow.device)
    return (err * w).sum()


def epe(pred, flow):
    return (pred - flow).norm(dim=1).mean().item()


def main():
    torch.manual_seed(5)
    device = "cuda"
    model = raft_small(weights=None).to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-4, weight_decay=5e-5, eps=1e-8)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 2e-4, total_steps=STEPS + 5, pct_start=0.2)
    loader = DataLoader(FakeSintel(), batch_size=BATCH, num_workers=0, drop_last=True)
    model.train()
    for step, batch in enumerate(loader):
        img1, img2, flow, valid = (t.to(device) for t in batch)
        preds = model(img1, img2, num_flow_updates=UPDATES)
        loss = sequence_loss(preds, flow, valid)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        print(f"{step:02d} loss {loss.item():.3f} epe {epe(preds[-1].detach(), flow):.3f}")

    model.eval()
    with torch.no_grad():
        out = model(img1, img2, num_flow_updates=2 * UPDATES)[-1]
    print("val epe", epe(out, flow))
    print("peak alloc", round(torch.cuda.max_memory_allocated() / 2**20), "MiB")


if __name__ == "__main__":
    main()
