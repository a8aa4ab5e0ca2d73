# summarisation-like seq2seq: T5 trained with Adafactor in fp32, then beam search.
import torch
from transformers import AutoModelForSeq2SeqLM, T5Config
from transformers.optimization import Adafactor

SRC_LEN, TGT_LEN = 512, 96
BS = 12

config = T5Config(
    vocab_size=32128,
    d_model=768,
    d_kv=64,
    d_ff=2048,
    num_layers=8,
    num_heads=12,
    feed_forward_proj="gated-gelu",
    decoder_start_token_id=0,
    pad_token_id=0,
    eos_token_id=1,
    tie_word_embeddings=False,
)

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(3)
model = AutoModelForSeq2SeqLM.from_config(config).to(device)
print("params: %.1fM" % (sum(p.numel() for p in model.parameters()) / 1e6))

optimizer = Adafactor(model.parameters(), scale_parameter=True, relative_step=True, warmup_init=True, lr=None)


def get_batch(n):
    """source with random lengths; target = every 5th source token"""
    src = torch.randint(10, 32000, (n, SRC_LEN))
    lens = torch.randint(SRC_LEN // 2, SRC_LEN + 1, (n,))
    mask = torch.arange(SRC_LEN)[None, :] < lens[:, None]
    src[~mask] = 0
    tgt = src[:, ::5][:, :TGT_LEN].clone()
    tgt[:, -1] = 1
    labels = tgt.masked_fill(tgt == 0, -100)
    return src.to(device), mask.long().to(device), labels.to(device)


model.train()
for i in range(3):
    src, mask, labels = get_batch(BS)
    out = model(input_ids=src, attention_mask=mask, labels=labels)
    optimizer.zero_grad()
    out.loss.backward()
    optimizer.step()
    print(f"iter {i} loss {out.loss.item():.3f}")

# -- inference --
model.eval()
src, mask, labels = get_batch(8)
with torch.no_grad():
    val_loss = model(input_ids=src, attention_mask=mask, labels=labels).loss
    gen = model.generate(
        input_ids=src,
        attention_mask=mask,
        num_beams=4,
        max_new_tokens=40,
        min_new_tokens=20,
        no_repeat_ngram_size=3,
        length_penalty=0.8,
        early_stopping=True,
    )
print("val", val_loss.item())
print(gen.shape)
for row in gen[:2].tolist():
    print(row[:12])
