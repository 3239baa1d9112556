package dev.outrider.testkit;

import dev.outrider.engine.random.StreamRandomness.Categorical;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Drafters with a planted fault around a correct drafter, for tests of code that must detect or
/// survive the fault.
public final class FaultyDrafters {
    private FaultyDrafters() {}

    /// Changes a correct draft.
    @FunctionalInterface
    public interface Fault {
        /// {@return the changed draft}
        ///
        /// @param round  number of the round, from 0
        /// @param draft  the draft of the correct drafter
        /// @param before its draft of the previous round; the same draft in round 0
        Draft apply(int round, Draft draft, Draft before);
    }

    /// Changes every draft. The correct drafter observes verdicts as if its own draft had been
    /// judged, so the fault must keep the tree, or only cut it.
    ///
    /// @param honest the correct drafter
    /// @param fault the change of its drafts
    /// @return the faulty drafter
    public static Drafter spoiling(Drafter honest, Fault fault) {
        return new WrappedDrafter(honest, session -> new FaultySession(session, fault));
    }

    /// Throws in one round.
    ///
    /// @param honest the correct drafter
    /// @param faultyRound number of the round, from 0
    /// @param problem the exception
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

    /// States the distributions it drew from, raised to a power and normalised: draws of one
    /// temperature, distributions of another. Drafts that state no distribution are unchanged.
    ///
    /// @param power other than 1; below 1 the stated distributions are flatter than the real ones
    /// @param honest the correct drafter
    /// @return the faulty drafter
    public static Drafter lyingAboutDistributions(Drafter honest, double power) {
        return spoiling(
                honest,
                (round, draft, before) ->
                        new Draft(draft.tree(), withPower(draft, draft.selection(), power)));
    }

    /// States the distributions of the previous round.
    ///
    /// @param honest the correct drafter
    /// @return the faulty drafter
    public static Drafter withStaleDistributions(Drafter honest) {
        return spoiling(
                honest, (round, draft, before) -> new Draft(draft.tree(), before.selection()));
    }

    /// Draws in every later round with the noise of a node's first draw.
    ///
    /// @param honest the correct drafter
    /// @return the faulty drafter
    public static Drafter reusingNoise(Drafter honest) {
        return new WrappedDrafter(honest, NoiseReuse::new);
    }

    private static Selection withPower(Draft draft, Selection selection, double power) {
        return switch (selection) {
            case Selection.PointMass() -> selection;
            case Selection.Independent(var distributions) ->
                    new Selection.Independent(withPower(draft, distributions, power));
            case Selection.WithoutReplacement(var distributions) ->
                    new Selection.WithoutReplacement(withPower(draft, distributions, power));
        };
    }

    private static DraftDistributions withPower(
            Draft draft, DraftDistributions distributions, double power) {
        var stated = DraftDistributions.builder();
        for (int node = 0; node < draft.tree().size(); node++) {
            if (distributions.has(node)) {
                double[] row =
                        Arrays.stream(distributions.row(node))
                                .map(mass -> Math.pow(mass, power))
                                .toArray();
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
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var draft = super.propose(budget, randomness);
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
        public Draft propose(DraftBudget budget, Randomness randomness) {
            return super.propose(budget, new Reused(randomness, noise));
        }
    }

    /// Randomness that uses the same number for all draws at a node.
    private record Reused(Randomness fresh, Map<Integer, Double> noise) implements Randomness {
        @Override
        public boolean accept(int node, double numerator, double denominator) {
            return fresh.accept(node, numerator, denominator);
        }

        @Override
        public int draw(Randomness.Role role, int node, double[] distribution) {
            return Categorical.draw(distribution, uniform(role, node));
        }

        @Override
        public int draw(Randomness.Role role, int node, double[] distribution, Support support) {
            return Categorical.draw(distribution, support, uniform(role, node));
        }

        @Override
        public int[] gumbelTopK(int position, double[] distribution, int count) {
            return fresh.gumbelTopK(position, distribution, count);
        }

        @Override
        public double uniform(Randomness.Role role, int node) {
            return noise.computeIfAbsent(node, first -> fresh.uniform(role, first));
        }
    }
}
