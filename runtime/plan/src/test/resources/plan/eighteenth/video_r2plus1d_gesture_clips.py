# Hand gesture recognition from short clips, r2plus1d_18 with frozen stem.
# Gradient accumulation because my real GPU is small.
import copy
import torch
from torch import nn
from torch.utils.data import IterableDataset, DataLoader
from torchvision.models.video import r2plus1d_18

torch.manual_seed(11)
device = "cuda"

FRAMES = 16
SIDE = 112
N_CLASSES = 27
MICRO_BATCH = 6
ACCUM = 2
OPT_STEPS = 4
CLIPS_PER_VIDEO_AT_TEST = 5


class ClipStream(IterableDataset):
    def __init__(self, n_clips, seed):
        self.n_clips = n_clips
        self.seed = seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.n_clips):
            label = int(torch.randint(0, N_CLASSES, (1,), generator=g))
            base = torch.rand(3, 1, SIDE, SIDE, generator=g)
            drift = torch.linspace(0, label / N_CLASSES, FRAMES).view(1, FRAMES, 1, 1)
            clip = (base + drift).clamp(0, 1)
            yield (clip - 0.43) / 0.22, label


def build_model():
    net = r2plus1d_18(weights=None)
    net.fc = nn.Sequential(nn.Dropout(0.4), nn.Linear(net.fc.in_features, N_CLASSES))
    for p in net.stem.parameters():
        p.requires_grad_(False)
    return net.to(device)


def train_some(net, opt, sched, loader):
    loss_fn = nn.CrossEntropyLoss()
    net.train()
    net.stem.eval()
    running = 0.0
    opt.zero_grad(set_to_none=True)
    done = 0
    for i, (clip, y) in enumerate(loader):
        clip = clip.to(device)
        y = y.to(device)
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
            logits = net(clip)
            loss = loss_fn(logits, y) / ACCUM
        loss.backward()
        running += loss.item()
        if (i + 1) % ACCUM == 0:
            gn = nn.utils.clip_grad_norm_([p for p in net.parameters() if p.requires_grad], 1.0)
            opt.step()
            opt.zero_grad(set_to_none=True)
            sched.step()
            done += 1
            print(f"step {done}: loss {running:.4f} grad-norm {gn.item():.2f} lr {opt.param_groups[0]['lr']:.2e}")
            running = 0.0


@torch.no_grad()
def test_video(net):
    """Average softmax over several clips of the same video."""
    net.eval()
    stream = iter(ClipStream(CLIPS_PER_VIDEO_AT_TEST, seed=555))
    clips = torch.stack([next(stream)[0] for _ in range(CLIPS_PER_VIDEO_AT_TEST)]).to(device)
    probs = net(clips).softmax(-1).mean(0)
    return probs.argmax().item(), probs.max().item()


def main():
    net = build_model()
    trainable = [p for p in net.parameters() if p.requires_grad]
    print("trainable:", sum(p.numel() for p in trainable), "of", sum(p.numel() for p in net.parameters()))
    opt = torch.optim.AdamW(trainable, lr=3e-4, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=OPT_STEPS)
    loader = DataLoader(ClipStream(MICRO_BATCH * ACCUM * OPT_STEPS, seed=1), batch_size=MICRO_BATCH)
    train_some(net, opt, sched, loader)
    best = copy.deepcopy(net.state_dict())        # kept on the GPU, as in my notebook
    cls, p = test_video(net)
    net.load_state_dict(best)
    print(f"test video -> class {cls} (p={p:.3f})")
    print(f"peak memory {torch.cuda.max_memory_allocated() / 1024 ** 3:.2f} GiB")


main()
