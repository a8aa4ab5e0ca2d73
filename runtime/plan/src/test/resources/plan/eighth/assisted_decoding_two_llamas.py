import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
common = dict(vocab_size=16000, max_position_embeddings=1024, pad_token_id=0, bos_token_id=1, eos_token_id=2)
large = LlamaForCausalLM(LlamaConfig(hidden_size=768, intermediate_size=2048, num_hidden_layers=8, num_attention_heads=12, num_key_value_heads=4, **common)).to("cuda", torch.bfloat16).eval()
small = LlamaForCausalLM(LlamaConfig(hidden_size=256, intermediate_size=704, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, **common)).to("cuda", torch.bfloat16).eval()


@torch.inference_mode()
def draft_and_verify(ids, rounds=6, ahead=4):
    for _ in range(rounds):
        guess = ids
        for _ in range(ahead):
            guess = torch.cat([guess, small(guess, use_cache=False).logits[:, -1:].argmax(-1)], 1)
        target = large(guess, use_cache=False).logits[:, ids.shape[1] - 1:].softmax(-1, dtype=torch.float32)
        accepted = target.gather(2, guess[:, ids.shape[1]:, None]).squeeze(-1) > 0
        token = torch.multinomial(target[:, -1], 1)
        ids = torch.cat([guess, token], 1)
        accepted.float().mean()
    return ids


for _ in range(2):
    draft_and_verify(torch.randint(3, 16000, (4, 256), device="cuda"))
