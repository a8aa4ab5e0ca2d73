"""Masked auto-encoder pre-training (ViTMAE from config) with a customised transformers Trainer.

Own optimizer groups, fp16, a custom compute_loss that logs, EMA through a callback.
"""
import copy
import os
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import Trainer, TrainerCallback, TrainingArguments, ViTMAEConfig, ViTMAEForPreTraining, set_seed

SIDE, PATCH = 224, 16
BATCH = 48
STEPS = 5


class Pictures(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        low = torch.randn(3, 14, 14, generator=g)
        x = torch.nn.functional.interpolate(low[None], size=SIDE, mode="nearest")[0]
        return {"pixel_values": x + 0.1 * torch.randn(3, SIDE, SIDE, generator=g)}


class Ema(TrainerCallback):
    def __init__(self, model, decay=0.99):
        self.shadow = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    def on_train_begin(self, args, state, control, model=None, **kw):
        self.shadow.to(model.device)

    @torch.no_grad()
    def on_step_end(self, args, state, control, model=None, **kw):
        torch._foreach_lerp_(list(self.shadow.parameters()), [p.detach() for p in model.parameters()],
                             1 - self.decay)


class MaeTrainer(Trainer):
    def create_optimizer(self, *args, **kwargs):
        if self.optimizer is None:
            decay = [p for n, p in self.model.named_parameters() if p.requires_grad and p.ndim > 1]
            rest = [p for n, p in self.model.named_parameters() if p.requires_grad and p.ndim <= 1]
            self.optimizer = torch.optim.AdamW(
                [{"params": decay, "weight_decay": 0.05}, {"params": rest, "weight_decay": 0.0}],
                lr=self.args.learning_rate, betas=(0.9, 0.95), foreach=True)
        return self.optimizer

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        out = model(**inputs)
        if self.state.global_step % 2 == 0:
            print(f"  step {self.state.global_step} masked {out.mask.float().mean().item():.2f} "
                  f"loss {out.loss.item():.4f} now {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
        return (out.loss, out) if return_outputs else out.loss


def stack(items):
    return {"pixel_values": torch.stack([i["pixel_values"] for i in items])}


def main():
    set_seed(75)
    model = ViTMAEForPreTraining(ViTMAEConfig(
        hidden_size=512, num_hidden_layers=8, num_attention_heads=8, intermediate_size=2048,
        image_size=SIDE, patch_size=PATCH, decoder_hidden_size=384, decoder_num_hidden_layers=4,
        decoder_num_attention_heads=6, decoder_intermediate_size=1536, mask_ratio=0.75, norm_pix_loss=True))
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f}M parameters")
    ema = Ema(model)
    with tempfile.TemporaryDirectory() as tmp:
        args = TrainingArguments(
            output_dir=os.path.join(tmp, "run"),
            per_device_train_batch_size=BATCH,
            max_steps=STEPS,
            learning_rate=1.5e-4,
            lr_scheduler_type="cosine",
            warmup_steps=1,
            max_grad_norm=1.0,
            fp16=True,
            logging_strategy="no",
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
            remove_unused_columns=False,
            label_names=[],
        )
        trainer = MaeTrainer(model=model, args=args, train_dataset=Pictures(BATCH * STEPS), data_collator=stack,
                             callbacks=[ema])
        stats = trainer.train()
        print("mean loss", round(stats.training_loss, 4))

    with torch.inference_mode():
        x = torch.stack([Pictures(4)[i]["pixel_values"] for i in range(4)]).to("cuda")
        rec = ema.shadow(x)
        img = ema.shadow.unpatchify(rec.logits)
    print("EMA reconstruction", tuple(img.shape), "loss", round(rec.loss.item(), 4))
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
