# limit: 1.5
"""Sweep over model widths; every candidate is built, checked with a few prompts and dropped."""
import gc
import torch
from transformers import LlamaConfig, LlamaForCausalLM

WIDTHS = [256, 512, 768, 1024, 2048]


def config(width):
    return LlamaConfig(vocab_size=16000, hidden_size=width, intermediate_size=int(width * 2.75),
                       num_hidden_layers=10, num_attention_heads=width // 64, num_key_value_heads=width // 64)


def candidate(width):
    with torch.device("cuda"):
        model = LlamaForCausalLM(config(width))
    return model.eval()


@torch.inference_mode()
def perplexity(model, n=6):
    total = 0.0
    for _ in range(n):
        ids = torch.randint(0, 16000, (2, 128), device="cuda")
        total += model(input_ids=ids, labels=ids).loss.item()
    return total / n


def main():
    torch.manual_seed(1)
    results = {}
    for width in WIDTHS:
        model = candidate(width)
        n = sum(p.numel() for p in model.parameters()) / 1e6
        results[width] = perplexity(model)
        print(f"width {width}: {n:.0f} M parameters, loss {results[width]:.3f}, "
              f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB")
        del model
        gc.collect()
    print("best", min(results, key=results.get))


if __name__ == "__main__":
    main()
