# T5 summarization fine-tune w/ Adafactor (relative step), pure bf16 weights, beam-search evaluation.
import argparse
import math
import torch
from torch.utils.data import DataLoader, TensorDataset
from transformers import Adafactor, T5Config, T5ForConditionalGeneration

parser = argparse.ArgumentParser(description="summarise")
parser.add_argument("--src-len", type=int, default=384)
parser.add_argument("--tgt-len", type=int, default=96)
parser.add_argument("--bs", type=int, default=8)
parser.add_argument("--layers", type=int, default=8)
parser.add_argument("--d-model", type=int, default=768)
parser.add_argument("--num-batches", type=int, default=5)
parser.add_argument("--beams", type=int, default=4)
parser.add_argument("--max-new", type=int, default=24)
args = parser.parse_args()

torch.manual_seed(99)
device = torch.device("cuda")
VOCAB = 32128


def build():
    cfg = T5Config(
        vocab_size=VOCAB,
        d_model=args.d_model,
        d_kv=64,
        d_ff=args.d_model * 4,
        num_layers=args.layers,
        num_decoder_layers=args.layers,
        num_heads=args.d_model // 64,
        dropout_rate=0.1,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
    )
    return T5ForConditionalGeneration(cfg).to(device=device, dtype=torch.bfloat16)


def build_data(n):
    src = torch.randint(2, VOCAB, (n, args.src_len))
    src_lens = torch.randint(args.src_len // 2, args.src_len + 1, (n,))
    mask = (torch.arange(args.src_len) < src_lens[:, None]).long()
    tgt = torch.randint(2, VOCAB, (n, args.tgt_len))
    tgt[:, -1] = 1
    tgt_lens = torch.randint(args.tgt_len // 3, args.tgt_len + 1, (n,))
    tgt[torch.arange(args.tgt_len) >= tgt_lens[:, None]] = -100
    return TensorDataset(src * mask, mask, tgt)


def evaluate(model, loader):
    """teacher-forced perplexity"""
    model.eval()
    nll, count = 0.0, 0
    with torch.no_grad():
        for src, mask, tgt in loader:
            tgt = tgt.to(device)
            out = model(input_ids=src.to(device), attention_mask=mask.to(device), labels=tgt)
            n = (tgt != -100).sum().item()
            nll += out.loss.float().item() * n
            count += n
    return math.exp(min(20.0, nll / count))


def main():
    model = build()
    n = sum(p.numel() for p in model.parameters())
    print(f"model with {n / 1e6:.0f}M parameters, {n * 2 / 2**20:.0f} MiB in bf16")
    optimizer = Adafactor(model.parameters(), scale_parameter=True, relative_step=True, warmup_init=True, lr=None)
    train = DataLoader(build_data(args.bs * args.num_batches), batch_size=args.bs, shuffle=True)
    valid = DataLoader(build_data(args.bs), batch_size=args.bs)

    model.train()
    for i, (src, mask, tgt) in enumerate(train):
        out = model(input_ids=src.to(device), attention_mask=mask.to(device), labels=tgt.to(device))
        out.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(f"batch {i}, loss {out.loss.item():.4f}")
        del out

    print("ppl", evaluate(model, valid))
    peak_train = torch.cuda.max_memory_allocated()
    torch.cuda.reset_peak_memory_stats()

    src, mask, _ = next(iter(valid))
    with torch.no_grad():
        seq = model.generate(
            input_ids=src.to(device),
            attention_mask=mask.to(device),
            num_beams=args.beams,
            max_new_tokens=args.max_new,
            no_repeat_ngram_size=3,
            length_penalty=0.8,
            early_stopping=True,
        )
    print("generated", tuple(seq.shape), seq[0, :8].tolist())
    print(f"peak train {peak_train / 2**30:.2f} GiB, peak generate {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
