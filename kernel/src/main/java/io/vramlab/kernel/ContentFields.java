package io.vramlab.kernel;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** Reads fields of a message's content that may be absent or of a wrong type. */
record ContentFields(JsonObject content) {

    /** A request that lacks something or has it in a wrong type. */
    static final class BadRequestException extends Exception {

        private static final long serialVersionUID = 1L;

        BadRequestException(String field, String expected) {
            super("the request's field \"%s\" is missing or is not %s".formatted(field, expected));
        }
    }

    /** A text that must be there. */
    String text(String name) throws BadRequestException {
        JsonElement value = content.get(name);
        if (value == null || !value.isJsonPrimitive() || !value.getAsJsonPrimitive().isString()) {
            throw new BadRequestException(name, "a string");
        }
        return value.getAsString();
    }

    /** A text, or {@code absent} when it is not there. */
    String text(String name, String absent) throws BadRequestException {
        return missing(name) ? absent : text(name);
    }

    /** A flag, or {@code absent} when it is not there. */
    boolean flag(String name, boolean absent) throws BadRequestException {
        if (missing(name)) {
            return absent;
        }
        JsonElement value = content.get(name);
        if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isBoolean()) {
            throw new BadRequestException(name, "true or false");
        }
        return value.getAsBoolean();
    }

    /** A whole number, or {@code absent} when it is not there. */
    int number(String name, int absent) throws BadRequestException {
        if (missing(name)) {
            return absent;
        }
        JsonElement value = content.get(name);
        try {
            if (value.isJsonPrimitive() && value.getAsJsonPrimitive().isNumber()) {
                return value.getAsInt();
            }
        } catch (NumberFormatException e) {
            // told below, as any other wrong type
        }
        throw new BadRequestException(name, "a whole number");
    }

    /** An object, empty when it is not there. */
    JsonObject object(String name) throws BadRequestException {
        if (missing(name)) {
            return new JsonObject();
        }
        if (!content.get(name).isJsonObject()) {
            throw new BadRequestException(name, "an object");
        }
        return content.getAsJsonObject(name);
    }

    private boolean missing(String name) {
        return content.get(name) == null || content.get(name).isJsonNull();
    }
}
