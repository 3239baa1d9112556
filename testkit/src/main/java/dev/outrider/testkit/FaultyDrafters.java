package dev.outrider.testkit;

import dev.outrider.engine.random.Categorical;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.Selection;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.Support;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Drafters that fail on purpose, around one that does not: for tests of whatever has to notice or to survive it.
public final class FaultyDrafters {
    private FaultyDrafters() {}

    /// What becomes of an honest draft.
    @FunctionalInterface
    public interface Fault {
        /// {@return what becomes of a draft}
        ///
        /// @param round  number of the round, from 0
        /// @param draft  what the honest drafter proposes
        /// @param before what it proposed in the round before; the same draft in round 0
        Draft apply(int round, Draft draft, Draft before);
    }

    /// Spoils every draft. The honest drafter goes on as if its own had been judged, so the fault must keep the
    /// tree, or only cut what was proposed.
    ///
    /// @param honest the drafter that is spoilt
    /// @param fault what happens to its drafts
    /// @return the faulty drafter
    public static Drafter spoiling(Drafter honest, Fault fault) {
        return new WrappedDrafter(honest, session -> new FaultySession(session, fault));
    }

    /// Throws in one round.
    ///
    /// @param honest the drafter that is spoilt
    /// @param faultyRound number of the round, from 0
    /// @param problem what it throws
    /// @return the faulty drafter
    public static Drafter throwing(Drafter honest, int faultyRound, RuntimeException problem) {
        return spoiling(
                honest,
                (round, draft, before) -> {
                    if (round == faultyRound) {
                        throw problem;
                    }
                    return draft;
                });
    }

    /// States the laws it drew from raised to a power and normalised: the draws of one temperature, the laws of
    /// another. Drafts that state no law are left as they are.
    ///
    /// @param power other than 1; below 1 the stated laws are flatter than the real ones
    /// @param honest the drafter that is spoilt
    /// @return the faulty drafter
    public static Drafter lyingAboutLaws(Drafter honest, double power) {
        return spoiling(
                honest,
                (round, draft, before) ->
                        new Draft(draft.tree(), withPower(draft, draft.selection(), power)));
    }

    /// States the laws of the round before.
    ///
    /// @param honest the drafter that is spoilt
    /// @return the faulty drafter
    public static Drafter withStaleLaws(Drafter honest) {
        return spoiling(
                honest, (round, draft, before) -> new Draft(draft.tree(), before.selection()));
    }

    /// Draws with the noise of a node's first draw in every round that follows.
    ///
    /// @param honest the drafter that is spoilt
    /// @return the faulty drafter
    public static Drafter reusingNoise(Drafter honest) {
        return new WrappedDrafter(honest, NoiseReuse::new);
    }

    private static Selection withPower(Draft draft, Selection selection, double power) {
        return switch (selection) {
            case Selection.PointMass() -> selection;
            case Selection.Independent(var laws) ->
                    new Selection.Independent(withPower(draft, laws, power));
            case Selection.WithoutReplacement(var laws) ->
                    new Selection.WithoutReplacement(withPower(draft, laws, power));
        };
    }

    private static DraftLaws withPower(Draft draft, DraftLaws laws, double power) {
        var stated = DraftLaws.builder();
        for (int node = 0; node < draft.tree().size(); node++) {
            if (laws.has(node)) {
                double[] row =
                        Arrays.stream(laws.row(node)).map(mass -> Math.pow(mass, power)).toArray();
                double total = Arrays.stream(row).sum();
                stated.put(node, Arrays.stream(row).map(mass -> mass / total).toArray());
            }
        }
        return stated.build();
    }

    private static final class FaultySession extends WrappedDrafter.Session {
        private final Fault fault;
        private Optional<Draft> before = Optional.empty();
        private int round;

        FaultySession(DraftSession honest, Fault fault) {
            super(honest);
            this.fault = fault;
        }

        @Override
        public Draft propose(DraftBudget budget, Coins coins) {
            var draft = super.propose(budget, coins);
            var spoiled = fault.apply(round++, draft, before.orElse(draft));
            before = Optional.of(draft);
            return spoiled;
        }
    }

    private static final class NoiseReuse extends WrappedDrafter.Session {
        private final Map<Integer, Double> noise = new HashMap<>();

        NoiseReuse(DraftSession honest) {
            super(honest);
        }

        @Override
        public Draft propose(DraftBudget budget, Coins coins) {
            return super.propose(budget, new Reused(coins, noise));
        }
    }

    /// Coins whose draws at a node are all made with the same number.
    private record Reused(Coins fresh, Map<Integer, Double> noise) implements Coins {
        @Override
        public boolean accept(int node, double numerator, double denominator) {
            return fresh.accept(node, numerator, denominator);
        }

        @Override
        public int draw(StreamRole role, int node, double[] law) {
            return Categorical.draw(law, uniform(role, node));
        }

        @Override
        public int draw(StreamRole role, int node, double[] law, Support support) {
            return Categorical.draw(law, support, uniform(role, node));
        }

        @Override
        public int[] race(int position, double[] law, int count) {
            return fresh.race(position, law, count);
        }

        @Override
        public double uniform(StreamRole role, int node) {
            return noise.computeIfAbsent(node, first -> fresh.uniform(role, first));
        }
    }
}
