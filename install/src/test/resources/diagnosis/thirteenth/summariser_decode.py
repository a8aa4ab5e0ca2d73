# limit: 1.0
import torch
from transformers import LlamaConfig, LlamaForCausalLM


def build():
    cfg = LlamaConfig(vocab_size=8000, hidden_size=512, intermediate_size=1376, num_hidden_layers=6,
                      num_attention_heads=8, num_key_value_heads=4, max_position_embeddings=2048)
    return LlamaForCausalLM(cfg).to("cuda").eval()


@torch.inference_mode()
def greedy(model, ids, n):
    out = model(input_ids=ids, use_cache=True, logits_to_keep=1)
    past = out.past_key_values
    tokens = [out.logits[:, -1].argmax(-1, keepdim=True)]
    for _ in range(n - 1):
        out = model(input_ids=tokens[-1], past_key_values=past, use_cache=True)
        past = out.past_key_values
        tokens.append(out.logits[:, -1].argmax(-1, keepdim=True))
    return torch.cat(tokens, 1)


def main():
    torch.manual_seed(31)
    model = build()
    answers = []
    for request in range(12):
        batch = 4 + 4 * (request % 3)
        ids = torch.randint(0, 8000, (batch, 768), device="cuda")
        summary = greedy(model, ids, 24)
        answers.append(summary.cpu())
        print(f"request {request} x{batch}: {summary[0, :6].tolist()} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    print(sum(a.numel() for a in answers), "tokens")


if __name__ == "__main__":
    main()
