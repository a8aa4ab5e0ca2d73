"""Instance segmentation on drawn rectangles/ellipses, torchvision Mask R-CNN without weights, AMP fp16."""
import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.models.detection import maskrcnn_resnet50_fpn

torch.manual_seed(66)


class Shapes(Dataset):
    def __init__(self, n, size=320):
        self.n, self.size = n, size

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        h = self.size - 32 * (i % 3)
        w = self.size
        yy, xx = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
        img = 0.1 * torch.rand(3, h, w, generator=g)
        boxes, labels, masks = [], [], []
        for _ in range(int(torch.randint(2, 6, (1,), generator=g))):
            cy, cx = (torch.rand(2, generator=g) * 0.6 + 0.2) * torch.tensor([h, w])
            ry, rx = torch.rand(2, generator=g) * 30 + 12
            kind = int(torch.randint(1, 3, (1,), generator=g))
            if kind == 1:
                m = ((yy - cy).abs() < ry) & ((xx - cx).abs() < rx)
            else:
                m = ((yy - cy) / ry) ** 2 + ((xx - cx) / rx) ** 2 < 1
            ys, xs = torch.where(m)
            boxes.append([xs.min().item(), ys.min().item(), xs.max().item() + 1, ys.max().item() + 1])
            img[:, m] = torch.rand(3, 1, generator=g)
            labels.append(kind)
            masks.append(m)
        return img, {"boxes": torch.tensor(boxes, dtype=torch.float32), "labels": torch.tensor(labels), "masks": torch.stack(masks).to(torch.uint8)}


def collate(b):
    return tuple(zip(*b))


def main():
    BATCH = 6
    IMAGES = 30
    SIZE = 384
    device = "cuda"
    model = maskrcnn_resnet50_fpn(weights=None, weights_backbone=None, num_classes=3, trainable_backbone_layers=5,
                                  min_size=SIZE, max_size=SIZE * 2, box_detections_per_img=20).to(device)
    norm_params = [p for n, p in model.named_parameters() if "bn" in n and p.requires_grad]
    ids = {id(p) for p in norm_params}
    other = [p for p in model.parameters() if p.requires_grad and id(p) not in ids]
    groups = [{"params": other, "weight_decay": 1e-4}] + ([{"params": norm_params, "weight_decay": 0}] if norm_params else [])
    opt = torch.optim.SGD(groups, lr=0.005, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda", init_scale=256.0)
    loader = DataLoader(Shapes(IMAGES), BATCH, shuffle=True, collate_fn=collate)
    model.train()
    for step, (imgs, tgts) in enumerate(loader):
        imgs = [i.to(device) for i in imgs]
        tgts = [{k: v.to(device) for k, v in t.items()} for t in tgts]
        with torch.autocast("cuda", dtype=torch.float16):
            losses = model(imgs, tgts)
            loss = sum(losses.values())
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        scaler.step(opt)
        scaler.update()
        print(step, {k.replace("loss_", ""): round(v.item(), 3) for k, v in losses.items()})
    model.eval()
    with torch.inference_mode():
        out = model([Shapes(1000)[500 + k][0].to(device) for k in range(2)])
    print([len(o["boxes"]) for o in out], "detections; peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
