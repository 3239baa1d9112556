package dev.outrider.experiment.run;

import dev.outrider.experiment.run.Samples.Round;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

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
        var rounds = new Rounds(variant.decoder().target().tokenizer());
        variant.decoder()
                .decode(
                        plan.request(variant, prompt),
                        plan.randomness(variant, prompt, 0),
                        rounds,
                        () -> cancelled.getAsBoolean() || rounds.emitted >= MAX_TOKENS);
        return new Samples.OfVariant(variant.name(), rounds.kept);
    }

    /// Returns the text of a token, or the vocabulary's spelling if the token is no text by itself.
    private static String text(Tokenizer tokenizer, int id) {
        String text = tokenizer.decode(new int[] {id});
        return text.isEmpty() || text.indexOf('\uFFFD') >= 0 ? tokenizer.piece(id) : text;
    }

    /// Collects rounds.
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
            var nodes = new ArrayList<Samples.Node>();
            for (int node = 1; node < tree.size(); node++) {
                nodes.add(
                        new Samples.Node(
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
}
