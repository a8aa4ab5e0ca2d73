package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vramlab.device.Device;
import io.vramlab.tensor.type.TensorException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What elimination, least squares and pseudoinverses give fits, and gradients are slopes; memory is compared with a recording in conformance. */
class LinalgSolversTest {

    private static final double STEP = 1e-6;

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

    /** The gradient of the sum of squares of what a function gives, in some places. */
    private static void gradientIsTheSlope(Tensor a, UnaryOperator<Tensor> function) {
        Tensor leaf = a.clone().requiresGrad_(true);
        function.apply(leaf).pow(2).sum().backward();
        double[] gradient = leaf.grad().contiguous().toDoubleArray();
        for (int at = 0; at < gradient.length; at += 5) {
            Tensor more = a.clone();
            more.view(-1).set(a.contiguous().view(-1).get(at) + STEP, at);
            Tensor less = a.clone();
            less.view(-1).set(a.contiguous().view(-1).get(at) - STEP, at);
            double slope = (function.apply(more).pow(2).sum().item() - function.apply(less).pow(2).sum().item())
                    / (2 * STEP);
            assertEquals(slope, gradient[at], 1e-4 * Math.max(1, Math.abs(slope)), "place " + at);
        }
    }

    @Test
    void trianglesMultipliedGiveTheMatrix() {
        for (long[] shape : new long[][]{{5, 5}, {3, 6, 4}, {2, 4, 7}}) {
            Tensor a = random(shape);
            Tensor[] plu = Linalg.lu(a);
            near(a, plu[0].matmul(plu[1]).matmul(plu[2]));
            near(plu[1], plu[1].tril());
            near(plu[2], plu[2].triu());
        }
    }

    @Test
    void packedFactorsSolve() {
        Tensor a = random(3, 5, 5);
        Tensor b = random(3, 5, 2);
        Tensor[] lu = Linalg.luFactor(a);
        near(b, a.matmul(Linalg.luSolve(lu[0], lu[1], b)));
        near(b, a.mT().matmul(Linalg.luSolve(lu[0], lu[1], b, true)));
        assertEquals(0, Linalg.luFactorEx(a)[2].sum().item());
    }

    @Test
    void aPivotOfZeroIsNamed() {
        assertThrows(TensorException.class, () -> Linalg.luFactor(Tensor.zeros(3, 3)));
        assertEquals(1, Linalg.luFactorEx(Tensor.zeros(3, 3))[2].item());
    }

    @Test
    void leastSquaresAreOrthogonalToWhatIsLeft() {
        Tensor a = random(2, 7, 3);
        Tensor b = random(2, 7, 4);
        Tensor[] found = Linalg.lstsq(a, b);
        Tensor left = b.sub(a.matmul(found[0]));
        near(Tensor.zeros(2, 3, 4).toDouble(), a.mT().matmul(left));
        near(left.pow(2).sum(-2), found[1]);
    }

    @Test
    void ofManySolutionsTheShortestIsGiven() {
        Tensor a = random(3, 7);
        Tensor b = random(3, 2);
        near(Linalg.pinv(a).matmul(b), Linalg.lstsq(a, b)[0]);
    }

    @Test
    void aPseudoinverseIsOneOfAnyMatrix() {
        for (long[] shape : new long[][]{{4, 4}, {2, 6, 3}, {3, 5}}) {
            Tensor a = random(shape);
            Tensor inverse = Linalg.pinv(a);
            near(a, a.matmul(inverse).matmul(a));
            near(inverse, inverse.matmul(a).matmul(inverse));
        }
        Tensor flat = Tensor.ones(3, 3).toDouble();
        near(flat.div(9), Linalg.pinv(flat));
        near(flat.div(9), Linalg.pinv(flat, 0, 1e-9, true));
    }

    @Test
    void ranksAndConditionsTellHowNearToSingular() {
        Tensor a = Tensor.eye(4).toDouble();
        a.set(0, 3, 3);
        a.set(10, 0, 0);
        assertEquals(3, Linalg.matrixRank(a).item());
        assertEquals(1, Linalg.matrixRank(a, 2, 0, true).item());
        a.set(0.5, 3, 3);
        assertEquals(20, Linalg.cond(a).item(), 1e-9);
        assertEquals(20, Linalg.cond(a, 1).item(), 1e-9);
        assertEquals(0.05, Linalg.cond(a, -2).item(), 1e-9);
    }

    @Test
    void tensorsAreInvertedAsMatrices() {
        Tensor a = random(6, 2, 3);
        Tensor x = random(2, 3);
        Tensor b = a.reshape(6, 6).matmul(x.reshape(6));
        near(x, Linalg.tensorsolve(a, b));
        near(x.reshape(6), Linalg.tensorinv(a, 1).reshape(6, 6).matmul(b));
    }

    @Test
    void gradientsAreSlopes() {
        Tensor b = random(5, 2);
        gradientIsTheSlope(random(5, 5), Linalg::pinv);
        gradientIsTheSlope(random(6, 4), Linalg::pinv);
        gradientIsTheSlope(random(5, 3), a -> Linalg.lstsq(a, b)[0]);
        gradientIsTheSlope(random(4, 4), a -> Linalg.luFactor(a)[0]);
        for (long[] shape : new long[][]{{4, 4}, {6, 4}, {4, 6}}) {
            gradientIsTheSlope(random(shape), a -> Linalg.lu(a)[1]);
            gradientIsTheSlope(random(shape), a -> Linalg.lu(a)[2]);
        }
        gradientIsTheSlope(random(5, 5), a -> {
            Tensor[] lu = Linalg.luFactor(a);
            return Linalg.luSolve(lu[0], lu[1], b);
        });
    }
}
