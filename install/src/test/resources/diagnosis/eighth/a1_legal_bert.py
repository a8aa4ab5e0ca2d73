# limit: 6
"""Classify long contracts with a BERT whose positions were extended to 4096."""
import torch
from transformers import BertConfig, BertForSequenceClassification

torch.manual_seed(0)
config = BertConfig(
    vocab_size=8000,
    max_position_embeddings=4096,
    num_hidden_layers=4,
    hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0,
    num_labels=5,
)
config._attn_implementation = "eager"
model = BertForSequenceClassification(config).to("cuda").eval()

correct = 0
with torch.no_grad():
    for doc_batch in range(10):
        ids = torch.randint(5, 8000, (4, 4096), device="cuda")
        gold = torch.randint(0, 5, (4,), device="cuda")
        logits = model(input_ids=ids).logits
        correct += (logits.argmax(-1) == gold).sum().item()
        print("documents", (doc_batch + 1) * 4, "correct", correct)
