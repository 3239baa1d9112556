package dev.outrider.engine.length;

import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.TargetPass;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The cost of one more row of the target's pass, which the sequences of a batch share: learned from passes of as many sequences and of
/// different numbers of rows. Not thread-safe.
public final class RowCosts {
    /// Memory of passes: about 50, because a slope needs passes of different numbers of rows.
    private static final double MEMORY = 0.98;

    private final Map<Integer, PassLine> lines = new HashMap<>();
    private Optional<TargetPass> last = Optional.empty();

    /// Learns from a pass; one that several rounds shared is counted once.
    public void observe(TargetPass pass) {
        if (!last.equals(Optional.of(pass))) {
            last = Optional.of(pass);
            line(pass).add(pass.rows(), pass.nanos());
        }
    }

    /// Returns the nanoseconds of a round, where its own rows count as its part of the pass: a sequence that drafts more pays for
    /// it, although the pass was the same for all. The sum over a batch's rounds stays the same.
    public double own(RoundCompleted round) {
        var pass = round.pass();
        double others = (double) pass.rows() / pass.sequences();
        double more = line(pass).perRow() * (round.draft().tree().size() - others);
        return Math.max(1, round.times().total() + more);
    }

    private PassLine line(TargetPass pass) {
        return lines.computeIfAbsent(pass.sequences(), _ -> new PassLine());
    }

    /// The target's pass as a line over its rows, by least squares. If recent rounds all had one number of rows, the slope stays
    /// what was learned before; at the start it is 0.
    private static final class PassLine {
        /// The variance of the rows below which they do not determine a slope.
        private static final double MIN_VARIANCE = 0.05;

        private final Average rows = new Average(MEMORY);
        private final Average times = new Average(MEMORY);
        private final Average squares = new Average(MEMORY);
        private final Average products = new Average(MEMORY);
        private double perRow;

        /// Learns from a pass.
        ///
        /// @param count its rows
        /// @param time  that it took
        void add(double count, double time) {
            rows.add(count);
            times.add(time);
            squares.add(count * count);
            products.add(count * time);
            double variance = squares.value() - rows.value() * rows.value();
            if (variance > MIN_VARIANCE) {
                double covariance = products.value() - rows.value() * times.value();
                double highest = times.value() / rows.value();
                perRow = Math.clamp(covariance / variance, 0, highest);
            }
        }

        /// Returns the time of one more row.
        double perRow() {
            return perRow;
        }
    }
}
