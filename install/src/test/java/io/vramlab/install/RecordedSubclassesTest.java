package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tensors of classes of their own, as torchvision's transforms take them; skipped where no PyTorch with torchvision is at hand. */
class RecordedSubclassesTest extends RecordedScripts {

    /** A transform is chosen by a tensor's class; of the picture and of its mask it makes the same part, the mask's type stays. */
    @Test
    @Tag("landing")
    void picturesMasksAndBoxesKeepTheirKinds() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        from torchvision import tv_tensors
                        from torchvision.transforms import v2
                        kinds = {tv_tensors.Image: torch.float32, "others": None}
                        transform = v2.Compose([v2.RandomResizedCrop((32, 32)), v2.RandomHorizontalFlip(1.0), v2.ToDtype(kinds, scale=True), v2.Normalize([0.5] * 3, [0.2] * 3)])
                        for device in ("cpu", "cuda"):
                            picture = tv_tensors.Image(torch.randint(0, 256, (3, 40, 50), dtype=torch.uint8, device=device))
                            mask = tv_tensors.Mask(torch.randint(0, 21, (40, 50), dtype=torch.uint8, device=device))
                            boxes = tv_tensors.BoundingBoxes([[1, 2, 10, 12]], format="XYXY", canvas_size=(40, 50), device=device)
                            picture, mask, boxes = transform(picture, mask, boxes)
                            print(isinstance(picture, tv_tensors.Image), picture.dtype, tuple(mask.shape), mask.dtype, boxes.canvas_size, picture.device.type)
                            print(isinstance(picture * 2, tv_tensors.Image), tuple(torch.stack([picture, picture]).shape))
                        print(torch.cuda.max_memory_allocated(device=0) > 0, torch.cuda.get_device_name(device=0) != "")
                        """)
                .ok();
        String of = "True torch.float32 (32, 32) torch.uint8 (32, 32) ";
        assertEquals(List.of(of + "cpu", "False (2, 3, 32, 32)", of + "cuda", "False (2, 3, 32, 32)", "True True"),
                ran.out().lines().toList());
    }
}
