import torch
from torch.utils.data import DataLoader, Dataset
from transformers import WhisperConfig, WhisperForConditionalGeneration

device = "cuda"

# whisper-base dimensions
config = WhisperConfig(
    vocab_size=51865,
    d_model=512,
    encoder_layers=6,
    decoder_layers=6,
    encoder_attention_heads=8,
    decoder_attention_heads=8,
    encoder_ffn_dim=2048,
    decoder_ffn_dim=2048,
    num_mel_bins=80,
    max_source_positions=1500,
    max_target_positions=448,
    dropout=0.1,
)


class MelDataset(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        mel = torch.randn(config.num_mel_bins, config.max_source_positions * 2).clamp(-1, 1)
        n_tok = 20 + (i * 13) % 100
        return mel, torch.randint(300, 50000, (n_tok,))


def collate(batch):
    mels = torch.stack([b[0] for b in batch])
    longest = max(len(b[1]) for b in batch)
    labels = torch.full((len(batch), longest + 1), -100, dtype=torch.long)
    for i, (_, t) in enumerate(batch):
        labels[i, :len(t)] = t
        labels[i, len(t)] = config.eos_token_id
    return {"input_features": mels, "labels": labels}


def train(model, loader, optimizer, accumulate=2):
    model.train()
    optimizer.zero_grad()
    for i, batch in enumerate(loader):
        batch = {k: v.to(device) for k, v in batch.items()}
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = model(**batch).loss
        (loss / accumulate).backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
        print(f"batch {i} loss {loss.item():.4f}")


def transcribe(model, loader):
    model.eval()
    model.to(torch.bfloat16)
    for batch in loader:
        feats = batch["input_features"].to(device, torch.bfloat16)
        start = torch.full((feats.size(0), 1), config.decoder_start_token_id, device=device)
        # greedy decoding by hand, the encoder runs once
        with torch.no_grad():
            enc = model.model.encoder(feats)
            past, tokens, cur = None, start, start
            for _ in range(40):
                out = model(encoder_outputs=enc, decoder_input_ids=cur, past_key_values=past, use_cache=True)
                past = out.past_key_values
                cur = out.logits[:, -1:].argmax(-1)
                tokens = torch.cat([tokens, cur], dim=1)
        print("decoded", tuple(tokens.shape), tokens[0, :8].tolist())


if __name__ == "__main__":
    torch.manual_seed(0)
    net = WhisperForConditionalGeneration(config).to(device)
    print("model has", round(net.num_parameters() / 1e6, 1), "M parameters")
    opt = torch.optim.AdamW(net.parameters(), lr=1e-5, eps=1e-6)
    train(net, DataLoader(MelDataset(64), batch_size=16, collate_fn=collate), opt)
    transcribe(net, DataLoader(MelDataset(8), batch_size=8, collate_fn=collate))
