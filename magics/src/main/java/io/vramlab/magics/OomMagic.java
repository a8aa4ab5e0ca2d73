package io.vramlab.magics;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.oom.Failure;
import io.vramlab.magics.oom.OomWatch;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;

/** {@code %oom}: why the last allocation failed, and what would have helped. */
public final class OomMagic extends OptionMagic {

    /** Found by the kernel. */
    public OomMagic() {
        super("oom", Options.of("%oom", "Explains the last out-of-memory error and what would have helped, best first.")
                .detail("It also appears by itself under the error. Every piece of advice was tried, with the request that "
                        + "failed, in a copy of the allocator in the state of that moment.")
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Failure failure = OomWatch.of(call.session()).last()
                .orElseThrow(
                        () -> new UsageException("%oom: the last out-of-memory error was asked for. There was none in "
                                + "this session. See %memory_summary for the state now."));
        return OomReport.of(failure, call.session(), "");
    }
}
