package dev.outrider.common;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 of texts, bytes and files that are added one after the other. Confined to one thread.
public final class Sha256 {
    private final MessageDigest digest;

    public Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /// Returns the hash of a text in UTF-8.
    public static Sha256 of(String text) {
        return new Sha256().add(text);
    }

    /// Adds a text in UTF-8.
    public Sha256 add(String text) {
        return add(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /// Adds bytes; the buffer is read to its end.
    public Sha256 add(ByteBuffer bytes) {
        digest.update(bytes);
        return this;
    }

    /// Adds the content of a file.
    ///
    /// @throws IOException if it cannot be read
    public Sha256 add(Path file) throws IOException {
        try (var stream = new DigestInputStream(Files.newInputStream(file), digest)) {
            stream.transferTo(OutputStream.nullOutputStream());
        }
        return this;
    }

    /// Returns the 32 bytes of the hash. Nothing can be added afterwards.
    public byte[] bytes() {
        return digest.digest();
    }

    /// Returns the hash in 64 lower-case hexadecimal digits. Nothing can be added afterwards.
    public String hex() {
        return HexFormat.of().formatHex(bytes());
    }
}
