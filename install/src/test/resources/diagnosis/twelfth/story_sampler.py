# limit: 1.0
# long sampling run for the children's stories model (random weights here)
import argparse

import torch
from transformers import GPT2Config, GPT2LMHeadModel


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--prompt", type=int, default=48)
    p.add_argument("--new-tokens", type=int, default=900)
    p.add_argument("--top-k", type=int, default=50)
    return p.parse_args([])


def sample(logits, k):
    v, i = logits.topk(k, dim=-1)
    pick = torch.multinomial(v.softmax(-1), 1)
    return i.gather(-1, pick)


@torch.no_grad()
def generate(model, ids, n, k):
    out = [ids.cpu()]
    past = None
    for t in range(n):
        res = model(input_ids=ids, past_key_values=past, use_cache=True, logits_to_keep=1)
        past = res.past_key_values
        ids = sample(res.logits[:, -1], k)
        out.append(ids.cpu())
        if t % 50 == 0:
            print(f"token {t}: {torch.cuda.memory_allocated() / 2**20:.0f} MiB", flush=True)
    return torch.cat(out, dim=1)


def main():
    args = get_args()
    torch.manual_seed(17)
    cfg = GPT2Config(vocab_size=8000, n_positions=1024, n_embd=512, n_layer=8, n_head=8)
    model = GPT2LMHeadModel(cfg).to("cuda").eval()
    prompt = torch.randint(0, 8000, (args.batch, args.prompt), device="cuda")
    text = generate(model, prompt, args.new_tokens, args.top_k)
    print(text.shape, text[0, :20].tolist())


if __name__ == "__main__":
    main()
