package dev.outrider.sweep.spark;

import java.io.Serializable;

/// How a cell ended on a worker.
///
/// @param index  its number in the plan
/// @param failed whether it left a record of failure; otherwise it has results
/// @param worker host and executor
/// @param said   what `run-cell` printed of it
record CellEnd(int index, boolean failed, String worker, String said) implements Serializable {
    private static final long serialVersionUID = 1L;
}
