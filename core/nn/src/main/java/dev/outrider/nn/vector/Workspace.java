package dev.outrider.nn.vector;

import dev.outrider.nn.vector.Attention.Scratch;
import dev.outrider.nn.vector.IntegerTiles.Sums;
import dev.outrider.nn.vector.Matrix.Linear;
import dev.outrider.nn.vector.Mixture.Routing;
import dev.outrider.nn.vector.Panels.Scales;
import dev.outrider.nn.vector.Rows.InputRows;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/// Memory that the passes of a network reuse, and the threads of the running pass. Confined to the pass.
final class Workspace {
    /// The minimum number of rows for which threads share work that is done row by row.
    private static final int SHARED = 32;

    final InputRows input = new InputRows();
    final InputRows picked = new InputRows();
    final Rows stream = new Rows();
    final Rows tokens = new Rows();
    final Rows normed = new Rows();
    final Rows queries = new Rows();
    final Rows attended = new Rows();
    final Rows projected = new Rows();
    final Rows inner = new Rows();
    final Rows routed = new Rows();
    final Rows made = new Rows();
    final Routing routing = new Routing();
    final Rows features = new Rows();
    final Rows logits = new Rows();

    private final List<Scratch> attention = new ArrayList<>();
    private final List<Scales> scales = new ArrayList<>();
    private final List<Sums> integers = new ArrayList<>();
    private Team team = Team.enter();

    Workspace() {
        team.leave();
    }

    /// Begins a pass.
    void enter() {
        team = Team.enter();
        boolean entered = false;
        try {
            while (attention.size() < team.threads()) {
                attention.add(new Scratch());
                scales.add(new Scales());
                integers.add(new Sums());
            }
            entered = true;
        } finally {
            if (!entered) {
                team.leave();
            }
        }
    }

    void leave() {
        team.leave();
    }

    /// Runs one projection as a pass.
    ///
    /// @param x `[rows, columns]`
    /// @param y receives `[rows, outputs]`
    void project(Linear linear, float[] x, int rows, float[] y) {
        enter();
        try {
            int columns = linear.matrix().columns();
            input.take(x, 0, columns, rows, columns);
            linear.apply(input, rows, projected, this);
            for (int row = 0; row < rows; row++) {
                System.arraycopy(
                        projected.numbers(),
                        projected.at(row),
                        y,
                        row * linear.outputs(),
                        linear.outputs());
            }
        } finally {
            leave();
        }
    }

    /// Works on every row separately, with all threads if there are many rows.
    void share(int rows, IntConsumer work) {
        share(rows, SHARED, work);
    }

    /// Works on every row separately.
    ///
    /// @param fewest the minimum number of rows for which threads share them
    void share(int rows, int fewest, IntConsumer work) {
        if (rows < fewest) {
            for (int row = 0; row < rows; row++) {
                work.accept(row);
            }
            return;
        }
        team.run(
                rows,
                (_, from, end) -> {
                    for (int row = from; row < end; row++) {
                        work.accept(row);
                    }
                });
    }

    Team team() {
        return team;
    }

    Scales scales(int worker) {
        return scales.get(worker);
    }

    Sums integers(int worker) {
        return integers.get(worker);
    }

    Scratch attention(int worker) {
        return attention.get(worker);
    }
}
