package io.vramlab.kernel.internal.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignerTest {

    @Test
    void theSignatureIsThatOfRfc4231() throws Exception {
        // test case 2 of the RFC: key "Jefe", data "what do ya want for nothing?"
        List<byte[]> frames = List.of("what do ya want ".getBytes(US_ASCII), "for nothing?".getBytes(US_ASCII));
        assertEquals("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                new String(new Signer("hmac-sha256", "Jefe").sign(frames), US_ASCII));
    }

    @ParameterizedTest
    @CsvSource({"hmac-md5,HmacMD5", "hmac-sha1,HmacSHA1", "hmac-sha224,HmacSHA224", "hmac-sha256,HmacSHA256",
            "hmac-sha384,HmacSHA384", "HMAC-SHA512,HmacSHA512"})
    void everySchemeGivesWhatTheJdksMacGives(String scheme, String algorithm) throws Exception {
        for (int length : new int[]{1, 63, 64, 65, 128, 129}) {
            String key = "ž".repeat(length);
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key.getBytes(UTF_8), algorithm));
            byte[] frame = {0, -1, (byte) length};
            Signer signer = new Signer(scheme, key);
            signer.sign(List.of(new byte[0]));
            assertEquals(HexFormat.of().formatHex(mac.doFinal(frame)),
                    new String(signer.sign(List.of(frame)), US_ASCII), () -> scheme + ", key of " + key.length());
        }
    }

    @Test
    void aSchemeOfTomorrowIsNotKnown() {
        assertThrows(NoSuchAlgorithmException.class, () -> new Signer("blake3", "key"));
    }
}
