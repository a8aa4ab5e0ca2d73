# limit: 4
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM


def load():
    config = LlamaConfig(
        vocab_size=32000,
        hidden_size=2048,
        intermediate_size=5632,
        num_hidden_layers=32,
        num_attention_heads=32,
        num_key_value_heads=8,
        max_position_embeddings=2048,
    )
    with torch.device("cuda"):
        model = LlamaForCausalLM(config)
    return model.eval()


def answer(model, prompt, n):
    with torch.inference_mode():
        return model.generate(prompt, max_new_tokens=n, do_sample=True, top_k=50, pad_token_id=0)


if __name__ == "__main__":
    begin = time.time()
    model = load()
    print(f"loaded in {time.time() - begin:.1f} s")
    for request in range(5):
        prompt = torch.randint(5, 32000, (1, 64), device="cuda")
        out = answer(model, prompt, 32)
        print(request, out.shape[1], "tokens")
