# limit: 2
import torch
import torchvision

model = torchvision.models.swin_t(weights=None)
model.head = torch.nn.Identity()
model = model.cuda().eval()

maps = []


def keep_map(module, inputs, output):
    maps.append(output)


model.features[1].register_forward_hook(keep_map)


def image_batches(count, size=32):
    for _ in range(count):
        yield torch.rand(size, 3, 224, 224)


vectors = []
with torch.inference_mode():
    for i, images in enumerate(image_batches(200)):
        v = model(images.cuda(non_blocking=True))
        vectors.append(v.cpu())
        if i % 10 == 0:
            print(f"{(i + 1) * 32} images, gpu {torch.cuda.memory_allocated() / 2**20:.0f} MiB")

features = torch.cat(vectors)
texture = torch.stack([m.mean() for m in maps])
print(features.shape, texture.shape)
