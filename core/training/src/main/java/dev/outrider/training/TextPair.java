package dev.outrider.training;

/// What an encoder-decoder learns from.
///
/// @param source what the encoder reads
/// @param answer what the decoder should write
public record TextPair(String source, String answer) {}
