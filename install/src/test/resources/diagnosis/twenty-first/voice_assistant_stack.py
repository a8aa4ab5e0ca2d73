# limit: 0.8
"""A voice assistant on a small card: recogniser, language model and a text encoder for retrieval, all resident."""
import torch
from transformers import BertConfig, BertModel, GPT2Config, GPT2LMHeadModel, WhisperConfig
from transformers.models.whisper.modeling_whisper import WhisperEncoder


class Assistant:
    def __init__(self, device):
        self.device = device
        self.parts = {}

    def add(self, name, model):
        self.parts[name] = model.half().to(self.device).eval()
        n = sum(p.numel() for p in model.parameters()) / 1e6
        print(f"{name:10s} {n:6.1f}M parameters, {torch.cuda.memory_allocated() >> 20} MiB in use", flush=True)
        return self

    def hear(self, mel):
        return self.parts["hearing"](mel.half().to(self.device)).last_hidden_state

    def recall(self, ids):
        return self.parts["memory"](input_ids=ids).last_hidden_state[:, 0]

    def answer(self, ids, n=24):
        for _ in range(n):
            logits = self.parts["speaking"](input_ids=ids, use_cache=False).logits
            ids = torch.cat([ids, logits[:, -1:].argmax(-1)], 1)
        return ids


def configs():
    yield "hearing", WhisperEncoder(WhisperConfig(d_model=768, encoder_layers=12, encoder_attention_heads=12,
                                                  encoder_ffn_dim=3072))
    yield "memory", BertModel(BertConfig(vocab_size=30522), add_pooling_layer=False)
    yield "speaking", GPT2LMHeadModel(GPT2Config(n_embd=1024, n_layer=16, n_head=16))


@torch.inference_mode()
def main():
    torch.manual_seed(100)
    assistant = Assistant("cuda")
    for name, model in configs():
        assistant.add(name, model)
    for turn in range(5):
        heard = assistant.hear(torch.randn(1, 80, 3000))
        ids = torch.randint(0, 30000, (1, 64 + 16 * turn), device="cuda")
        key = assistant.recall(ids)
        text = assistant.answer(ids)
        print(turn, tuple(heard.shape), tuple(key.shape), text.shape[1], torch.cuda.max_memory_allocated() >> 20)


if __name__ == "__main__":
    main()
