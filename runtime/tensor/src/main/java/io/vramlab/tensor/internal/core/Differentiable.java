package io.vramlab.tensor.internal.core;

import java.util.Set;

/**
 * Nodes whose formulas are made of operations of the graph: what they compute with {@code createGraph} has gradients itself, with
 * the temporaries of PyTorch's formulas. SecondGradientTest differentiates each of them twice; a node that is not named here
 * refuses, so that no gradient loses its graph unnoticed. In-place forms have the names of the others and their formulas too.
 */
final class Differentiable {

    static final Set<String> NAMES = Set.of("AbsBackward0", "AcosBackward0", "AcoshBackward0", "AddBackward0",
            "AddcdivBackward0", "AddcmulBackward0", "AddmmBackward0", "AddmvBackward0", "AddrBackward0",
            "AmaxBackward0", "AminBackward0", "AsinBackward0", "AsinhBackward0", "Atan2Backward0", "AtanBackward0",
            "AtanhBackward0", "AvgPool2DBackward0", "BaddbmmBackward0", "BinaryCrossEntropyWithLogitsBackward0",
            "BmmBackward0", "CatBackward0", "CeilBackward0", "ClampBackward1", "CloneBackward0",
            "ConstantPadNdBackward0", "ConvolutionBackward0", "ConvolutionBackwardBackward0", "CopyBackwards",
            "CosBackward0", "CoshBackward0", "CumsumBackward0", "DiagonalBackward0", "DiagonalBackwardBackward0",
            "DivBackward0",
            "DotBackward0", "EluBackward0", "EluBackwardBackward0", "EmbeddingBackward0", "ErfBackward0",
            "ErfcBackward0", "Exp2Backward0", "ExpBackward0", "ExpandBackward0", "Expm1Backward0", "FlipBackward0",
            "FloorBackward0",
            "FracBackward0", "GatherBackward0", "GeluBackward0", "GeluBackwardBackward0", "HardshrinkBackward0",
            "HardshrinkBackwardBackward0", "HardtanhBackward0", "HardtanhBackwardBackward0", "IndexAddBackward0",
            "IndexBackward0",
            "IndexSelectBackward0", "LeakyReluBackward0", "LeakyReluBackwardBackward0", "LerpBackward0",
            "LerpBackward1", "LinalgVectorNormBackward0", "Log10Backward0", "Log1PBackward0", "Log2Backward0",
            "LogBackward0", "LogSigmoidBackward0", "LogSigmoidBackwardBackward0", "LogSoftmaxBackward0",
            "LogSoftmaxBackwardDataBackward0", "LogsumexpBackward0", "MaskedFillBackward0", "MaxBackward0",
            "MaxBackward1",
            "MaxPool2DWithIndicesBackward0", "MaximumBackward0", "MeanBackward0", "MeanBackward1", "MinBackward0",
            "MinBackward1", "MinimumBackward0", "MmBackward0", "MseLossBackward0", "MseLossBackwardBackward0",
            "MulBackward0", "MvBackward0", "NativeBatchNormBackward0", "NativeDropoutBackward0",
            "NativeDropoutBackwardBackward0", "NativeLayerNormBackward0", "NegBackward0", "NllLoss2DBackward0",
            "NllLoss2DBackwardBackward0", "NllLossBackward0", "NllLossBackwardBackward0", "PermuteBackward0",
            "PowBackward0", "PowBackward1", "ReciprocalBackward0", "ReflectionPad1DBackward0",
            "ReflectionPad2DBackward0", "ReflectionPad3DBackward0", "ReluBackward0", "RepeatBackward0",
            "ReplicationPad1DBackward0", "ReplicationPad2DBackward0", "ReplicationPad3DBackward0", "RollBackward0",
            "RoundBackward0",
            "RsqrtBackward0", "RsubBackward1", "ScatterAddBackward0", "SelectBackward0", "SelectBackwardBackward0",
            "SigmoidBackward0",
            "SigmoidBackwardBackward0", "SignBackward0", "SiluBackward0", "SinBackward0", "SinhBackward0",
            "SliceBackward0", "SliceBackwardBackward0", "SmoothL1LossBackward0", "SmoothL1LossBackwardBackward0",
            "SoftmaxBackward0", "SoftmaxBackwardDataBackward0", "SoftplusBackward0", "SoftplusBackwardBackward0",
            "SoftshrinkBackward0", "SplitBackward0", "SplitWithSizesBackward0", "SqrtBackward0", "SqueezeBackward0",
            "SqueezeBackward1", "StackBackward0", "StdBackward0", "SubBackward0", "SumBackward0", "SumBackward1",
            "TBackward0", "TanBackward0", "TanhBackward0", "TanhBackwardBackward0", "ThresholdBackward0",
            "ThresholdBackwardBackward0", "ToCopyBackward0", "TopkBackward0", "TransposeBackward0", "TrilBackward0",
            "TriuBackward0", "TruncBackward0", "UnbindBackward0", "UnsafeViewBackward0", "UnsqueezeBackward0",
            "VarBackward0", "ViewBackward0", "WhereBackward0");

    private Differentiable() {
    }
}
