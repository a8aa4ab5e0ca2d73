package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Folders into which checkpoints were saved; skipped where no PyTorch is at hand. */
class RecordedFoldersTest extends RecordedScripts {

    /** The youngest of three checkpoints is looked for in six ways, and one that was dropped is not listed. */
    @Test
    @Tag("landing")
    void foldersListWhatWasSavedToThem() throws Exception {
        Commands.Ran ran = record(
                """
                        import glob, os, pathlib, tempfile, torch
                        model = torch.nn.Linear(10, 10).cuda()
                        with tempfile.TemporaryDirectory() as folder:
                            runs = os.path.join(folder, "runs")
                            os.makedirs(runs)
                            open(os.path.join(runs, "log.txt"), "w").close()
                            for epoch in range(3):
                                torch.save(model.state_dict(), f"{runs}/epoch{epoch}.pt")
                            print(sorted(os.listdir(runs)))
                            print(len(glob.glob(folder + "/*/*.pt")), len(list(pathlib.Path(folder).rglob("*.pt"))), len(list(pathlib.Path(runs).iterdir())))
                            print([len(files) for _, _, files in os.walk(folder)])
                            youngest = max(glob.glob(runs + "/*.pt"))
                            model.load_state_dict(torch.load(youngest))
                            os.remove(youngest)
                            print(sorted(entry.name for entry in os.scandir(runs) if entry.is_file() and entry.stat().st_size > 0))
                        print(os.path.exists(folder))
                        """)
                .ok();
        assertEquals(
                List.of("['epoch0.pt', 'epoch1.pt', 'epoch2.pt', 'log.txt']", "3 3 4", "[0, 4]",
                        "['epoch0.pt', 'epoch1.pt']", "False"),
                ran.out().lines().toList());
    }
}
