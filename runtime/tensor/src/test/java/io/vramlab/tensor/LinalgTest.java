package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.type.TensorException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Factors multiplied give the matrix again, solutions fit, and gradients are slopes; memory is compared with a recording in conformance. */
class LinalgTest {

    private final Device before = Device.current();
    private Device device;

    @BeforeEach
    void on() {
        device = Device.simulated("256MiB");
        Device.set(device);
        Tensor.manualSeed(7);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    private static Tensor random(long... shape) {
        return Tensor.randn(shape).toDouble();
    }

    private static void near(Tensor wanted, Tensor is) {
        assertArrayEquals(wanted.contiguous().toDoubleArray(), is.contiguous().toDoubleArray(), 1e-8);
    }

    @Test
    void factorsMultipliedGiveTheMatrix() {
        for (long[] shape : new long[][]{{5, 5}, {3, 6, 4}, {2, 4, 7}}) {
            Tensor a = random(shape);
            Tensor[] qr = Linalg.qr(a);
            near(a, qr[0].matmul(qr[1]));
            Tensor[] svd = Linalg.svd(a, false);
            near(a, svd[0].mul(svd[1].unsqueeze(-2)).matmul(svd[2]));
            near(svd[1], Linalg.svdvals(a));
            Tensor[] full = Linalg.svd(a);
            near(Tensor.eye(full[0].size(-1)).toDouble().expand(full[0].shape()), full[0].mT().matmul(full[0]));
        }
        Tensor a = random(3, 6, 6);
        Tensor positive = a.matmul(a.mT()).add(Tensor.eye(6).toDouble());
        Tensor l = Linalg.cholesky(positive);
        near(positive, l.matmul(l.mT()));
        Tensor[] eigen = Linalg.eigh(positive);
        near(positive, eigen[1].mul(eigen[0].unsqueeze(-2)).matmul(eigen[1].mT()));
        near(eigen[0].log().sum(-1), Linalg.slogdet(positive)[1]);
        near(Linalg.slogdet(positive)[1].exp(), Linalg.det(positive));
    }

    @Test
    void solutionsFit() {
        Tensor a = random(3, 6, 6);
        Tensor b = random(3, 6, 2);
        near(b, a.matmul(Linalg.solve(a, b)));
        near(Tensor.eye(6).toDouble().expand(3, 6, 6), a.matmul(Linalg.inv(a)));
        Tensor upper = a.triu().add(Tensor.eye(6).toDouble().mul(4));
        near(b, upper.matmul(Linalg.solveTriangular(upper, b, true)));
        near(b.mT(), Linalg.solveTriangular(upper, b.mT(), true, false, false).matmul(upper));
    }

    @Test
    void normsAndProductsAreThoseOfSmallExamples() {
        Tensor a = Tensor.of(new float[][]{{1, -2}, {3, 4}});
        assertEquals(6, Linalg.matrixNorm(a, 1).item());
        assertEquals(7, Linalg.matrixNorm(a, Double.POSITIVE_INFINITY).item());
        assertEquals(Math.sqrt(30), Linalg.matrixNorm(a).item(), 1e-6);
        // the singular values of a have the product 10 and the squares' sum 30
        assertEquals(Math.sqrt(15 + Math.sqrt(125)), Linalg.matrixNorm(a, 2).item(), 1e-5);
        assertEquals(10, Linalg.det(a).item(), 1e-5);
        assertArrayEquals(new float[]{0, 0, 1},
                Linalg.cross(Tensor.of(1f, 0, 0), Tensor.of(0f, 1, 0)).toFloatArray());
        assertArrayEquals(new float[]{1, 3, 9}, Linalg.vander(Tensor.of(3f), 3).flatten().toFloatArray());
        assertEquals(3, Linalg.vecdot(a.select(0, 0), a.select(0, 1)).item() + 8);
        Tensor x = random(4, 5);
        near(x.matmul(x.mT()).matmul(x), Linalg.multiDot(x, x.mT(), x));
    }

    @Test
    void gradientsAreSlopes() {
        Tensor a = random(4, 4).add(Tensor.eye(4).toDouble().mul(5)).requiresGrad_(true);
        Tensor weight = random(4, 4);
        slope(a, () -> Linalg.inv(a).mul(weight).sum());
        slope(a, () -> Linalg.det(a));
        slope(a, () -> Linalg.slogdet(a)[1]);
        slope(a, () -> Linalg.solve(a, weight).square().sum());
        slope(a, () -> Linalg.solveTriangular(a, weight, true).square().sum());
        slope(a, () -> Linalg.svd(a, false)[1].mul(weight.select(0, 0)).sum());
        Tensor square = weight.add(weight.mT());
        slope(a, () -> {
            Tensor[] qr = Linalg.qr(a);
            return qr[0].mul(weight).sum().add(qr[1].mul(square).sum());
        });
        slope(a, () -> {
            Tensor[] e = Linalg.eigh(a.matmul(a.mT()));
            return e[1].mul(e[0].unsqueeze(-2).square()).matmul(e[1].mT()).mul(square).sum();
        });
        slope(a, () -> Linalg.cholesky(a.matmul(a.mT())).mul(weight).sum());
        slope(a, () -> {
            Tensor[] s = Linalg.svd(a, false);
            return s[0].mul(s[1].unsqueeze(-2).square()).matmul(s[2]).mul(weight).sum();
        });
        slope(a, () -> Linalg.cross(a.narrow(1, 0, 3), weight.narrow(1, 0, 3)).square().sum());
    }

    private interface Loss {
        Tensor get();
    }

    private static void slope(Tensor a, Loss loss) {
        a.grad(null);
        loss.get().backward();
        double[] found = a.grad().contiguous().toDoubleArray();
        double h = 1e-6;
        for (int i = 0; i < 16; i += 3) {
            double[] was = a.detach().toDoubleArray();
            was[i] += h;
            a.data().copy_(Tensor.of(TensorOptions.of(DType.FLOAT64), was, 4, 4));
            double up = loss.get().item();
            was[i] -= 2 * h;
            a.data().copy_(Tensor.of(TensorOptions.of(DType.FLOAT64), was, 4, 4));
            double down = loss.get().item();
            was[i] += h;
            a.data().copy_(Tensor.of(TensorOptions.of(DType.FLOAT64), was, 4, 4));
            double wanted = (up - down) / (2 * h);
            assertEquals(wanted, found[i], 1e-4 * (1 + Math.abs(wanted)), "element " + i);
        }
    }

    @Test
    void whatCannotBeFactoredIsRefused() {
        Tensor singular = Tensor.zeros(2, 2);
        assertTrue(assertThrows(TensorException.class, () -> Linalg.inv(singular)).getMessage().contains("singular"));
        assertTrue(assertThrows(TensorException.class, () -> Linalg.cholesky(singular)).getMessage()
                .contains("minor of order 1"));
        assertTrue(assertThrows(TensorException.class, () -> Linalg.det(Tensor.ones(2, 3))).getMessage()
                .contains("square matrices"));
        assertTrue(assertThrows(TensorException.class, () -> Linalg.inv(Tensor.ones(2, 2).half())).getMessage()
                .contains("Low precision dtypes not supported"));
    }
}
