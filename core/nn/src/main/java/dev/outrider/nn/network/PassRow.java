package dev.outrider.nn.network;

/// A row of a pass.
///
/// @param pass what reports on it; still open
/// @param row  which of its rows
public record PassRow(PassResult pass, int row) {}
