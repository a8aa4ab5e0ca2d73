# action recognition on random clips, bf16 autocast with gradient accumulation
import torch
import torch.nn as nn
from torchvision.models.video import r3d_18

torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True

NUM_CLASSES = 400
CLIP_LEN = 16
CROP = 112
MICRO_BATCH = 12
ACCUM = 2
OPT_STEPS = 3


def make_clip_batch(n):
    """moving squares, so that there is a bit of motion"""
    clips = torch.zeros(n, 3, CLIP_LEN, CROP, CROP)
    labels = torch.randint(0, NUM_CLASSES, (n,))
    for i in range(n):
        vx = int(labels[i]) % 5 + 1
        for t in range(CLIP_LEN):
            x0 = (t * vx) % (CROP - 20)
            clips[i, :, t, 40:60, x0:x0 + 20] = 1.0
    return clips + 0.1 * torch.randn_like(clips), labels


def main():
    device = torch.device("cuda")
    model = r3d_18(weights=None)
    model.fc = nn.Sequential(nn.Dropout(0.5), nn.Linear(model.fc.in_features, NUM_CLASSES))
    model = model.to(device)

    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=OPT_STEPS)
    criterion = nn.CrossEntropyLoss()

    model.train()
    for step in range(OPT_STEPS):
        optimizer.zero_grad()
        total = 0.0
        for micro in range(ACCUM):
            clips, labels = make_clip_batch(MICRO_BATCH)
            clips = clips.to(device)
            labels = labels.to(device)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits = model(clips)
                loss = criterion(logits, labels) / ACCUM
            loss.backward()
            total += loss.detach()
        optimizer.step()
        scheduler.step()
        print(f"step {step}: loss {total.item():.4f} lr {optimizer.param_groups[0]['lr']:.2e}")

    # multi-clip evaluation: average softmax over 5 temporal clips per video
    model.eval()
    videos = 4
    views = 5
    with torch.inference_mode():
        clips, labels = make_clip_batch(videos * views)
        labels = labels[::views].to(device)
        probs = model(clips.to(device)).softmax(-1)
        probs = probs.view(videos, views, -1).mean(1)
        top5 = probs.topk(5, dim=-1).indices
        hit = (top5 == labels[:, None]).any(1).float().mean()
    print("top5", hit.item())


main()
