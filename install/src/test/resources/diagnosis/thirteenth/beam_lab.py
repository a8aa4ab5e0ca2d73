# limit: 2.0
import torch
from transformers import LlamaConfig, LlamaForCausalLM, DynamicCache


class Beam:
    def __init__(self, model, width):
        self.model, self.width = model, width
        self.cache = None
        self.scores = None

    @torch.inference_mode()
    def start(self, ids):
        cache = DynamicCache()
        rows = ids.expand(self.width, -1)
        for part in rows.split(64, dim=1):
            out = self.model(input_ids=part, past_key_values=cache, use_cache=True, logits_to_keep=1)
        self.scores = torch.zeros(self.width, device="cuda")
        # per layer (key, value)
        self.cache = [(layer.keys, layer.values) for layer in cache.layers]
        return out.logits[:, -1]

    @torch.inference_mode()
    def advance(self, logits):
        lp = logits.log_softmax(-1) + self.scores[:, None]
        best, flat = lp.flatten().topk(self.width)
        parent, token = flat // lp.shape[1], flat % lp.shape[1]
        self.scores = best
        self.reorder(parent)
        return token

    def reorder(self, parent):
        self.cache = [(k.index_select(0, parent), v.index_select(0, parent)) for k, v in self.cache]

    def size(self):
        return sum(k.nbytes + v.nbytes for k, v in self.cache)


def main():
    torch.manual_seed(17)
    cfg = LlamaConfig(vocab_size=8000, hidden_size=512, intermediate_size=1024, num_hidden_layers=8,
                      num_attention_heads=8, num_key_value_heads=8, max_position_embeddings=4096)
    model = LlamaForCausalLM(cfg).to("cuda").eval()
    for width, length in ((4, 512), (8, 768), (16, 1024), (32, 1152)):
        beam = Beam(model, width)
        ids = torch.randint(0, 8000, (1, length), device="cuda")
        logits = beam.start(ids)
        print(f"width {width} prompt {length}: cache {beam.size() / 2**20:.0f} MiB")
        token = beam.advance(logits)
        print("  first tokens", token[:4].tolist())
        del beam


if __name__ == "__main__":
    main()
