package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import io.vramlab.install.story.Story;
import io.vramlab.memory.MemorySnapshot;

class ApartTest {

    @Test
    void twoCausesAreToldApartInEitherOrder() {
        assertTrue(Apart.of(CauseKind.ATTENTION, CauseKind.ACTIVATIONS).orElseThrow().contains("half the length"));
        assertEquals(Apart.of(CauseKind.ATTENTION, CauseKind.ACTIVATIONS),
                Apart.of(CauseKind.ACTIVATIONS, CauseKind.ATTENTION));
        assertFalse(Apart.of(CauseKind.ATTENTION, CauseKind.ATTENTION).isPresent());
        assertFalse(Apart.of(CauseKind.STREAMS, CauseKind.LOGITS).isPresent());
    }

    @Test
    void whereASecondIsNearlyAsProbableTheReportSaysWhatToLookAt() throws IOException {
        Path snapshot = Path.of(ApartTest.class.getResource("/diagnosis/contrastive_chunks.plain.pickle.gz").getPath());
        Diagnosis diagnosis = Diagnosis.of(Story.of(MemorySnapshot.readHistory(snapshot), 0));
        CauseKind near = diagnosis.near().orElseThrow();
        assertTrue(diagnosis.verdict().surer().startsWith("this or " + near.id() + "? "), diagnosis::toString);
        assertEquals(Apart.of(diagnosis.verdict().kind(), near).orElseThrow(), diagnosis.surer());
    }
}
