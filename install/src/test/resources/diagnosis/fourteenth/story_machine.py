# limit: 0.6
"""Sample stories from a small Llama, prompt set after prompt set; the cache grows with each token."""
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(27)


def get_model():
    cfg = LlamaConfig(vocab_size=8000, hidden_size=512, intermediate_size=1408, num_hidden_layers=6,
                      num_attention_heads=8, num_key_value_heads=8, max_position_embeddings=1024,
                      bos_token_id=1, eos_token_id=2, pad_token_id=0)
    return LlamaForCausalLM(cfg).cuda().eval()


class Sampler:
    def __init__(self, model, temperature=0.9):
        self.model, self.temperature = model, temperature

    @torch.inference_mode()
    def __call__(self, prompts, n_new):
        ids = prompts
        out = self.model(input_ids=ids, use_cache=True)
        cache = out.past_key_values
        for _ in range(n_new):
            p = (out.logits[:, -1] / self.temperature).softmax(-1)
            nxt = torch.multinomial(p, 1)
            ids = torch.cat([ids, nxt], dim=1)
            out = self.model(input_ids=nxt, past_key_values=cache, use_cache=True)
            cache = out.past_key_values
        return ids


def main():
    sampler = Sampler(get_model())
    stories = []
    for k in range(5):
        t0 = time.time()
        prompts = torch.randint(3, 8000, (32, 64), device="cuda")
        ids = sampler(prompts, 160)
        stories.append(ids)
        print(f"set {k}: {tuple(ids.shape)} in {time.time() - t0:.1f}s, "
              f"allocated {torch.cuda.memory_allocated() / 2 ** 20:.0f} MiB")
    print("tokens", torch.cat(stories).numel())


if __name__ == "__main__":
    main()
