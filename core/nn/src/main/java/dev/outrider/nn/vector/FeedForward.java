package dev.outrider.nn.vector;

import dev.outrider.nn.network.BlockForm;

/// The two projections of a feed-forward layer, or of an expert.
///
/// @param gateUp both opening projections as one; the second alone where there is no gate
/// @param down   back to the stream
record FeedForward(Linear gateUp, Linear down) {
    /// Computes for some rows, into the workspace's projected rows.
    ///
    /// @param x what they read
    /// @param y gets what is multiplied by the second projection
    void apply(InputRows x, InputRows y, int rows, BlockForm form, Workspace workspace) {
        var inner = workspace.inner;
        gateUp.apply(x, rows, inner, workspace);
        int size = down.matrix().columns();
        for (int row = 0; row < rows; row++) {
            int at = inner.at(row);
            if (form.feedForward().boundedGate().isPresent()) {
                var bounds = form.feedForward().boundedGate().get();
                Activations.bounded(bounds, inner.numbers(), at, at + size, size);
            } else if (form.feedForward().gated()) {
                Activations.gated(form.feedForward().activation(), inner.numbers(), at, at + size, size);
            } else {
                Activations.apply(form.feedForward().activation(), inner.numbers(), at, size);
            }
        }
        y.take(inner.numbers(), 0, inner.stride(), rows, size);
        down.apply(y, rows, workspace.projected, workspace);
    }
}
