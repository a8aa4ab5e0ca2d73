import torch, torchvision
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)


class Detr(nn.Module):
    def __init__(self, d=192, queries=40, classes=21):
        super().__init__()
        r = torchvision.models.resnet18(weights=None)
        self.body = nn.Sequential(*list(r.children())[:-2])
        self.proj, self.query, self.row, self.col = nn.Conv2d(512, d, 1), nn.Parameter(torch.rand(queries, d)), nn.Parameter(torch.rand(50, d // 2)), nn.Parameter(torch.rand(50, d // 2))
        self.t = nn.Transformer(d, 6, 2, 2, 768, 0.1)
        self.cls, self.box = nn.Linear(d, classes + 1), nn.Linear(d, 4)

    def forward(self, x):
        h = self.proj(self.body(x))
        n, d, a, b = h.shape
        pos = torch.cat([self.col[:b].unsqueeze(0).repeat(a, 1, 1), self.row[:a].unsqueeze(1).repeat(1, b, 1)], -1).flatten(0, 1).unsqueeze(1)
        h = self.t(pos + 0.1 * h.flatten(2).permute(2, 0, 1), self.query.unsqueeze(1).repeat(1, n, 1)).transpose(0, 1)
        return self.cls(h), self.box(h).sigmoid()


model = Detr().cuda()
opt = torch.optim.AdamW([{"params": model.body.parameters(), "lr": 1e-5}, {"params": [p for n, p in model.named_parameters() if not n.startswith("body")]}], lr=1e-4)
for step in range(3):
    x = torch.randn(6, 3, 256, 320, device="cuda")
    logits, boxes = model(x)
    target = torch.full(logits.shape[:2], 21, device="cuda")
    target[:, :7] = torch.randint(0, 21, (6, 7), device="cuda")
    goal = torch.rand(6, 7, 4, device="cuda")
    weight = torch.ones(22, device="cuda")
    weight[-1] = 0.1
    loss = F.cross_entropy(logits.transpose(1, 2), target, weight) + 5 * F.l1_loss(boxes[:, :7], goal)
    iou = torchvision.ops.generalized_box_iou(torchvision.ops.box_convert(boxes[:, :7].flatten(0, 1), "cxcywh", "xyxy"), torchvision.ops.box_convert(goal.flatten(0, 1), "cxcywh", "xyxy"))
    loss = loss + 2 * (1 - iou.diag()).mean()
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    opt.step()
