package dev.outrider.nn.vector;

import dev.outrider.nn.network.BlockForm;

/// The expert that every row wakes, behind a sigmoid.
///
/// @param expert      what computes
/// @param openingGate one number a row, of which the sigmoid is taken
record SharedExpert(FeedForward expert, Linear openingGate) {
    /// Computes for all rows of a pass, from the workspace's input into its projected rows.
    void apply(int rows, BlockForm form, Workspace workspace) {
        var opened = workspace.routed;
        openingGate.apply(workspace.input, rows, opened, workspace);
        expert.apply(workspace.input, workspace.picked, rows, form, workspace);
        var projected = workspace.projected;
        int width = openingGate.matrix().columns();
        for (int row = 0; row < rows; row++) {
            double open = 1 / (1 + StrictMath.exp(-opened.numbers()[opened.at(row)]));
            VectorMath.scale(projected.numbers(), projected.at(row), width, (float) open);
        }
    }
}
