package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files of safetensors, the program's own and others; skipped where PyTorch or safetensors is not at hand. */
class RecordedTensorFilesTest extends RecordedScripts {

    @BeforeEach
    void makeAFile() throws Exception {
        String made = """
                import sys, torch
                from safetensors.torch import save_file
                save_file({"weight": torch.ones(100, 100), "bias": torch.ones(100, dtype=torch.bfloat16)}, sys.argv[1])
                """;
        assumeTrue(Commands.run(Map.of(), List.of(python, "-c", made, folder.resolve("real.safetensors").toString()))
                .status() == 0, "safetensors is not at hand");
    }

    /** 40,000 bytes of float32 and 200 of bfloat16, each an allocation of its own; of ten rows 4,000. */
    @Test
    @Tag("landing")
    void aFileOfAnotherProgramHasItsTensorsOnTheDevice() throws Exception {
        Commands.Ran ran = record(
                """
                        import torch
                        from safetensors import safe_open
                        from safetensors.torch import load_file
                        loaded = load_file("FOLDER/real.safetensors", device="cuda")
                        print(torch.cuda.memory_allocated(), sorted((n, tuple(t.shape), t.dtype, t.device.type) for n, t in loaded.items()))
                        model = torch.nn.Linear(100, 100)
                        model.load_state_dict(load_file("FOLDER/real.safetensors"))
                        with safe_open("FOLDER/real.safetensors", framework="pt", device=0) as file:
                            part = file.get_slice("weight")[:10]
                            print(sorted(file.keys()), part.nbytes, part.device, file.get_slice("bias").get_dtype())
                        """)
                .ok();
        assertEquals(List.of(
                "40200 [('bias', (100,), torch.bfloat16, 'cuda'), ('weight', (100, 100), torch.float32, 'cuda')]",
                "['bias', 'weight'] 4000 cuda:0 BF16"), ran.out().lines().toList());
    }

    @Test
    void whatTheProgramSavedIsGivenBack() throws Exception {
        Commands.Ran ran = record("""
                import torch
                from safetensors import safe_open
                from safetensors.torch import load, load_model, save, save_file, save_model
                model = torch.nn.Linear(100, 100).cuda()
                save_file(model.state_dict(), "FOLDER/own.safetensors")
                with safe_open("FOLDER/own.safetensors", "pt", "cuda") as file:
                    print(file.get_tensor("weight").shape, file.get_slice("bias").get_shape())
                save_model(model, "FOLDER/model.safetensors")
                print(load_model(model, "FOLDER/model.safetensors"))
                print([t.device.type for t in load(save(model.state_dict())).values()])
                """).ok();
        assertEquals(List.of("torch.Size([100, 100]) [100]", "(set(), [])", "['cpu', 'cpu']"),
                ran.out().lines().toList());
    }
}
