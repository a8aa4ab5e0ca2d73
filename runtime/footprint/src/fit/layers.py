"""Lists convolutions of torchvision's and timm's models and of small networks, as asked.py reads them: usage: layers.py COUNT > FILE

Each line is a product (0 output, 1 gradient of the input, 2 of the weight), whether channels lie side by side, dtype, batch, channels, outputs, groups, input, kernel,
stride, padding and dilation. Models run on PyTorch's meta device, at a size and batch drawn for each; COUNT lines are drawn from all. Needs torch, torchvision and timm."""
import random, sys, warnings
import timm, torch, torchvision

warnings.filterwarnings('ignore')
TORCHVISION = '''resnet18 resnet34 resnet50 resnet101 resnext50_32x4d wide_resnet50_2 densenet121 densenet161 efficientnet_b0 efficientnet_b2 efficientnet_b4 efficientnet_v2_s
mobilenet_v2 mobilenet_v3_small mobilenet_v3_large mnasnet1_0 regnet_y_400mf regnet_y_3_2gf regnet_x_800mf shufflenet_v2_x1_0 squeezenet1_1 vgg11 vgg16_bn alexnet googlenet
inception_v3 convnext_tiny convnext_small maxvit_t vit_b_16 swin_t'''.split()
TIMM = '''resnet26d resnet50d resnetv2_50 seresnet50 ecaresnet50d convnextv2_atto convnextv2_nano coatnet_nano_rw_224 mobilevit_xs mobilevit_s ghostnet_100 hrnet_w18_small regnetx_008
regnety_008 nfnet_l0 cspdarknet53 dla34 efficientformer_l1 mobilenetv4_conv_small repvgg_a0 tf_efficientnetv2_b0 res2net50_26w_4s vovnet39a xception41 poolformer_s12 levit_128'''.split()
SEGMENTATION = 'fcn_resnet50 deeplabv3_resnet50 deeplabv3_mobilenet_v3_large lraspp_mobilenet_v3_large'.split()
SIZES, BATCHES = (128, 160, 192, 224, 224, 224, 256, 288), (1, 2, 4, 8, 8, 12, 16, 16, 20, 24, 32, 32, 48, 64, 64, 128)
KINDS = [('float32', 0)] * 3 + [('bfloat16', 0)] * 3 + [('float16', 0)] * 2 + [('bfloat16', 1), ('float16', 1), ('float32', 1)]


class UNet(torch.nn.Module):
    """Blocks of two convolutions, down and up again."""

    def __init__(self, width, depth, inputs):
        super().__init__()
        conv = lambda i, o, k=3, **kw: torch.nn.Conv2d(i, o, k, padding=k // 2, **kw)
        widths = [width << min(d, 3) for d in range(depth)]
        self.first = conv(inputs, width)
        self.down = torch.nn.ModuleList(torch.nn.Sequential(conv(a, b), conv(b, b), conv(b, b, stride=2)) for a, b in zip(widths, widths[1:]))
        self.mid = torch.nn.Sequential(conv(widths[-1], 3 * widths[-1], 1), conv(3 * widths[-1], widths[-1], 1))
        self.up = torch.nn.ModuleList(torch.nn.Sequential(torch.nn.Upsample(scale_factor=2), conv(b, a), conv(a, a), conv(a, a, 1)) for a, b in list(zip(widths, widths[1:]))[::-1])
        self.last = conv(width, inputs)

    def forward(self, x):
        x = self.first(x)
        for block in self.down: x = block(x)
        x = self.mid(x)
        for block in self.up: x = block(x)
        return self.last(x)


def discriminator(width, depth):
    sizes = [3] + [width << d for d in range(depth)]
    return torch.nn.Sequential(*(torch.nn.Conv2d(a, b, 4, 2, 1) for a, b in zip(sizes, sizes[1:])))


def generator(width, depth):
    sizes = [width << d for d in range(depth)][::-1] + [3]
    return torch.nn.Sequential(*(torch.nn.ConvTranspose2d(a, b, 4, 2, 1) for a, b in zip(sizes, sizes[1:])))


def layers(model, shape):
    """Of a model, each layer as it is met: channels, outputs, groups, input, kernel, stride, padding, dilation."""
    found = set()

    def hook(module, given, out):
        x, y = (out, given[0]) if isinstance(module, torch.nn.modules.conv._ConvTransposeNd) else (given[0], out)
        each = lambda v: ','.join(map(str, v))
        padding = module.padding if not isinstance(module.padding, str) else [(k - 1) * d // 2 for k, d in zip(module.kernel_size, module.dilation)]
        found.add(f'{x.shape[1]} {y.shape[1]} {module.groups} {each(x.shape[2:])} {each(module.kernel_size)} {each(module.stride)} {each(padding)} {each(module.dilation)}')

    for m in model.modules():
        if isinstance(m, torch.nn.modules.conv._ConvNd): m.register_forward_hook(hook)
    with torch.no_grad(): model(torch.empty(shape, device='meta'))
    return found


def main(count):
    random.seed(11)
    makers = [(lambda n=n: torchvision.models.get_model(n, weights=None), (3,)) for n in TORCHVISION] + [(lambda n=n: timm.create_model(n), (3,)) for n in TIMM] \
        + [(lambda n=n: torchvision.models.get_model(n, weights=None, weights_backbone=None), (3,)) for n in SEGMENTATION] \
        + [(lambda w=w, d=d: UNet(w, d, 3), (3,)) for w in (32, 48, 64, 96, 128) for d in (2, 3, 4)] + [(lambda w=w: discriminator(w, 4), (3,)) for w in (32, 64, 128)] \
        + [(lambda w=w: generator(w, 3), (w * 4,)) for w in (32, 64, 128)]
    lines = set()
    for make, (channels,) in makers:
        try:
            with torch.device('meta'): model = make().eval()
        except Exception as e:
            print(make, e, file=sys.stderr); continue
        for size in dict.fromkeys([224] + random.sample(SIZES, 2)) if channels == 3 else (4, 8):
            try: met = layers(model, (2, channels, size, size))
            except Exception: continue                                 # a size that the model does not take
            for layer in met:
                for batch in random.sample(BATCHES, 6):
                    dtype, last = random.choice(KINDS)
                    lines |= {f'{product} {last} {dtype} {batch} {layer}' for product in range(3)}
    lines = sorted(lines)
    random.shuffle(lines)
    print('\n'.join(lines[:count]))


if __name__ == '__main__': main(int(sys.argv[1]))
