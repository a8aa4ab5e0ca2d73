package io.vramlab.kernel.internal.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Signs messages: an HMAC (RFC 2104) in hexadecimal digits. Made from the digest alone, because {@code
 * javax.crypto.Mac} first loads all providers of the JDK and their policies: 15 ms of every start's CPU time. Safe from
 * any thread.
 */
public final class Signer {

    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;
    private static final HexFormat HEX = HexFormat.of();

    private final MessageDigest digest;
    private final byte[] inner;
    private final byte[] outer;

    /**
     * A signer.
     *
     * @param scheme
     *            as connection files write it: {@code hmac-sha256}; of MD5, SHA-1 or SHA-2
     * @param key
     *            the secret
     * @throws NoSuchAlgorithmException
     *             if the scheme is another
     */
    public Signer(String scheme, String key) throws NoSuchAlgorithmException {
        String name = scheme.toLowerCase(Locale.ROOT);
        int block = switch (name) {
            case "hmac-md5", "hmac-sha1", "hmac-sha224", "hmac-sha256" -> 64;
            case "hmac-sha384", "hmac-sha512" -> 128;
            default -> throw new NoSuchAlgorithmException(scheme);
        };
        digest = MessageDigest.getInstance(name.replaceFirst("hmac-(sha(?=\\d))?", name.contains("sha") ? "SHA-" : ""));
        byte[] secret = key.getBytes(UTF_8);
        byte[] padded = Arrays.copyOf(secret.length > block ? digest.digest(secret) : secret, block);
        inner = xor(padded, INNER);
        outer = xor(padded, OUTER);
    }

    private static byte[] xor(byte[] key, byte pad) {
        byte[] result = new byte[key.length];
        for (int i = 0; i < key.length; i++) {
            result[i] = (byte) (key[i] ^ pad);
        }
        return result;
    }

    /** The signature of these frames in this order. */
    public synchronized byte[] sign(List<byte[]> frames) {
        digest.update(inner);
        frames.forEach(digest::update);
        byte[] first = digest.digest();
        digest.update(outer);
        return HEX.formatHex(digest.digest(first)).getBytes(US_ASCII);
    }
}
