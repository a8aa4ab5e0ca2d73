"""Fine-tuning a Whisper-small-like model for a dialect, encoder frozen for the first steps."""
import dataclasses
import io

import torch
from torch.nn.utils.rnn import pad_sequence
from transformers import WhisperConfig, WhisperForConditionalGeneration


@dataclasses.dataclass
class Args:
    d_model: int = 512
    layers: int = 6
    heads: int = 8
    mel: int = 80
    frames: int = 1500  # 15 s of audio instead of 30
    batch: int = 10
    freeze_steps: int = 2
    steps: int = 5
    lr: float = 1e-5
    vocab: int = 51865
    device: str = "cuda"
    seed: int = 21


args = Args()


def fake_log_mel(batch, gen):
    """noise with formant-like bands, scaled as Whisper's features are"""
    t = torch.linspace(0, 1, args.frames)
    bands = torch.rand(batch, args.mel, 1, generator=gen)
    mod = torch.sin(2 * torch.pi * (3 + 8 * bands) * t)
    return (0.4 * mod + 0.3 * torch.randn(batch, args.mel, args.frames, generator=gen)).clamp(-1, 1.5)


def fake_transcripts(batch, gen):
    seqs = []
    for _ in range(batch):
        n = int(torch.randint(8, 90, (1,), generator=gen))
        seqs.append(torch.cat([torch.tensor([50259, 50359, 50363]), torch.randint(100, 50000, (n,), generator=gen),
                               torch.tensor([50257])]))
    return pad_sequence(seqs, batch_first=True, padding_value=-100)


def spec_augment(x, gen):
    x = x.clone()
    for row in x:
        f0 = int(torch.randint(0, args.mel - 12, (1,), generator=gen))
        t0 = int(torch.randint(0, args.frames - 100, (1,), generator=gen))
        row[f0 : f0 + 12] = 0
        row[:, t0 : t0 + 100] = 0
    return x


def build():
    cfg = WhisperConfig(
        vocab_size=args.vocab, num_mel_bins=args.mel, d_model=args.d_model, encoder_layers=args.layers,
        decoder_layers=args.layers, encoder_attention_heads=args.heads, decoder_attention_heads=args.heads,
        encoder_ffn_dim=4 * args.d_model, decoder_ffn_dim=4 * args.d_model, max_source_positions=args.frames // 2,
        max_target_positions=256, dropout=0.1, use_cache=False,
    )
    return WhisperForConditionalGeneration(cfg)


def set_encoder_grad(model, flag):
    for n, p in model.model.encoder.named_parameters():
        if "embed_positions" not in n:
            p.requires_grad_(flag)


def main():
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    model = build().to(args.device)
    set_encoder_grad(model, False)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, fused=True)
    scaler = torch.amp.GradScaler(args.device, init_scale=2.0**12)
    model.train()
    for step in range(args.steps):
        if step == args.freeze_steps:
            set_encoder_grad(model, True)
            print("encoder released at step", step)
        feats = spec_augment(fake_log_mel(args.batch, gen), gen).to(args.device)
        labels = fake_transcripts(args.batch, gen).to(args.device)
        with torch.autocast(args.device, dtype=torch.float16):
            loss = model(input_features=feats, labels=labels).loss
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        opt.zero_grad(set_to_none=True)
        print(f"step {step} labels {labels.shape[1]} loss {loss.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    # greedy decoding by hand, without a cache
    model.eval()
    with torch.no_grad(), torch.autocast(args.device, dtype=torch.float16):
        enc = model.model.encoder(fake_log_mel(4, gen).to(args.device)).last_hidden_state
        ids = torch.full((4, 1), 50258, device=args.device)
        for _ in range(12):
            logits = model(encoder_outputs=(enc,), decoder_input_ids=ids).logits[:, -1]
            ids = torch.cat([ids, logits.argmax(-1, keepdim=True)], 1)
    print("decoded", tuple(ids.shape))
    buf = io.BytesIO()
    torch.save({k: v.half() for k, v in model.state_dict().items()}, buf)
    print(f"half-precision checkpoint {buf.tell() / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
