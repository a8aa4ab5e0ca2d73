package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Targets that a loader leaves on the host; skipped where no PyTorch is at hand. */
class RecordedTargetsTest extends RecordedScripts {

    /** CTC brings 30 targets of the host to the device as int64, 240 bytes, and those that are there as int32 become int64 there, 320 bytes (aten/src/ATen/native/LossCTC.cpp). */
    @Test
    @Tag("landing")
    void ctcBringsTargetsOfTheHostAlong() throws Exception {
        record("""
                import torch
                import torch.nn.functional as F
                lengths, most = torch.tensor([10, 5, 8, 7]), torch.full((4,), 50)
                for targets in torch.randint(1, 20, (30,)), torch.randint(1, 20, (4, 10), dtype=torch.int32, device="cuda"):
                    scores = torch.randn(50, 4, 20, device="cuda", requires_grad=True).log_softmax(2)
                    F.ctc_loss(scores, targets, most, lengths).backward()
                """)
                .ok();
        String trace = trace();
        assertTrue(trace.contains(",240]],\"\"]") && trace.contains(",320]],\"\"]"), trace);
    }
}
