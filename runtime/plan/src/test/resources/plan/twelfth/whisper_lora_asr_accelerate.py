"""Whisper (small-ish, random init) LoRA adaptation for ASR with accelerate; encoder frozen, bf16."""
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from peft import LoraConfig, get_peft_model
from torch.utils.data import DataLoader, Dataset
from transformers import WhisperConfig, WhisperForConditionalGeneration, get_cosine_schedule_with_warmup

VOCAB = 51865
N_MELS, FRAMES = 80, 3000
BATCH, ACCUM, STEPS = 4, 2, 6
MAX_LABEL = 120
D_MODEL, LAYERS = 768, 8


class Utterances(Dataset):
    def __len__(self):
        return BATCH * STEPS

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(31 * i + 1)
        n = int(torch.randint(20, MAX_LABEL, (1,), generator=g))
        return {"mel": torch.randn(N_MELS, FRAMES, generator=g),
                "labels": torch.randint(10, 50000, (n,), generator=g).clamp(max=VOCAB - 1)}


def collate(rows):
    m = max(len(r["labels"]) for r in rows)
    lab = torch.full((len(rows), m), -100)
    for i, r in enumerate(rows):
        lab[i, :len(r["labels"])] = r["labels"]
    return {"input_features": torch.stack([r["mel"] for r in rows]), "labels": lab}


def main():
    set_seed(7)
    acc = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=ACCUM)
    cfg = WhisperConfig(vocab_size=VOCAB, d_model=D_MODEL, encoder_layers=LAYERS, decoder_layers=LAYERS,
                        encoder_attention_heads=12, decoder_attention_heads=12, encoder_ffn_dim=3072,
                        decoder_ffn_dim=3072, num_mel_bins=N_MELS, max_source_positions=FRAMES // 2)
    model = WhisperForConditionalGeneration(cfg)
    model.model.encoder.requires_grad_(False)
    model = get_peft_model(model, LoraConfig(r=32, lora_alpha=64, lora_dropout=0.05,
                                             target_modules=r".*decoder.*\.(q_proj|v_proj)", bias="none"))
    opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    sched = get_cosine_schedule_with_warmup(opt, 2, STEPS)
    dl = DataLoader(Utterances(), batch_size=BATCH, collate_fn=collate, shuffle=True)
    model, opt, dl, sched = acc.prepare(model, opt, dl, sched)

    model.train()
    for step, batch in enumerate(dl):
        with acc.accumulate(model):
            loss = model(**batch).loss
            acc.backward(loss)
            if acc.sync_gradients:
                acc.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            opt.zero_grad()
        acc.print(f"{step} labels {tuple(batch['labels'].shape)} loss {loss.item():.4f}")

    model.eval()
    merged = acc.unwrap_model(model).merge_and_unload()
    with torch.no_grad(), acc.autocast():
        enc = merged.model.encoder(batch["input_features"][:2])
        ids = torch.full((2, 1), cfg.decoder_start_token_id, device=acc.device)
        past = None
        for _ in range(16):   # greedy, by hand
            out = merged(encoder_outputs=enc, decoder_input_ids=ids[:, -1:] if past is not None else ids,
                         past_key_values=past, use_cache=True)
            past = out.past_key_values
            ids = torch.cat([ids, out.logits[:, -1].argmax(-1, keepdim=True)], 1)
    acc.print("decoded", tuple(ids.shape), "peak MiB", torch.cuda.max_memory_allocated() >> 20)


if __name__ == "__main__":
    main()
