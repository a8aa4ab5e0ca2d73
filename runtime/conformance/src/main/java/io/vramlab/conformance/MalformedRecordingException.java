package io.vramlab.conformance;

/** A recording lacks a part or names something unknown; the message is one line. */
final class MalformedRecordingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MalformedRecordingException(String message) {
        super(message);
    }
}
