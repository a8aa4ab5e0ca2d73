# limit: 3
# "A 1.1B model should fit on my card, I am not even training"
import time
from contextlib import contextmanager

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(27)


@contextmanager
def stage(name):
    start = time.time()
    print(name, "...")
    yield
    print(name, f"took {time.time() - start:.1f} s, {torch.cuda.memory_allocated() / 2**30:.2f} GiB")


class Assistant:
    def __init__(self, device="cuda"):
        config = LlamaConfig(
            hidden_size=2048, intermediate_size=5632, num_hidden_layers=22,
            num_attention_heads=32, num_key_value_heads=4, vocab_size=32000,
            max_position_embeddings=2048,
        )
        with stage("building the model"), torch.device(device):
            self.model = LlamaForCausalLM(config)
        self.model.eval()

    @torch.inference_mode()
    def reply(self, ids, tokens=20):
        return self.model.generate(ids, max_new_tokens=tokens, do_sample=False, pad_token_id=0)


assistant = Assistant()
with stage("reply"):
    prompt = torch.randint(5, 32000, (1, 16), device="cuda")
    print(assistant.reply(prompt).shape)
