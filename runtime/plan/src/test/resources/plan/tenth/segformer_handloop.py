import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModelForSemanticSegmentation, SegformerConfig

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(11)

SIZE = 512
N_CLASS = 19


class Streets(Dataset):
    """Layered fake street scenes: sky on top, road on the bottom, blobs in between."""

    def __len__(self):
        return 16

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        lab = torch.zeros(SIZE, SIZE, dtype=torch.long)
        horizon = int(torch.randint(SIZE // 4, SIZE // 2, (1,), generator=g))
        lab[:horizon] = 10
        for c in range(1, N_CLASS):
            y, x = torch.randint(0, SIZE - 64, (2,), generator=g).tolist()
            lab[y:y + 64, x:x + 64] = c
        img = lab[None].float().expand(3, -1, -1) / N_CLASS + 0.2 * torch.randn(3, SIZE, SIZE, generator=g)
        return {"pixel_values": img, "labels": lab}


# mit-b2 sized
config = SegformerConfig(
    num_labels=N_CLASS,
    depths=[3, 4, 6, 3],
    hidden_sizes=[64, 128, 320, 512],
    decoder_hidden_size=768,
    semantic_loss_ignore_index=255,
)
model = AutoModelForSemanticSegmentation.from_config(config).to(device)

head = [p for n, p in model.named_parameters() if n.startswith("decode_head")]
body = [p for n, p in model.named_parameters() if not n.startswith("decode_head")]
opt = torch.optim.AdamW([{"params": body, "lr": 6e-5}, {"params": head, "lr": 6e-4}], weight_decay=0.01)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda it: (1 - it / 10) ** 0.9)

loader = DataLoader(Streets(), batch_size=4, shuffle=True)

model.train()
for it, batch in enumerate(loader):
    if it == 3:
        break
    batch = {k: v.to(device) for k, v in batch.items()}
    out = model(**batch)
    opt.zero_grad()
    out.loss.backward()
    opt.step()
    sched.step()
    print("iter", it, "loss", out.loss.item(), "logits", list(out.logits.shape))

model.eval()
inter = torch.zeros(N_CLASS, device=device)
union = torch.zeros(N_CLASS, device=device)
with torch.no_grad():
    for batch in DataLoader(Streets(), batch_size=4):
        logits = model(pixel_values=batch["pixel_values"].to(device)).logits
        logits = F.interpolate(logits, size=(SIZE, SIZE), mode="bilinear", align_corners=False)
        pred = logits.argmax(1)
        lab = batch["labels"].to(device)
        for c in range(N_CLASS):
            p, l = pred == c, lab == c
            inter[c] += (p & l).sum()
            union[c] += (p | l).sum()
print("mIoU", (inter / union.clamp(min=1)).mean().item())
