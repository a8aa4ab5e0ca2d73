# limit: 1.0
"""Long-running chat session against a small llama: every turn is appended to the context."""
import logging
import torch
from transformers import LlamaConfig, LlamaForCausalLM, DynamicCache

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("chat")


class Session:
    def __init__(self, model, vocab):
        self.model = model
        self.vocab = vocab
        self.cache = DynamicCache()
        self.turns = 0

    @torch.inference_mode()
    def say(self, ids):
        out = self.model(input_ids=ids, past_key_values=self.cache, use_cache=True, logits_to_keep=1)
        self.turns += 1
        return out.logits[:, -1].argmax(-1)

    def length(self):
        return self.cache.get_seq_length()


def build():
    cfg = LlamaConfig(vocab_size=16000, hidden_size=512, intermediate_size=1376, num_hidden_layers=10,
                      num_attention_heads=8, num_key_value_heads=8, max_position_embeddings=131072)
    return LlamaForCausalLM(cfg).to("cuda").eval(), cfg


def main():
    torch.manual_seed(11)
    model, cfg = build()
    session = Session(model, cfg.vocab_size)
    for turn in range(60):
        user = torch.randint(0, cfg.vocab_size, (1, 896), device="cuda")
        nxt = session.say(user)
        if turn % 5 == 0:
            log.info("turn %d: context %d tokens, next %d, %.0f MiB", turn, session.length(), nxt.item(),
                     torch.cuda.memory_allocated() / 2**20)


if __name__ == "__main__":
    main()
