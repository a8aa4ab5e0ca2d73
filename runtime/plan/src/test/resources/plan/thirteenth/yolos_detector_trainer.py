# Object detection fine-tuning: YOLOS (ViT detector from transformers) with the HF Trainer.
import tempfile
import torch
from torch.utils.data import Dataset
from transformers import Trainer, TrainingArguments, YolosConfig, YolosForObjectDetection

ID2LABEL = {0: "helmet", 1: "vest", 2: "gloves", 3: "boots", 4: "goggles"}
HEIGHT, WIDTH = 320, 416
HIDDEN, LAYERS = 384, 12
TRAIN_N, VAL_N = 24, 8


class SafetyGear(Dataset):
    """images with normalised cx,cy,w,h boxes the way the DETR family wants them"""

    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed * 1000 + i)
        img = torch.randn(3, HEIGHT, WIDTH, generator=g) * 0.2
        k = int(torch.randint(1, 8, (1,), generator=g))
        wh = torch.rand(k, 2, generator=g) * 0.3 + 0.05
        c = wh / 2 + torch.rand(k, 2, generator=g) * (1 - wh)
        labels = torch.randint(0, len(ID2LABEL), (k,), generator=g)
        for (cx, cy), (w, h), l in zip(c.tolist(), wh.tolist(), labels.tolist()):
            y0, y1 = int((cy - h / 2) * HEIGHT), int((cy + h / 2) * HEIGHT)
            x0, x1 = int((cx - w / 2) * WIDTH), int((cx + w / 2) * WIDTH)
            img[l % 3, y0:y1, x0:x1] += 1.0
        return {"pixel_values": img, "labels": {"class_labels": labels, "boxes": torch.cat([c, wh], 1)}}


def collate_fn(batch):
    return {
        "pixel_values": torch.stack([b["pixel_values"] for b in batch]),
        "labels": [b["labels"] for b in batch],
    }


class DetectionTrainer(Trainer):
    """Different learning rate for the box and class heads."""

    def create_optimizer(self, *args, **kwargs):
        head, body = [], []
        for n, p in self.model.named_parameters():
            (head if "labels_classifier" in n or "bbox_predictor" in n else body).append(p)
        self.optimizer = torch.optim.AdamW(
            [{"params": body, "lr": self.args.learning_rate}, {"params": head, "lr": self.args.learning_rate * 10}],
            weight_decay=self.args.weight_decay,
        )
        return self.optimizer


@torch.no_grad()
def predict(model, dataset, device, threshold=0.1):
    model.eval()
    found = 0
    for start in range(0, len(dataset), 4):
        px = torch.stack([dataset[j]["pixel_values"] for j in range(start, min(start + 4, len(dataset)))]).to(device)
        out = model(pixel_values=px)
        prob = out.logits.softmax(-1)[..., :-1].max(-1).values
        found += int((prob > threshold).sum())
    return found


def main():
    torch.manual_seed(3)
    device = torch.device("cuda")
    config = YolosConfig(
        hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=6, intermediate_size=HIDDEN * 4,
        image_size=[HEIGHT, WIDTH], patch_size=16, num_detection_tokens=100, use_mid_position_embeddings=True,
        id2label=ID2LABEL, label2id={v: k for k, v in ID2LABEL.items()},
    )
    model = YolosForObjectDetection(config).to(device)
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, per_device_train_batch_size=4, max_steps=5, learning_rate=2.5e-5, weight_decay=1e-4,
            max_grad_norm=0.1, remove_unused_columns=False, logging_steps=1, save_strategy="no", report_to="none",
            disable_tqdm=True, dataloader_num_workers=0, lr_scheduler_type="cosine", seed=3,
        )
        trainer = DetectionTrainer(model=model, args=args, data_collator=collate_fn, train_dataset=SafetyGear(TRAIN_N, 0))
        trainer.train()
    print("detections over threshold:", predict(model, SafetyGear(VAL_N, 9), device))
    print(f"peak allocated {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
