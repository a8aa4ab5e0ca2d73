"""Semantic segmentation with SegformerForSemanticSegmentation and the Trainer.

Shows three usual tricks: class-weighted loss by overriding compute_loss, preprocess_logits_for_metrics so that the
evaluation does not pile full logits up, and a TrainerCallback which stops on a plateau.
"""
import tempfile

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import Dataset
from transformers import (
    SegformerConfig,
    SegformerForSemanticSegmentation,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    set_seed,
)

CLASSES = ["background", "crack", "pothole", "patch", "manhole"]
SIZE = 384
TRAIN, VAL = 40, 16


class Roads(Dataset):
    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        rng = np.random.default_rng(self.seed + i)
        mask = np.zeros((SIZE, SIZE), dtype=np.int64)
        for _ in range(rng.integers(1, 6)):
            k = rng.integers(1, len(CLASSES))
            cy, cx = rng.integers(0, SIZE, 2)
            r = rng.integers(SIZE // 20, SIZE // 6)
            yy, xx = np.ogrid[:SIZE, :SIZE]
            mask[(yy - cy) ** 2 + (xx - cx) ** 2 < r * r] = k
        img = rng.normal(0, 0.3, (3, SIZE, SIZE)).astype(np.float32) + (mask / len(CLASSES)).astype(np.float32)
        return {"pixel_values": torch.from_numpy(img), "labels": torch.from_numpy(mask)}


class WeightedTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs["labels"]
        outputs = model(pixel_values=inputs["pixel_values"])
        logits = F.interpolate(outputs.logits.float(), size=labels.shape[-2:], mode="bilinear", align_corners=False)
        weight = torch.tensor([0.3, 1.5, 1.2, 1.0, 1.0], device=logits.device)
        loss = F.cross_entropy(logits, labels, weight=weight)
        return (loss, outputs) if return_outputs else loss

    def prediction_step(self, model, inputs, prediction_loss_only, ignore_keys=None):
        inputs = self._prepare_inputs(inputs)
        with torch.no_grad(), self.compute_loss_context_manager():
            loss, out = self.compute_loss(model, inputs, return_outputs=True)
        return loss.detach(), out.logits.detach(), inputs["labels"]


class PlateauStop(TrainerCallback):
    def __init__(self, patience=1):
        self.best, self.bad, self.patience = -1.0, 0, patience

    def on_evaluate(self, args, state, control, metrics=None, **kw):
        score = metrics["eval_miou"]
        self.bad = 0 if score > self.best else self.bad + 1
        self.best = max(self.best, score)
        control.should_training_stop = self.bad > self.patience
        print(f"step {state.global_step} mIoU {score:.4f} best {self.best:.4f} bad {self.bad}")


def keep_argmax(logits, labels):
    up = F.interpolate(logits.float(), size=labels.shape[-2:], mode="bilinear", align_corners=False)
    return up.argmax(1).to(torch.uint8)


def miou(p):
    pred, true = p.predictions.astype(np.int64), p.label_ids
    n = len(CLASSES)
    cm = np.bincount((true * n + pred).ravel(), minlength=n * n).reshape(n, n)
    inter = np.diag(cm)
    union = cm.sum(0) + cm.sum(1) - inter
    return {"miou": float((inter / np.maximum(union, 1)).mean()), "acc": float(inter.sum() / cm.sum())}


def main():
    set_seed(19)
    device = torch.device("cuda")
    config = SegformerConfig(  # the b1 shape
        depths=[2, 2, 2, 2], hidden_sizes=[64, 128, 320, 512], decoder_hidden_size=256, num_labels=len(CLASSES),
        id2label=dict(enumerate(CLASSES)), label2id={c: i for i, c in enumerate(CLASSES)},
    )
    model = SegformerForSemanticSegmentation(config).to(device)
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, per_device_train_batch_size=8, per_device_eval_batch_size=8, num_train_epochs=1,
            learning_rate=6e-5, bf16=True, optim="adamw_torch", lr_scheduler_type="polynomial", warmup_steps=1,
            eval_strategy="steps", eval_steps=3, save_strategy="no", logging_strategy="no", report_to="none",
            disable_tqdm=True, remove_unused_columns=False, seed=19,
        )
        trainer = WeightedTrainer(
            model=model, args=args, train_dataset=Roads(TRAIN, 0), eval_dataset=Roads(VAL, 10_000),
            compute_metrics=miou, preprocess_logits_for_metrics=keep_argmax, callbacks=[PlateauStop()],
        )
        trainer.train()
        final = trainer.evaluate()
    print("final loss", final["eval_loss"], "acc", final["eval_acc"])
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
