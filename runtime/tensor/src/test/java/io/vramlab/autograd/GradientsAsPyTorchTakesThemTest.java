package io.vramlab.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Gradients that come another way than their functions' plain formulas say. */
class GradientsAsPyTorchTakesThemTest {

    private static final float TOLERANCE = 1e-5f;

    private static float[] values(Tensor t) {
        return t.detach().flatten().toArray(float[].class);
    }

    private static Tensor leaf(long... shape) {
        long n = 1;
        for (long s : shape) {
            n *= s;
        }
        return Tensor.arange(n).mul(.7).sin().reshape(shape).detach().requiresGrad_(true);
    }

    @Test
    void aBilinearFormHasTheGradientsOfItsSums() {
        Tensor x = leaf(5, 3);
        Tensor y = leaf(5, 4);
        Tensor w = leaf(2, 3, 4);
        Tensor form = Functional.bilinear(x, y, w);
        Tensor sums = x.view(5, 1, 3, 1).mul(w).mul(y.view(5, 1, 1, 4)).sum(2, 3);
        assertArrayEquals(values(sums), values(form), TOLERANCE);
        Tensor[] found = Autograd.grad(form.mul(form).sum(), true, x, y, w);
        Tensor[] expected = Autograd.grad(sums.mul(sums).sum(), true, x, y, w);
        for (int i = 0; i < found.length; i++) {
            assertArrayEquals(values(expected[i]), values(found[i]), TOLERANCE);
        }
        Tensor twice = Autograd.grad(found[0].mul(found[1].sum()).sum(), w)[0];
        assertArrayEquals(values(Autograd.grad(expected[0].mul(expected[1].sum()).sum(), w)[0]), values(twice), 1e-4f);
    }

    @Test
    void aSeluInPlaceHasTheGradientsOfTheOther() {
        Tensor x = leaf(9);
        Tensor[] found = Autograd.grad(Functional.selu_(x.mul(1)).pow(2).sum(), x);
        Tensor[] expected = Autograd.grad(Functional.selu(x).pow(2).sum(), true, x);
        assertArrayEquals(values(expected[0]), values(found[0]), TOLERANCE);
        Tensor[] recorded = Autograd.grad(Functional.selu_(x.mul(1)).pow(2).sum(), true, x);
        assertArrayEquals(values(expected[0]), values(recorded[0]), TOLERANCE);
        assertArrayEquals(values(Autograd.grad(expected[0].sum(), x)[0]),
                values(Autograd.grad(recorded[0].sum(), x)[0]), TOLERANCE);
    }

    @Test
    void aFactorOfZeroGetsTheProductOfTheOthers() {
        Tensor a = Tensor.of(0f, 3f, 2f).requiresGrad_(true);
        Tensor source = Tensor.of(5f, 0f, 7f).requiresGrad_(true);
        Tensor index = Tensor.of(0L, 1L, 1L);
        a.scatterReduce(0, index, source, "prod").sum().backward();
        // the products are 0 · 5, 3 · 0 · 7 and 2
        assertArrayEquals(new float[]{5, 0, 1}, values(a.grad()), TOLERANCE);
        assertArrayEquals(new float[]{0, 21, 0}, values(source.grad()), TOLERANCE);
    }
}
