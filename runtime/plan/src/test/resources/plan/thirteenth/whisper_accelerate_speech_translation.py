"""Fine-tune a Whisper-shaped model with accelerate: bf16 mixed precision, accumulation, generate for eval."""
import tempfile
from pathlib import Path

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, Dataset
from transformers import WhisperConfig, WhisperForConditionalGeneration

FRAMES = 3000
MELS = 80
VOCAB = 51865
START = 50258
EOT = 50257


class LogMelPairs(Dataset):
    """30 second log-mel windows with a transcript; silent tail as with padded speech."""

    def __init__(self, n, offset=0):
        self.n, self.offset = n, offset

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.offset + i)
        mel = torch.full((MELS, FRAMES), -1.5)
        speech = int(torch.randint(FRAMES // 5, FRAMES, (1,), generator=g))
        mel[:, :speech] = torch.randn(MELS, speech, generator=g) * 0.4
        n = int(torch.randint(10, 120, (1,), generator=g))
        tokens = torch.randint(0, 50000, (n,), generator=g)
        return mel, torch.cat([torch.tensor([START]), tokens, torch.tensor([EOT])])


def collate(rows):
    mel = torch.stack([r[0] for r in rows])
    labels = torch.nn.utils.rnn.pad_sequence([r[1] for r in rows], batch_first=True, padding_value=-100)
    return {"input_features": mel, "labels": labels[:, 1:].contiguous()}


def whisper_small():
    return WhisperConfig(
        vocab_size=VOCAB, num_mel_bins=MELS, d_model=768,
        encoder_layers=6, decoder_layers=6, encoder_attention_heads=12, decoder_attention_heads=12,
        encoder_ffn_dim=3072, decoder_ffn_dim=3072, max_source_positions=FRAMES // 2, max_target_positions=448,
        decoder_start_token_id=START, pad_token_id=EOT, bos_token_id=EOT, eos_token_id=EOT,
        suppress_tokens=None, begin_suppress_tokens=None,
    )


def main():
    set_seed(31)
    accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=2)
    device = torch.device("cuda")
    model = WhisperForConditionalGeneration(whisper_small()).to(device)
    model.model.encoder.embed_positions.requires_grad_(False)

    decay = [p for p in model.parameters() if p.requires_grad and p.ndim > 1]
    plain = [p for p in model.parameters() if p.requires_grad and p.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0}], lr=1e-5, foreach=False
    )
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / 3))
    train = DataLoader(LogMelPairs(24), batch_size=4, shuffle=True, collate_fn=collate)
    valid = DataLoader(LogMelPairs(4, 5000), batch_size=4, collate_fn=collate)
    model, optimizer, scheduler, train, valid = accelerator.prepare(model, optimizer, scheduler, train, valid)

    model.train()
    for step, batch in enumerate(train):
        with accelerator.accumulate(model):
            loss = model(**batch).loss
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        accelerator.print(f"step {step} loss {loss.item():.3f} sync={accelerator.sync_gradients}")

    model.eval()
    for batch in valid:
        with torch.no_grad():
            val_loss = model(**batch).loss.item()
            net = accelerator.unwrap_model(model)
            start = torch.full((batch["input_features"].size(0), 1), START, device=batch["input_features"].device)
            enc = net.model.encoder(batch["input_features"])
            seq = start
            cache = None
            for _ in range(20):
                out = net(encoder_outputs=enc, decoder_input_ids=seq[:, -1:] if cache is not None else seq,
                          past_key_values=cache, use_cache=True)
                cache = out.past_key_values
                seq = torch.cat([seq, out.logits[:, -1].argmax(-1, keepdim=True)], 1)
        accelerator.print(f"val loss {val_loss:.3f}, decoded {tuple(seq.shape)}")

    with tempfile.TemporaryDirectory() as d:
        accelerator.save(accelerator.unwrap_model(model).state_dict(), Path(d) / "whisper.pt")
    accelerator.print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
