package dev.outrider.common;

/// Size of a sequence's cache. A target offers it as a capability, and a drafter implements it, if they know it.
@FunctionalInterface
public interface CacheMemory {
    /// {@return bytes that each position of a sequence takes}
    long bytesPerPosition();
}
