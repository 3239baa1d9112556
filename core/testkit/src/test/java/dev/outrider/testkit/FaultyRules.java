package dev.outrider.testkit;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.random.ForwardingRandomness;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/// Acceptance rules with known mistakes. Each claims to be lossless; without its fault it is (the
/// correct counterpart of a control).
final class FaultyRules {
    private FaultyRules() {}

    private interface Claims extends AcceptanceRule {
        @Override
        default RuleTraits traits() {
            return new SampleAndMatchRule().traits();
        }
    }

    /// Token-level rejection whose bonus is drawn at twice the temperature.
    record UntemperedBonus(boolean faulty) implements Claims {
        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var verdict = new TokenRejectionRule().decide(draft, target, randomness);
            if (!faulty || verdict.origin() == Origin.CORRECTION) {
                return verdict;
            }
            double[] distribution =
                    Arrays.stream(target.distribution(verdict.lastNode()))
                            .map(Math::sqrt)
                            .toArray();
            int next = randomness.draw(Randomness.Role.BONUS, verdict.lastNode(), distribution);
            return new Verdict(verdict.acceptedNodes(), next, Origin.BONUS);
        }
    }

    /// Token-level rejection that draws corrections from p.
    record WithoutResidual(boolean faulty) implements Claims {
        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var verdict = new TokenRejectionRule().decide(draft, target, randomness);
            if (!faulty || verdict.origin() == Origin.BONUS) {
                return verdict;
            }
            int node = verdict.lastNode();
            int next = randomness.draw(Randomness.Role.RESIDUAL, node, target.distribution(node));
            return new Verdict(verdict.acceptedNodes(), next, Origin.CORRECTION);
        }
    }

    /// Token-level rejection that accepts every guess with positive target probability, in drafts
    /// of one selection.
    ///
    /// @param faulty the selection
    record KeepsThePossible(Selection.Kind faulty) implements AcceptanceRule {
        @Override
        public RuleTraits traits() {
            return new TokenRejectionRule().traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            return draft.selection().kind() == faulty
                    ? new TokenRejectionRule().decide(draft, target, new Generous(randomness))
                    : new TokenRejectionRule().decide(draft, target, randomness);
        }
    }

    /// Randomness that accepts every token with a positive probability.
    private record Generous(Randomness randomness) implements ForwardingRandomness {
        @Override
        public boolean accept(int node, double numerator, double denominator) {
            return randomness.accept(node, numerator > 0 ? 1 : 0, 1);
        }
    }

    /// Sample and match that may draw everywhere with the support of the root's distribution.
    record RootSupport(boolean faulty) implements Claims {
        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            return new SampleAndMatchRule()
                    .decide(draft, faulty ? new WithRootSupport(target) : target, randomness);
        }
    }

    private record WithRootSupport(TargetDistributions target) implements TargetDistributions {
        @Override
        public int vocabularySize() {
            return target.vocabularySize();
        }

        @Override
        public double[] distribution(int node) {
            return target.distribution(node);
        }

        @Override
        public Support support(int node) {
            return target.support(0);
        }

        @Override
        public int position(int node) {
            return target.position(node);
        }

        @Override
        public int mode(int node) {
            return target.mode(node);
        }
    }

    /// Misreadings of block verification.
    enum BlockFault {
        NONE,
        STOPS_AT_FIRST_FAILURE,
        KEEPS_WITH_PREFIX_WEIGHT
    }

    /// Block verification, implemented a second time.
    record Block(BlockFault fault) implements Claims {
        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var chain = draft.tree();
            var drafts = distributions(draft);
            int length = chain.draftedNodes();
            var weight = new double[length + 1];
            weight[0] = 1;
            int kept = 0;
            for (int i = 1; i <= length; i++) {
                int token = chain.token(i);
                double ratio = target.distribution(i - 1)[token] / drafts.row(i - 1)[token];
                weight[i] = Math.min(weight[i - 1] * ratio, 1);
                if (randomness.accept(i, chance(i, length, weight[i], target, drafts), 1)) {
                    kept = i;
                } else if (fault == BlockFault.STOPS_AT_FIRST_FAILURE) {
                    break;
                }
            }
            double[] rest =
                    kept == length
                            ? target.distribution(kept)
                            : residual(weight[kept], target.distribution(kept), drafts.row(kept));
            int next = randomness.draw(Randomness.Role.RESIDUAL, kept, rest);
            var path = IntStream.rangeClosed(1, kept).boxed().toList();
            return new Verdict(path, next, kept == length ? Origin.BONUS : Origin.CORRECTION);
        }

        private double chance(
                int i,
                int length,
                double weight,
                TargetDistributions target,
                DraftDistributions drafts) {
            if (i == length || fault == BlockFault.KEEPS_WITH_PREFIX_WEIGHT) {
                return weight;
            }
            double mass = mass(weight, target.distribution(i), drafts.row(i));
            return mass + 1 - weight > 0 ? mass / (mass + 1 - weight) : 1;
        }
    }

    /// Multi-step rejection that may leave out a repeated sibling.
    record MultiStep(boolean skipsRepeats) implements Claims {
        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var tree = draft.tree();
            double[] left = target.distribution(0);
            double[] q = distributions(draft).row(0);
            var seen = new HashSet<Integer>();
            for (int child : tree.candidates(0)) {
                int token = tree.token(child);
                if (!seen.add(token) && skipsRepeats) {
                    continue;
                }
                if (randomness.accept(child, left[token], q[token])) {
                    int next =
                            randomness.draw(
                                    Randomness.Role.BONUS, child, target.distribution(child));
                    return new Verdict(List.of(child), next, Origin.BONUS);
                }
                left = residual(1, left, q);
            }
            return new Verdict(
                    List.of(),
                    randomness.draw(Randomness.Role.RESIDUAL, 0, left),
                    Origin.CORRECTION);
        }
    }

    /// One uniform against the running mass of a node's distinct children, as in a serving engine's kernel;
    /// exact when both thresholds are 1.
    record SingleUniform(double enoughAlone, double enoughTogether) implements Claims {
        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var tree = draft.tree();
            double[] p = target.distribution(0);
            double[] rest = p.clone();
            double running = 0;
            double used = 0;
            for (int child : tree.candidates(0)) {
                int token = tree.token(child);
                running += p[token];
                rest[token] = 0;
                double upTo = p[token] >= enoughAlone ? 1 : Math.min(1, running / enoughTogether);
                upTo = Math.max(used, upTo);
                if (used < 1 && randomness.accept(child, upTo - used, 1 - used)) {
                    int next =
                            randomness.draw(
                                    Randomness.Role.BONUS, child, target.distribution(child));
                    return new Verdict(List.of(child), next, Origin.BONUS);
                }
                used = upTo;
            }
            double[] distribution = Arrays.stream(rest).sum() > 0 ? rest : p;
            return new Verdict(
                    List.of(),
                    randomness.draw(Randomness.Role.RESIDUAL, 0, distribution),
                    Origin.CORRECTION);
        }
    }

    /// Traversal of a tree drawn without replacement that may divide by the distribution's mass
    /// without the child.
    record Traversal(boolean dividesByTheRest) implements Claims {
        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            return visit(draft, target, randomness, 0, 1).orElseThrow();
        }

        private Optional<Verdict> visit(
                Draft draft,
                TargetDistributions target,
                Randomness randomness,
                int node,
                double pathWeight) {
            var tree = draft.tree();
            double weight = pathWeight;
            double[] left = target.distribution(node);
            double[] s = tree.childCount(node) > 0 ? distributions(draft).row(node) : left;
            for (int child : tree.candidates(node)) {
                int token = tree.token(child);
                double down = s[token] > 0 ? Math.min(weight * left[token] / s[token], 1) : 0;
                var verdict = visit(draft, target, randomness, child, down);
                if (verdict.isPresent()) {
                    return verdict;
                }
                double mass = mass(weight, left, s);
                left = residual(weight, left, s);
                double total = dividesByTheRest ? 1 - s[token] : mass + 1 - weight;
                weight = total > 0 ? Math.min(mass / total, 1) : dividesByTheRest ? 0 : 1;
                s = without(s, token);
            }
            if (node > 0 && !randomness.accept(node, weight, 1)) {
                return Optional.empty();
            }
            int next = randomness.draw(Randomness.Role.RESIDUAL, node, left);
            var path = Arrays.stream(tree.path(node)).skip(1).boxed().toList();
            return Optional.of(new Verdict(path, next, Origin.CORRECTION));
        }
    }

    private static DraftDistributions distributions(Draft draft) {
        return switch (draft.selection()) {
            case Selection.Independent(var distributions) -> distributions;
            case Selection.WithoutReplacement(var distributions) -> distributions;
            case Selection.PointMass() -> throw new IllegalArgumentException("no distributions");
        };
    }

    private static double mass(double weight, double[] p, double[] q) {
        return IntStream.range(0, p.length)
                .mapToDouble(token -> Math.max(weight * p[token] - q[token], 0))
                .sum();
    }

    private static double[] residual(double weight, double[] p, double[] q) {
        double mass = mass(weight, p, q);
        return mass > 0
                ? map(p.length, token -> Math.max(weight * p[token] - q[token], 0) / mass)
                : p;
    }

    private static double[] without(double[] distribution, int token) {
        double left = Arrays.stream(distribution).sum() - distribution[token];
        return map(
                distribution.length,
                other -> other == token || left <= 0 ? 0 : distribution[other] / left);
    }

    private static double[] map(int length, IntToDoubleFunction value) {
        return IntStream.range(0, length).mapToDouble(value).toArray();
    }
}
