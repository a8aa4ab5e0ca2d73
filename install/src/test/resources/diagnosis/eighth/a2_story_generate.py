# limit: 6
# "Memory climbs with every generated token. Is generate() leaking?"
import torch
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.generation import LogitsProcessor, LogitsProcessorList

torch.manual_seed(34)


class MemoryWatch(LogitsProcessor):
    """Only looks, changes nothing."""

    def __init__(self, every=32):
        self.every = every
        self.readings = []

    def __call__(self, input_ids, scores):
        if input_ids.shape[1] % self.every == 0:
            self.readings.append((input_ids.shape[1], torch.cuda.memory_allocated() / 2**20))
        return scores


class Writer:
    def __init__(self):
        config = GPT2Config(bos_token_id=0, eos_token_id=None, pad_token_id=0)
        with torch.device("cuda"):
            self.model = GPT2LMHeadModel(config).eval()

    @torch.inference_mode()
    def write(self, prompts, tokens):
        watch = MemoryWatch()
        out = self.model.generate(
            prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=tokens, do_sample=True, top_k=50,
            logits_processor=LogitsProcessorList([watch]),
        )
        return out.cpu(), watch.readings


writer = Writer()
stories = []
for chapter in range(3):
    prompts = torch.randint(1, 50000, (16, 64), device="cuda")
    story, readings = writer.write(prompts, 128)
    stories.append(story)
    print("chapter", chapter, [f"{n} tokens: {m:.0f} MiB" for n, m in readings])
print(torch.cat(stories).shape)
