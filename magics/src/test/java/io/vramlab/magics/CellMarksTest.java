package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.kernel.spi.Cell;
import io.vramlab.memory.Cuda;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CellMarksTest {

    @Test
    void aSnapshotShowsWhereACellBeganAndEnded() {
        CellMarks marks = new CellMarks();
        marks.cellStarted(new Cell(4242, ""), null);
        marks.cellFinished(new Cell(4242, ""), null, null);

        List<?> annotations = (List<?>) Cuda.snapshot().data().get("external_annotations");

        assertEquals(List.of("START", "END"), annotations.stream().map(a -> (Map<?, ?>) a)
                .filter(a -> a.get("name").equals("In [4242]")).map(a -> a.get("stage")).toList());
    }
}
