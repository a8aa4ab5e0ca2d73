# limit: 3
import torch
import torchmetrics
from transformers import BertConfig, BertForSequenceClassification

dev = torch.device("cuda")
VOCAB, STARS = 12000, 5


def reviews(batches, seed, size=32, length=128):
    g = torch.Generator().manual_seed(seed)
    for _ in range(batches):
        ids = torch.randint(1, VOCAB, (size, length), generator=g)
        yield ids, ids[:, 0] % STARS


def build():
    config = BertConfig(
        vocab_size=VOCAB, hidden_size=384, num_hidden_layers=6, num_attention_heads=6,
        intermediate_size=1536, num_labels=STARS)
    return BertForSequenceClassification(config).to(dev)


def train_epoch(model, opt, accuracy, mean_loss):
    model.train()
    for ids, stars in reviews(40, seed=1):
        ids, stars = ids.to(dev), stars.to(dev)
        out = model(input_ids=ids, labels=stars)
        opt.zero_grad()
        out.loss.backward()
        opt.step()
        accuracy.update(out.logits.argmax(-1), stars)
        mean_loss.update(out.loss.detach())


@torch.no_grad()
def evaluate(model, accuracy):
    model.eval()
    for ids, stars in reviews(20, seed=2):
        logits = model(input_ids=ids.to(dev)).logits
        accuracy.update(logits.argmax(-1), stars.to(dev))


model = build()
opt = torch.optim.AdamW(model.parameters(), lr=5e-5)
accuracy = torchmetrics.classification.MulticlassAccuracy(num_classes=STARS, average="micro").to(dev)
mean_loss = torchmetrics.MeanMetric().to(dev)
for epoch in range(3):
    train_epoch(model, opt, accuracy, mean_loss)
    train_acc, train_loss = accuracy.compute().item(), mean_loss.compute().item()
    accuracy.reset()
    mean_loss.reset()
    evaluate(model, accuracy)
    print(epoch, "loss", train_loss, "train", train_acc, "test", accuracy.compute().item())
    accuracy.reset()
