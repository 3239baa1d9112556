package dev.outrider.engine.length.tree;

import dev.outrider.engine.length.Average;
import dev.outrider.engine.length.gain.RoundCosts;
import dev.outrider.engine.length.gain.RowCosts;
import dev.outrider.engine.model.RoundCost;
import dev.outrider.engine.model.RoundCost.Shape;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// What rounds cost by their tree, as measured: drafting by levels and nodes, everything else by rows. Not thread-safe.
final class TreeCosts {
    /// Share of the past that a round leaves in the mean of its shape.
    private static final double MEMORY = 0.9;

    private final RowCosts shared = new RowCosts();
    private final RoundCosts others;
    private final Map<Shape, Average> drafting = new HashMap<>();

    /// @param nodes most drafted nodes
    TreeCosts(int nodes) {
        others = new RoundCosts(nodes);
    }

    /// Nanoseconds that a round took, its own rows of a shared pass as its own.
    double own(RoundCompleted round) {
        shared.observe(round.pass());
        return shared.own(round);
    }

    /// Learns from a round.
    ///
    /// @param nanos that it took
    void observe(RoundCompleted round, double nanos) {
        var tree = round.draft().tree();
        int nodes = tree.draftedNodes();
        double draft = Math.min(nanos, round.times().draft());
        others.observe(nodes, nanos - draft, 1.0 / round.pass().sequences());
        if (nodes > 0) {
            var shape = new Shape(nodes, tree.maxDepth());
            drafting.computeIfAbsent(shape, _ -> new Average(MEMORY)).add(draft);
        }
    }

    /// Forgets all times.
    void forget() {
        others.forget();
        drafting.clear();
    }

    /// Whether plain decoding and drafts were timed.
    boolean comparable() {
        return others.comparable();
    }

    /// What is known; plain decoding and drafts were timed.
    RoundCost known() {
        var byRows = new TreeMap<Integer, Double>();
        double[] curve = others.curve();
        for (int nodes = 0; nodes < curve.length; nodes++) {
            byRows.put(nodes + 1, curve[nodes]);
        }
        var drafts = new HashMap<Shape, Double>();
        drafting.forEach((shape, average) -> drafts.put(shape, average.value()));
        return RoundCost.fit(drafts, byRows);
    }
}
