"""Neural style transfer (Gatys et al.): optimise the pixels with L-BFGS through a VGG19 feature extractor."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torchvision.models import vgg19

device = torch.device("cuda")
torch.set_default_device(device)
torch.manual_seed(0)

imsize = 512
num_steps = 20
style_weight = 1e6
content_weight = 1
content_layers_default = ["conv_4"]
style_layers_default = ["conv_1", "conv_2", "conv_3", "conv_4", "conv_5"]


def fake_picture(freq):
    t = torch.linspace(0, 1, imsize)
    yy, xx = torch.meshgrid(t, t, indexing="ij")
    rgb = [0.5 + 0.5 * torch.sin(freq * (xx * (c + 1) + yy * (3 - c))) for c in range(3)]
    return torch.stack(rgb).unsqueeze(0) * 0.9 + 0.1 * torch.rand(1, 3, imsize, imsize)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()

    def forward(self, input):
        self.loss = F.mse_loss(input, self.target)
        return input


def gram_matrix(input):
    a, b, c, d = input.size()
    features = input.view(a * b, c * d)
    return torch.mm(features, features.t()).div(a * b * c * d)


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super().__init__()
        self.target = gram_matrix(target_feature).detach()

    def forward(self, input):
        self.loss = F.mse_loss(gram_matrix(input), self.target)
        return input


class Normalization(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean = torch.tensor(mean).view(-1, 1, 1)
        self.std = torch.tensor(std).view(-1, 1, 1)

    def forward(self, img):
        return (img - self.mean) / self.std


def get_style_model_and_losses(cnn, style_img, content_img):
    model = nn.Sequential(Normalization([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]))
    content_losses, style_losses = [], []
    i = 0
    for layer in cnn.children():
        if isinstance(layer, nn.Conv2d):
            i += 1
            name = f"conv_{i}"
        elif isinstance(layer, nn.ReLU):
            name = f"relu_{i}"
            layer = nn.ReLU(inplace=False)
        else:
            name = f"pool_{i}"
        model.add_module(name, layer)
        if name in content_layers_default:
            content_losses.append(ContentLoss(model(content_img)))
            model.add_module(f"content_loss_{i}", content_losses[-1])
        if name in style_layers_default:
            style_losses.append(StyleLoss(model(style_img)))
            model.add_module(f"style_loss_{i}", style_losses[-1])
    last = max(j for j, m in enumerate(model) if isinstance(m, (ContentLoss, StyleLoss)))
    return model[: last + 1], style_losses, content_losses


def run_style_transfer(cnn, content_img, style_img, input_img):
    model, style_losses, content_losses = get_style_model_and_losses(cnn, style_img, content_img)
    input_img.requires_grad_(True)
    model.eval()
    model.requires_grad_(False)
    optimizer = optim.LBFGS([input_img])
    run = [0]
    while run[0] < num_steps:
        def closure():
            with torch.no_grad():
                input_img.clamp_(0, 1)
            optimizer.zero_grad()
            model(input_img)
            style_score = sum(sl.loss for sl in style_losses) * style_weight
            content_score = sum(cl.loss for cl in content_losses) * content_weight
            loss = style_score + content_score
            loss.backward()
            run[0] += 1
            if run[0] % 10 == 0:
                print(f"run {run[0]}: style {style_score.item():.4f} content {content_score.item():.4f}")
            return loss

        optimizer.step(closure)
    with torch.no_grad():
        input_img.clamp_(0, 1)
    return input_img


if __name__ == "__main__":
    cnn = copy.deepcopy(vgg19(weights=None).features).eval()
    content, style = fake_picture(12.0), fake_picture(40.0)
    output = run_style_transfer(cnn, content, style, content.clone())
    print("output", tuple(output.shape), f"mean {output.mean().item():.3f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
