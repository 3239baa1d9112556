package dev.outrider.hub;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// The hub's hash of the content of a file: SHA-256 of large files, git's SHA-1 of small ones.
///
/// @param hex    hexadecimal digits, which are the file's name in the cache too
/// @param sha256 which of the two it is
record ContentHash(String hex, boolean sha256) {
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern GIT = Pattern.compile("[0-9a-f]{40}");

    /// Returns the hash in an entity tag, if it is one.
    static Optional<ContentHash> of(String tag) {
        var text = tag.startsWith("W/") ? tag.substring(2) : tag;
        var hex = text.replaceAll("^\"|\"$", "");
        if (SHA_256.matcher(hex).matches()) {
            return Optional.of(new ContentHash(hex, true));
        }
        return GIT.matcher(hex).matches()
                ? Optional.of(new ContentHash(hex, false))
                : Optional.empty();
    }

    /// Returns whether a text is the name of a commit.
    static boolean isCommit(String text) {
        return GIT.matcher(text).matches();
    }

    /// Starts hashing content.
    ///
    /// @param size bytes of the whole content
    Reading reading(long size) {
        var reading = new Reading(digest(sha256 ? "SHA-256" : "SHA-1"));
        if (!sha256) {
            reading.add(
                    ByteBuffer.wrap("blob %d\0".formatted(size).getBytes(StandardCharsets.UTF_8)));
        }
        return reading;
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }

    /// A hash of partial content. Confined to one thread.
    record Reading(MessageDigest digest) {
        /// Adds content; the buffer is read to its end.
        void add(ByteBuffer content) {
            digest.update(content);
        }

        /// Returns the hash of all content. Nothing can be added afterwards.
        String hex() {
            return HexFormat.of().formatHex(digest.digest());
        }
    }
}
