package io.vramlab.kernel.internal.comm;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.kernel.spi.Comm;
import io.vramlab.kernel.spi.CommTarget;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The open comms and who takes new ones. Safe from any thread. */
public final class Comms {

    private static final Logger LOG = Logger.getLogger(Comms.class.getName());
    private static final Gson GSON = new Gson();

    private record Open(String target, CommTarget.Listener listener) {
    }

    private final Map<String, CommTarget> targets = new ConcurrentHashMap<>();
    private final Map<String, Open> open = new ConcurrentHashMap<>();
    private final BiConsumer<String, JsonObject> publisher;

    /**
     * Comms to the targets that {@link ServiceLoader} finds.
     *
     * @param publisher
     *            publishes a message of a type
     */
    public Comms(BiConsumer<String, JsonObject> publisher) {
        this.publisher = publisher;
        ServiceLoader.load(CommTarget.class, Comms.class.getClassLoader()).forEach(this::register);
    }

    /** Adds a target. */
    public void register(CommTarget target) {
        targets.put(target.name(), target);
    }

    /** A frontend opens one; it is closed again at once if nobody takes it. */
    public void opened(JsonObject content) {
        String id = text(content, "comm_id");
        CommTarget target = targets.get(text(content, "target_name"));
        Comm comm = new Line(id);
        try {
            if (target != null) {
                open.put(id, new Open(target.name(), target.opened(comm, data(content))));
                return;
            }
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "comm target {0} failed: {1}", new Object[]{target.name(), e.toString()});
        }
        comm.close(Map.of());
    }

    /** Data came. */
    public void received(JsonObject content) {
        Open line = open.get(text(content, "comm_id"));
        if (line != null) {
            line.listener().received(data(content));
        }
    }

    /** A frontend ended one. */
    public void closed(JsonObject content) {
        Open line = open.remove(text(content, "comm_id"));
        if (line != null) {
            line.listener().closed(data(content));
        }
    }

    /** The open ones, by id, with their targets' names. */
    public JsonObject info(String target) {
        JsonObject all = new JsonObject();
        open.forEach((id, line) -> {
            if (target == null || target.equals(line.target())) {
                JsonObject each = new JsonObject();
                each.addProperty("target_name", line.target());
                all.add(id, each);
            }
        });
        return all;
    }

    private static String text(JsonObject content, String name) {
        JsonElement value = content.get(name);
        return value != null && value.isJsonPrimitive() ? value.getAsString() : "";
    }

    private static Map<String, Object> data(JsonObject content) {
        JsonElement data = content.get("data");
        @SuppressWarnings("unchecked")
        Map<String, Object> map = data != null && data.isJsonObject() ? GSON.fromJson(data, Map.class) : Map.of();
        return map;
    }

    private final class Line implements Comm {

        private final String id;

        Line(String id) {
            this.id = id;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public void send(Map<String, ?> data) {
            publisher.accept("comm_msg", content(data));
        }

        @Override
        public void close(Map<String, ?> data) {
            open.remove(id);
            publisher.accept("comm_close", content(data));
        }

        private JsonObject content(Map<String, ?> data) {
            JsonObject content = new JsonObject();
            content.addProperty("comm_id", id);
            content.add("data", GSON.toJsonTree(data));
            return content;
        }
    }
}
