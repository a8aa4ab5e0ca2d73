"""Run an instance segmentation model over a folder of photos of different sizes and make a report.

(The photos are synthetic here; the weights would normally be loaded from a checkpoint.)
"""
import time
from collections import defaultdict

import torch
import torchvision
from torchvision.ops import box_iou, nms

NUM_CLASSES = 91
SCORE_THRESHOLD = 0.0
SIZES = [(480, 640), (600, 800), (768, 1024), (1080, 1440), (640, 480), (960, 720)]
BATCH = 2


def photos():
    g = torch.Generator().manual_seed(5)
    for h, w in SIZES:
        small = torch.rand(3, h // 16, w // 16, generator=g)
        img = torch.nn.functional.interpolate(small[None], size=(h, w), mode="bilinear")[0]
        yield img.clamp(0, 1)


def batched(it, n):
    buf = []
    for x in it:
        buf.append(x)
        if len(buf) == n:
            yield buf
            buf = []
    if buf:
        yield buf


class Report:
    def __init__(self):
        self.rows = defaultdict(list)

    def add(self, size, out, seconds):
        keep = nms(out["boxes"], out["scores"], 0.5)[:50]
        area = (out["masks"][keep, 0] > 0.5).flatten(1).sum(1).float()
        iou = box_iou(out["boxes"][keep], out["boxes"][keep])
        self.rows["size"].append(size)
        self.rows["n"].append(int(keep.numel()))
        self.rows["area"].append(float(area.mean()) if keep.numel() else 0.0)
        self.rows["overlap"].append(float(iou.mean()) if keep.numel() else 0.0)
        self.rows["sec"].append(seconds)

    def show(self):
        for s, n, a, o, t in zip(*(self.rows[k] for k in ("size", "n", "area", "overlap", "sec"))):
            print(f"{s[0]:>5}x{s[1]:<5} objects={n:<3} mask px={a:9.1f} overlap={o:.3f} {t * 1000:.0f} ms")


@torch.inference_mode()
def main():
    torch.manual_seed(5)
    device = torch.device("cuda")
    model = torchvision.models.detection.maskrcnn_resnet50_fpn_v2(
        weights=None,
        weights_backbone=None,
        num_classes=NUM_CLASSES,
        box_score_thresh=SCORE_THRESHOLD,
        box_detections_per_img=100,
        rpn_post_nms_top_n_test=600,
    )
    model.eval().to(device)
    n_params = sum(p.numel() for p in model.parameters()) / 1e6
    print(f"{n_params:.1f} M parameters")

    report = Report()
    for batch in batched(photos(), BATCH):
        batch = [b.to(device) for b in batch]
        torch.cuda.synchronize()
        t0 = time.perf_counter()
        outputs = model(batch)
        torch.cuda.synchronize()
        dt = (time.perf_counter() - t0) / len(batch)
        for img, out in zip(batch, outputs):
            report.add(tuple(img.shape[-2:]), out, dt)
        del outputs
        torch.cuda.empty_cache()
    report.show()
    print("max allocated MiB:", torch.cuda.max_memory_allocated() // 2**20)
    print("max reserved  MiB:", torch.cuda.max_memory_reserved() // 2**20)


if __name__ == "__main__":
    main()
