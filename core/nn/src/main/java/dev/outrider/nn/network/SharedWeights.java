package dev.outrider.nn.network;

import java.lang.foreign.MemorySegment;

/// Embedding and language-model head of a target, for drafters that do not have them. A target in Java's vector code shares its
/// matrices instead. Thread-safe; valid until the target is closed.
///
/// @param vocabularySize number of tokens V
/// @param hiddenSize     width of an embedding, and of the head's input
/// @param embedding      `[V, hiddenSize]` 32-bit floats in native byte order
/// @param head           the same of the head; may be the same memory
public record SharedWeights(
        int vocabularySize, int hiddenSize, MemorySegment embedding, MemorySegment head) {}
