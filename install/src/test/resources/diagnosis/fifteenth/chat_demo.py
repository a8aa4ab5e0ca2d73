# limit: 2.0
# Local chat demo with a 1.1 B Llama-shaped model (random weights here, the real ones are on the server).
import torch
from transformers import LlamaConfig, LlamaForCausalLM


def config():
    return LlamaConfig(
        vocab_size=32_000, hidden_size=2048, intermediate_size=5632,
        num_hidden_layers=22, num_attention_heads=32, num_key_value_heads=4,
        max_position_embeddings=2048)


def load(device="cuda"):
    torch.manual_seed(0)
    with torch.device(device):
        model = LlamaForCausalLM(config())
    return model.eval()


class Chat:
    def __init__(self, model):
        self.model = model
        self.turns = []

    @torch.inference_mode()
    def reply(self, prompt_ids, n=20):
        ids = torch.tensor([prompt_ids], device=self.model.device)
        for _ in range(n):
            logits = self.model(input_ids=ids[:, -512:]).logits[:, -1]
            ids = torch.cat([ids, logits.argmax(-1, keepdim=True)], 1)
        self.turns.append(ids[0].tolist())
        return self.turns[-1]


def main():
    try:
        model = load()
    except torch.cuda.OutOfMemoryError as e:
        print("could not load the model:", str(e)[:160])
        raise SystemExit(1)
    chat = Chat(model)
    print(chat.reply([1, 15043, 3186])[:10])


if __name__ == "__main__":
    main()
