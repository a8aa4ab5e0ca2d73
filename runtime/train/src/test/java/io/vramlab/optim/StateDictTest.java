package io.vramlab.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.autograd.NoGrad;
import io.vramlab.nn.AveragedModel;
import io.vramlab.nn.BatchNorm1d;
import io.vramlab.nn.Linear;
import io.vramlab.nn.Module;
import io.vramlab.nn.Sequential;
import io.vramlab.tensor.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What optimizers and schedules save and load, and averages of models. */
class StateDictTest {

    private static void step(Linear layer, Optimizer optimizer) {
        layer.call(Tensor.ones(1, 2)).pow(2).sum().backward();
        optimizer.step();
        optimizer.zeroGrad();
    }

    @Test
    void anOptimizerGoesOnWhereAnotherWas() {
        Linear first = new Linear(2, 1);
        Adam adam = new Adam(first.parameters(), .1);
        step(first, adam);
        Linear second = new Linear(2, 1);
        second.loadStateDict(first.stateDict());
        Adam resumed = new Adam(second.parameters(), .5);
        resumed.loadStateDict(adam.stateDict());
        // the rates are part of the state
        assertEquals(.1, resumed.paramGroups().get(0).get("lr"));
        assertEquals(1, resumed.state(second.weight).step());
        step(first, adam);
        // PyTorch shares tensors that need no conversion, so the second step of the other starts from a copy
        Linear third = new Linear(2, 1);
        assertEquals(adam.state(first.weight).tensor("exp_avg").dataPtr(),
                resumed.state(second.weight).tensor("exp_avg").dataPtr());
        Adam fresh = new Adam(third.parameters(), .1);
        step(third, fresh);
        assertEquals(fresh.stateDict().keySet(), adam.stateDict().keySet());
    }

    @Test
    void anOptimizersOwnStateCanBeLoadedAgain() {
        Linear layer = new Linear(2, 1);
        Adam adam = new Adam(layer.parameters(), .1);
        step(layer, adam);
        adam.state(layer.weight).tensor("exp_avg").fill_(3);
        adam.loadStateDict(adam.stateDict());
        assertArrayEquals(new float[]{3, 3}, adam.state(layer.weight).tensor("exp_avg").toFloatArray());
        step(layer, adam);
        assertEquals(2, adam.state(layer.weight).step());
    }

    @Test
    void aParametersStateThereIsTheOptimizersOwn() {
        Linear layer = new Linear(2, 1);
        Adam adam = new Adam(layer.parameters(), .1);
        step(layer, adam);
        Map<?, ?> all = (Map<?, ?>) adam.stateDict().get("state");
        @SuppressWarnings("unchecked")
        Map<String, Object> one = (Map<String, Object>) all.get(0);
        assertEquals(List.of("step", "exp_avg", "exp_avg_sq"), List.copyOf(one.keySet()));
        step(layer, adam);
        assertEquals(2L, one.get("step"));
        Tensor other = Tensor.ones(1, 2);
        adam.state(layer.weight).set("exp_avg", other);
        assertEquals(other.dataPtr(), ((Tensor) one.get("exp_avg")).dataPtr());
        assertTrue(assertThrows(UnsupportedOperationException.class, () -> one.put("exp_avg", other)).getMessage()
                .contains("optimizer.state(param).set(name, tensor)"));
    }

    @Test
    void aStateOfOtherGroupsIsRefused() {
        Adam one = new Adam(new Linear(2, 1).parameters(), .1);
        Adam other = new Adam(new Linear(2, 1, false).parameters(), .1);
        Map<String, Object> state = other.stateDict();
        assertThrows(IllegalArgumentException.class, () -> one.loadStateDict(state));
    }

    @Test
    void aScheduleGoesOnWhereAnotherWas() {
        Linear layer = new Linear(2, 1);
        SGD sgd = new SGD(layer.parameters(), 1);
        StepLR schedule = new StepLR(sgd, 2, .1);
        schedule.step();
        SGD other = new SGD(layer.parameters(), 1);
        StepLR resumed = new StepLR(other, 2, .1);
        resumed.loadStateDict(schedule.stateDict());
        resumed.step();
        // the second step of two
        assertEquals(.1, resumed.getLastLr().get(0), 1e-12);
    }

    @Test
    void ratesGoTowardsThatOfTheAverage() {
        SGD sgd = new SGD(new Linear(2, 1).parameters(), .1);
        SWALR schedule = new SWALR(sgd, .05, 2, SWALR.Strategy.COS);
        assertEquals(.1, schedule.getLastLr().get(0), 1e-12);
        schedule.step();
        // half way, as PyTorch 2.11: 0.075
        assertEquals(.075, schedule.getLastLr().get(0), 1e-12);
        schedule.step();
        schedule.step();
        assertEquals(.05, schedule.getLastLr().get(0), 1e-12);
    }

    @Test
    void anAverageOfAllStepsAndAMovingOne() {
        Linear layer = new Linear(1, 1, false);
        AveragedModel all = new AveragedModel(layer, () -> new Linear(1, 1, false));
        AveragedModel moving = AveragedModel.ema(layer, () -> new Linear(1, 1, false), .9);
        for (float weight : new float[]{1, 3, 8}) {
            try (NoGrad off = new NoGrad()) {
                layer.weight.fill_(weight);
            }
            all.updateParameters(layer);
            moving.updateParameters(layer);
        }
        // (1 + 3 + 8) / 3; 0.9 (0.9 1 + 0.1 3) + 0.1 8
        assertEquals(4, ((Linear) all.module).weight.item(), 1e-6);
        assertEquals(1.88, ((Linear) moving.module).weight.item(), 1e-6);
        assertEquals(3, all.nAveraged.itemLong());
        assertEquals(8, all.call(Tensor.ones(1, 1)).item() * 2, 1e-5);
    }

    @Test
    void theStatisticsOfBatchNormsAreMadeAnew() {
        Module net = new Sequential(new BatchNorm1d(1));
        net.call(Tensor.full(50, 4, 1));
        net.eval();
        AveragedModel.updateBn(List.of(Tensor.of(new float[][]{{1}, {3}}), Tensor.of(new float[][]{{5}, {9}})), net);
        // the mean of 2 and 7; variances 2 and 8 of two each
        assertArrayEquals(new float[]{4.5f}, net.namedBuffers().get("0.runningMean").toFloatArray(), 1e-6f);
        assertArrayEquals(new float[]{5}, net.namedBuffers().get("0.runningVar").toFloatArray(), 1e-6f);
        assertEquals(false, net.isTraining());
    }
}
