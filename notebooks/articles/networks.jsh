/** Linear layers of these widths, a ReLU between any two: nn.Sequential(nn.Linear(…), nn.ReLU(), nn.Linear(…)). */
Sequential mlp(long... widths) {
    var layers = new ArrayList<Module>();
    for (int i = 0; i + 1 < widths.length; i++) {
        layers.add(new Linear(widths[i], widths[i + 1]));
        if (i + 2 < widths.length) {
            layers.add(new ReLU());
        }
    }
    return new Sequential(layers);
}

/** n classes from 0 to 9, made on the GPU: torch.randint(0, 10, (n,), device="cuda"). */
Tensor classes(long n) {
    return Tensor.randint(TensorOptions.on(Device.current()).dtype(DType.INT64), 0, 10, n);
}

/** The processor's memory: torch.randn(…) without a device. */
var host = TensorOptions.on(Device.cpu());
