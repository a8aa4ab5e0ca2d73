package io.vramlab.magics;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Session;
import java.util.List;
import java.util.ServiceLoader;

/** The magics as the kernel finds them. */
public final class Magics {

    private Magics() {
    }

    /** The names of this module's; the kernel has some of its own. */
    public static List<String> names() {
        return ServiceLoader.load(Magic.class).stream()
                .filter(p -> p.type().getPackage() == TrackMagic.class.getPackage())
                .map(p -> p.get().name()).toList();
    }

    /** The magic of that name. */
    public static Magic find(String name) {
        return ServiceLoader.load(Magic.class).stream().map(ServiceLoader.Provider::get)
                .filter(m -> m.name().equals(name)).findFirst().orElseThrow();
    }

    /** Runs {@code %name arguments}. */
    public static Object run(String name, String arguments, Session session) throws Exception {
        return find(name).run(new MagicCall(name, arguments, null, 0, session));
    }

    /** Runs {@code %%name arguments} over a body. */
    public static Object run(String name, String arguments, String body, Session session) throws Exception {
        return find(name).run(new MagicCall(name, arguments, body, 2, session));
    }
}
