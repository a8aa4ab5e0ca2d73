package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;

/** {@code %help}: where to begin. */
public final class HelpMagic extends OptionMagic {

    private static final String TEXT = """
            Cells are Java. The last expression is shown; a variable is declared once (var x = 5) and kept.
              var a = Tensor.randn(1024, 1024)    a tensor on the GPU, simulated unless you say otherwise
              %track                              what is allocated, and by whom
              name?   name??   ?name              what something is; two marks for all of it. Tab completes
              !ls     %sh ls   var f = !ls        the shell; its lines in a variable
              %time CODE   %timeit CODE           how long it takes, once or on average
              %who   %reset NAME   %history       variables, and the cells that ran
              %maven GROUP:ARTIFACT:VERSION       libraries
              $1, $2, …                           results without a name, until the end of the next cell
              // comment                          not #
            %lsmagic lists the magics; %NAME? tells what one takes.
            Those who know IPython: docs/phrasebook.md has each of its phrases with what is written here.""";

    /** Found by the kernel. */
    public HelpMagic() {
        super("help", Options.of("%help", "Says where to begin.").detail(TEXT).tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) {
        return TEXT;
    }
}
