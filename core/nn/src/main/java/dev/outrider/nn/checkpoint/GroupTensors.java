package dev.outrider.nn.checkpoint;

import java.util.List;

/// The tensors that stand for a matrix in few bits, checked. Codes and zeros are unsigned: `code - zero` is a level, which times the
/// scale is the number. The code of a float is its byte, and its zero 0.
///
/// @param codes by row and column
/// @param zeros what stands for 0, by row and group
/// @param scale tensor of the scales
/// @param place which of them is a row's and group's
/// @param names of all these tensors
record GroupTensors(Codes codes, Codes zeros, StoredTensor scale, Codes place, List<String> names) {
    /// An integer by row and column, or by row and group.
    @FunctionalInterface
    interface Codes {
        long at(long row, int column);
    }
}
