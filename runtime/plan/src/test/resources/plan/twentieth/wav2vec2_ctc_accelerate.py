"""ASR fine-tuning with CTC: Wav2Vec2 (small config), accelerate for fp16 and accumulation."""
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, Dataset
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC, get_linear_schedule_with_warmup

SR = 16000
MAX_SECONDS = 9.0
MIN_SECONDS = 2.5
CHARS = 32
BATCH = 6
ACCUM = 2
N = 48


class Utterances(Dataset):
    def __init__(self, n, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.seconds = (MIN_SECONDS + (MAX_SECONDS - MIN_SECONDS) * torch.rand(n, generator=self.g)).tolist()

    def __len__(self):
        return len(self.seconds)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        n = int(self.seconds[i] * SR)
        t = torch.arange(n) / SR
        f0 = 80 + 150 * torch.rand(1, generator=g)
        wave = 0.3 * torch.sin(2 * torch.pi * f0 * t) + 0.05 * torch.randn(n, generator=g)
        wave = (wave - wave.mean()) / (wave.std() + 1e-7)
        chars = torch.randint(1, CHARS, (int(self.seconds[i] * 8),), generator=g)
        return {"input_values": wave, "labels": chars}


def collate(items):
    longest = max(len(x["input_values"]) for x in items)
    longest_y = max(len(x["labels"]) for x in items)
    wave = torch.zeros(len(items), longest)
    mask = torch.zeros(len(items), longest, dtype=torch.long)
    labels = torch.full((len(items), longest_y), -100)
    for i, x in enumerate(items):
        wave[i, :len(x["input_values"])] = x["input_values"]
        mask[i, :len(x["input_values"])] = 1
        labels[i, :len(x["labels"])] = x["labels"]
    return {"input_values": wave, "attention_mask": mask, "labels": labels}


def main():
    set_seed(21)
    accelerator = Accelerator(mixed_precision="fp16", gradient_accumulation_steps=ACCUM)
    config = Wav2Vec2Config(
        vocab_size=CHARS, hidden_size=512, num_hidden_layers=8, num_attention_heads=8, intermediate_size=2048,
        feat_extract_norm="layer", do_stable_layer_norm=True, conv_bias=True,
        mask_time_prob=0.05, layerdrop=0.0, ctc_loss_reduction="mean", ctc_zero_infinity=True, pad_token_id=0)
    model = Wav2Vec2ForCTC(config)
    model.freeze_feature_encoder()
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4, betas=(0.9, 0.98))
    loader = DataLoader(Utterances(N), batch_size=BATCH, collate_fn=collate, shuffle=True)
    scheduler = get_linear_schedule_with_warmup(optimizer, 1, len(loader) // ACCUM)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    model.train()
    for step, batch in enumerate(loader):
        with accelerator.accumulate(model):
            out = model(**batch)
            accelerator.backward(out.loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        if accelerator.is_main_process:
            accelerator.print(f"step {step} frames {out.logits.shape[1]} loss {out.loss.item():.3f}")

    model.eval()
    with torch.no_grad():
        batch = next(iter(loader))
        pred = model(input_values=batch["input_values"], attention_mask=batch["attention_mask"]).logits.argmax(-1)
    decoded = [torch.unique_consecutive(p) for p in pred]
    accelerator.print("greedy lengths", [int((d != 0).sum()) for d in decoded])
    if torch.cuda.is_available():
        accelerator.print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
