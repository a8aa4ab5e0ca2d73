package io.vramlab.install;

import io.vramlab.footprint.ConvolutionAnswers;
import java.util.List;

/** Where the workspaces of convolutions come from on simulated GPUs: recordings and estimates, or cuDNN itself. */
final class CudnnAnswersCheck {

    private static final String WHAT = "workspaces";

    private CudnnAnswersCheck() {
    }

    static List<DoctorFinding> findings() {
        return List.of(ConvolutionAnswers.library().map(CudnnAnswersCheck::present).orElseGet(() -> absent()));
    }

    private static DoctorFinding present(String library) {
        return ConvolutionAnswers.isOn()
                ? DoctorFinding.found(WHAT,
                        "of convolutions on simulated GPUs: recorded; where not, asked of " + library)
                : DoctorFinding.found(WHAT, "of convolutions on simulated GPUs: recorded; where not, estimated ("
                        + library + " is here: VRAMLAB_CUDNN_ASK=on asks it)");
    }

    private static DoctorFinding absent() {
        return DoctorFinding.absent(WHAT, "of convolutions on simulated GPUs: recorded; where not, estimated",
                "cuDNN 9.8 or later answers without a GPU: pip install nvidia-cudnn-cu13, then VRAMLAB_CUDNN_ASK=on.");
    }
}
