# limit: 2
import torch
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(vocab_size=8000, hidden_size=1024, intermediate_size=2816, num_hidden_layers=8, num_attention_heads=16,
                     num_key_value_heads=4, max_position_embeddings=1024, bos_token_id=1, eos_token_id=2, pad_token_id=0)
with torch.device("cuda"):
    model = LlamaForCausalLM(config).to(torch.bfloat16)
model.eval()


class Chat:
    def __init__(self, model, window=256):
        self.model, self.window = model, window
        self.tokens = torch.ones(1, 1, dtype=torch.long, device="cuda")

    @torch.inference_mode()
    def say(self, words):
        said = torch.randint(5, 8000, (1, words), device="cuda")
        self.tokens = torch.cat([self.tokens, said], dim=1)[:, -self.window :]
        mask = torch.ones_like(self.tokens)
        out = self.model.generate(self.tokens, attention_mask=mask, max_new_tokens=24, do_sample=False)
        reply = out[:, self.tokens.shape[1] :]
        self.tokens = out[:, -self.window :].clone()
        return reply


chat = Chat(model)
for turn in range(6):
    reply = chat.say(20)
    print(turn, reply.shape[1], "tokens; window", chat.tokens.shape[1])
