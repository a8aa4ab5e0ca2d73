package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.type.AutogradException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shapes that change in place, with backward through them; and what lists of numbers are. */
class ShapesInPlaceTest {

    private final Device before = Device.current();

    @BeforeEach
    void onTheHost() {
        Device.set(Device.cpu());
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
    }

    @Test
    void aDimensionComesGoesAndIsSwapped() {
        Tensor a = Tensor.arange(6).view(2, 3);
        a.unsqueeze_(0);
        assertArrayEquals(new long[]{1, 2, 3}, a.shape());
        a.transpose_(1, 2);
        assertArrayEquals(new long[]{1, 3, 2}, a.shape());
        a.squeeze_(0);
        assertEquals(3, a.get(0, 1));
    }

    @Test
    void theGradientIsTurnedTheOtherWay() {
        Tensor x = Tensor.of(1f, 2f, 3f).requiresGrad_(true);
        Tensor y = x.mul(2);
        y.unsqueeze_(1).transpose_(0, 1);
        y.mul(Tensor.of(new float[]{1, 10, 100})).sum().backward();
        assertArrayEquals(new double[]{2, 20, 200}, x.grad().toDoubleArray());
    }

    @Test
    void aRowOfWhatIsRecordedKeepsItsGradient() {
        Tensor x = Tensor.of(1f, 2f).requiresGrad_(true);
        Tensor all = Tensor.zeros(2, 2);
        all.set(x, 1);
        all.index(1).unsqueeze_(0).mul(3).sum().backward();
        assertArrayEquals(new double[]{3, 3}, x.grad().toDoubleArray());
    }

    @Test
    void aLeafThatWantsAGradientKeepsItsShape() {
        Tensor leaf = Tensor.of(1f, 2f).requiresGrad_(true);
        assertThrows(AutogradException.class, () -> leaf.unsqueeze_(0));
    }

    @Test
    void listsOfNumbersAreTensorsAndIndices() {
        assertEquals(DType.INT64, Tensor.tensor(List.of(2L, 0L)).dtype());
        assertEquals(DType.FLOAT32, Tensor.tensor(List.of(2, 0.5)).dtype());
        Tensor a = Tensor.arange(6).view(2, 3);
        assertArrayEquals(new double[]{2, 5}, a.index(":", List.of(-1)).view(-1).toDoubleArray());
    }

    @Test
    void namesThatMeanTheSameGiveTheSame() {
        Tensor a = Tensor.of(1f, 2f);
        assertArrayEquals(a.outer(a).toDoubleArray(), a.ger(a).toDoubleArray());
        assertEquals(4, Tensor.concat(0, a, a).size(0));
        assertEquals(4, Tensor.concatenate(0, a, a).size(0));
        assertEquals(DType.INT64, a.to(Tensor.of(1L)).dtype());
        assertEquals(.5, a.var(0, true).get(0), 1e-6);
        assertEquals(Math.sqrt(.5), a.std(0, false).item(), 1e-6);
    }
}
