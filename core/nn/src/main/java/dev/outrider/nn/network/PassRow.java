package dev.outrider.nn.network;

/// A row of a pass.
///
/// @param pass the pass's result; still open
/// @param row  number of the row in the pass
public record PassRow(PassResult pass, int row) {}
