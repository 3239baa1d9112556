package dev.outrider.treeverify.bench;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.treeverify.CudaGraphs;
import dev.outrider.treeverify.WeightFormat;
import java.util.Collections;
import java.util.List;

/// What to measure on a device.
///
/// @param name     how the report calls the shape
/// @param shape    the decoder's shape, with positions for the longest context and its rows
/// @param device   the device's index
/// @param format   number format of the matrices
/// @param graphs   whether passes are replayed as CUDA graphs
/// @param contexts committed rows in the cache, rising
/// @param rows     numbers of rows per pass
/// @param passes   timed passes per line
public record DeviceBenchRequest(
        String name,
        DecoderConfig shape,
        int device,
        WeightFormat format,
        CudaGraphs graphs,
        List<Integer> contexts,
        List<Integer> rows,
        int passes) {
    public DeviceBenchRequest {
        contexts = contexts.stream().sorted().distinct().toList();
        rows = List.copyOf(rows);
        if (rows.isEmpty() || contexts.isEmpty() || passes < 1) {
            throw new IllegalArgumentException(
                    "rows %s, contexts %s and passes %d must not be empty"
                            .formatted(rows, contexts, passes));
        }
        if (Collections.min(rows) < 1 || contexts.getFirst() < 1) {
            throw new IllegalArgumentException(
                    "rows %s and contexts %s must be positive".formatted(rows, contexts));
        }
    }

    /// Rows of the cache that the longest pass needs.
    public int cacheRows() {
        return contexts.getLast() + mostRows();
    }

    /// Most rows of a pass.
    public int mostRows() {
        return Collections.max(rows);
    }
}
