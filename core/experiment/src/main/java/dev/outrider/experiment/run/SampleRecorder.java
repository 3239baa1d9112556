package dev.outrider.experiment.run;

import dev.outrider.experiment.run.Samples.Distributions;
import dev.outrider.experiment.run.Samples.Node;
import dev.outrider.experiment.run.Samples.Others;
import dev.outrider.experiment.run.Samples.Round;
import dev.outrider.experiment.run.Samples.Row;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/// Decodes the beginning of one prompt with every variant that writes one text, and keeps its rounds. Confined to one thread.
public final class SampleRecorder {
    /// Tokens after which a variant's sample ends.
    static final int MAX_TOKENS = 32;

    private final ComparisonPlan plan;
    private final BooleanSupplier cancelled;

    /// @param cancelled asked before every round; once it is true samples end where they are
    public SampleRecorder(ComparisonPlan plan, BooleanSupplier cancelled) {
        this.plan = plan;
        this.cancelled = cancelled;
    }

    /// Record every variant.
    ///
    /// @param prompt index of a prompt that all of them can continue
    public Samples record(int prompt) {
        var tokenizer = plan.variants().getFirst().decoder().target().tokenizer();
        var sampled = plan.prompts().get(prompt);
        var source = sampled.source().stream().mapToInt(Integer::intValue).toArray();
        return new Samples(
                sampled.id(),
                tokenizer.decode(sampled.array()),
                source.length == 0 ? Optional.empty() : Optional.of(tokenizer.decode(source)),
                plan.variants().stream()
                        .filter(variant -> !variant.plain() && variant.beams().isEmpty())
                        .map(variant -> variant(variant, prompt))
                        .toList());
    }

    private Samples.OfVariant variant(Variant variant, int prompt) {
        TargetModel target = variant.decoder().target();
        var watch =
                new DistributionWatch(variant.decoder().rule(), id -> text(target.tokenizer(), id));
        var rounds = new Rounds(target.tokenizer());
        variant.decoder()
                .withRule(watch)
                .decode(
                        plan.request(variant, prompt),
                        plan.randomness(variant, prompt, 0),
                        rounds,
                        () -> cancelled.getAsBoolean() || rounds.emitted >= MAX_TOKENS);
        return new Samples.OfVariant(variant.name(), rounds.kept, watch.median());
    }

    /// What a token reads as; the vocabulary's own spelling where that is no text by itself.
    private static String text(Tokenizer tokenizer, int id) {
        String text = tokenizer.decode(new int[] {id});
        return text.isEmpty() || text.indexOf('\uFFFD') >= 0 ? tokenizer.piece(id) : text;
    }

    /// Collects rounds without their distributions.
    private static final class Rounds implements DecodeListener {
        private final Tokenizer tokenizer;
        private final List<Round> kept = new ArrayList<>();
        private int emitted;

        Rounds(Tokenizer tokenizer) {
            this.tokenizer = tokenizer;
        }

        @Override
        public void onEvent(DecodeEvent event) {
            if (event instanceof DecodeEvent.RoundCompleted round) {
                emitted += round.emitted();
                kept.add(of(round));
            }
        }

        private Round of(DecodeEvent.RoundCompleted event) {
            var tree = event.draft().tree();
            var nodes = new ArrayList<Node>();
            for (int node = 1; node < tree.size(); node++) {
                nodes.add(
                        new Node(
                                tree.parent(node),
                                tree.token(node),
                                text(tokenizer, tree.token(node)),
                                tree.verified(node)));
            }
            Verdict verdict = event.verdict();
            return new Round(
                    event.round(),
                    nodes,
                    verdict.acceptedNodes(),
                    text(tokenizer, verdict.nextToken()),
                    switch (verdict.origin()) {
                        case BONUS -> true;
                        case CORRECTION -> false;
                    },
                    event.emitted());
        }
    }

    /// A rule that decides as another does and keeps what p and q were at the root. Confined to one thread.
    static final class DistributionWatch implements AcceptanceRule {
        private static final int ROWS = 10;

        private final AcceptanceRule rule;
        private final IntFunction<String> text;
        private final List<Distributions> seen = new ArrayList<>();
        private int round;

        /// @param text what a token reads as
        DistributionWatch(AcceptanceRule rule, IntFunction<String> text) {
            this.rule = rule;
            this.text = text;
        }

        @Override
        public RuleTraits traits() {
            return rule.traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var verdict = rule.decide(draft, target, randomness);
            int[] candidates = draft.tree().candidates(0);
            if (candidates.length > 0) {
                int drawn = draft.tree().token(candidates[0]);
                boolean kept = verdict.acceptedNodes().contains(candidates[0]);
                distribution(draft.selection(), drawn, target.vocabularySize())
                        .ifPresent(q ->
                                seen.add(distributions(draft, target.distribution(0), q, drawn, kept)));
            }
            round++;
            return verdict;
        }

        /// Of the rounds so far with a guess, the one of median beta; the lower of two.
        Optional<Distributions> median() {
            var sorted = seen.stream().sorted(Comparator.comparingDouble(Distributions::beta)).toList();
            return sorted.isEmpty()
                    ? Optional.empty()
                    : Optional.of(sorted.get((sorted.size() - 1) / 2));
        }

        private static Optional<double[]> distribution(Selection selection, int drawn, int vocabulary) {
            return switch (selection) {
                case Selection.PointMass _ -> {
                    var q = new double[vocabulary];
                    q[drawn] = 1;
                    yield Optional.of(q);
                }
                case Selection.Independent(DraftDistributions distributions) -> row(distributions);
                case Selection.WithoutReplacement(DraftDistributions distributions) ->
                        row(distributions);
            };
        }

        private static Optional<double[]> row(DraftDistributions distributions) {
            return distributions.has(0) ? Optional.of(distributions.row(0)) : Optional.empty();
        }

        private Distributions distributions(
                Draft draft, double[] p, double[] q, int drawn, boolean kept) {
            List<Integer> shown = most(p, q, drawn);
            double beta = 0;
            double restP = 0;
            double restQ = 0;
            double overlap = 0;
            int others = 0;
            for (int token = 0; token < p.length; token++) {
                double both = Math.min(p[token], q[token]);
                beta += both;
                if (!shown.contains(token) && p[token] + q[token] > 0) {
                    others++;
                    restP += p[token];
                    restQ += q[token];
                    overlap += both;
                }
            }
            return new Distributions(
                    round,
                    spelled(draft.selection()),
                    beta,
                    shown.stream()
                            .sorted(
                                    Comparator.comparingDouble((Integer token) -> -p[token])
                                            .thenComparing(token -> token))
                            .map(token -> new Row(token, text.apply(token), p[token], q[token]))
                            .toList(),
                    new Others(others, restP, restQ, overlap),
                    drawn,
                    kept);
        }

        /// The tokens with most of either distribution, the guess among them.
        private static List<Integer> most(double[] p, double[] q, int drawn) {
            var least =
                    new PriorityQueue<Integer>(
                            Comparator.comparingDouble(token -> Math.max(p[token], q[token])));
            for (int token = 0; token < p.length; token++) {
                if (token != drawn && p[token] + q[token] > 0) {
                    least.add(token);
                    if (least.size() >= ROWS) {
                        least.remove();
                    }
                }
            }
            var most = new ArrayList<Integer>(least);
            most.add(drawn);
            return most;
        }

        private static String spelled(Selection selection) {
            return switch (selection.kind()) {
                case POINT_MASS -> "point mass";
                case INDEPENDENT -> "independent";
                case WITHOUT_REPLACEMENT -> "without replacement";
            };
        }
    }
}
