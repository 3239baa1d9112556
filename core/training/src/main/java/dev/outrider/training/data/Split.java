package dev.outrider.training.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The documents to learn, or those whose loss is watched. A document's question alone decides where it belongs, so that a second copy
/// goes with the first, and another order or mixture changes nothing.
///
/// @param validation whether these are the ones to watch
/// @param share      of all documents that are watched, 0 to 1
record Split(boolean validation, double share) {
    boolean has(Document document) {
        return place(document.question()) < share == validation;
    }

    /// A number from 0 to 1 that the text decides.
    private static double place(String text) {
        try {
            var hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return (ByteBuffer.wrap(hash).getLong() >>> 11) * 0x1p-53;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
