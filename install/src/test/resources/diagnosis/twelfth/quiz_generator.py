# limit: 0.75
# writes quiz questions for every chapter, prompt batch by prompt batch
import torch
from transformers import GPT2Config, GPT2LMHeadModel

BATCH, PROMPT, NEW = 32, 16, 64


def load_model():
    torch.manual_seed(40)
    cfg = GPT2Config(vocab_size=8000, n_positions=128, n_embd=512, n_layer=6, n_head=8)
    return GPT2LMHeadModel(cfg).to("cuda").eval()


def chapters(n):
    g = torch.Generator().manual_seed(41)
    for c in range(n):
        yield c, torch.randint(0, 8000, (BATCH, PROMPT), generator=g)


@torch.inference_mode()
def write_questions(model, prompt, temperature=0.9):
    ids = prompt.to("cuda")
    past, pieces = None, []
    for _ in range(NEW):
        out = model(input_ids=ids, past_key_values=past, use_cache=True)
        past = out.past_key_values
        p = (out.logits[:, -1] / temperature).softmax(-1)
        ids = torch.multinomial(p, 1)
        pieces.append(ids)
    return torch.cat(pieces, 1).cpu()


def main():
    model = load_model()
    book = []
    for c, prompt in chapters(12):
        text = write_questions(model, prompt)
        book.append(text)
        distinct = len(text.unique()) / text.numel()
        print(f"chapter {c}: distinct {distinct:.3f}, peak "
              f"{torch.cuda.max_memory_allocated() / 2**20:.0f} MiB", flush=True)
    print("questions", sum(len(t) for t in book))


if __name__ == "__main__":
    main()
