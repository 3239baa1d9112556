package dev.outrider.nn.checkpoint;

import java.util.List;

/// The checked tensors of a quantised matrix. Codes and zeros are unsigned: `code - zero` is a
/// level, and level times scale is the number. The code of a float is its byte, and its zero is 0.
///
/// @param codes by row and column
/// @param zeros code of level 0, by row and group
/// @param scale tensor of the scales
/// @param place index of a scale, by row and group
/// @param names of all these tensors
record GroupTensors(Codes codes, Codes zeros, StoredTensor scale, Codes place, List<String> names) {
    /// An integer by row and column, or by row and group.
    @FunctionalInterface
    interface Codes {
        long at(long row, int column);
    }
}
