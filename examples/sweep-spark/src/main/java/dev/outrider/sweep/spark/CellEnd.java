package dev.outrider.sweep.spark;

import java.io.Serializable;

/// The result of a cell on a worker.
///
/// @param index  its number in the plan
/// @param failed whether it left a record of failure; otherwise it has results
/// @param worker host and executor
/// @param said   output of `run-cell`
record CellEnd(int index, boolean failed, String worker, String said) implements Serializable {
    private static final long serialVersionUID = 1L;
}
