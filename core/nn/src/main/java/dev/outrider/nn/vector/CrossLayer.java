package dev.outrider.nn.vector;

/// The weights of a layer's attention to the source.
///
/// @param norm     before it, or after
/// @param query    of the rows
/// @param keyValue of the encoder's states, both projections as one
/// @param output   back to the stream
record CrossLayer(Norm norm, Linear query, Linear keyValue, Linear output) {}
