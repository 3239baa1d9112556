package dev.outrider.experiment.run;

import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Shows the beginning of one measured prompt by every variant that writes one text.
public final class SampleRecorder {
    /// Tokens after which a variant's sample ends.
    static final int MAX_TOKENS = 32;

    private SampleRecorder() {}

    /// The draft and the verdict of a round, without the distributions.
    ///
    /// @param round   its number
    /// @param tree    the draft
    /// @param verdict on the draft
    /// @param emitted tokens
    public record DecidedRound(int round, TokenTree tree, Verdict verdict, int emitted) {
        static DecidedRound of(DecodeEvent.RoundCompleted event) {
            return new DecidedRound(
                    event.round(), event.draft().tree(), event.verdict(), event.emitted());
        }
    }

    /// The first prompt that was measured and did not fail later.
    ///
    /// @return empty if there is none, or no variant writes one text
    public static Optional<Samples> of(ComparisonResult result) {
        var plan = result.plan();
        var kept =
                result.generations().stream().filter(each -> !each.beginning().isEmpty()).toList();
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        int prompt = kept.getFirst().prompt();
        var tokenizer = plan.variants().getFirst().decoder().target().tokenizer();
        var sampled = plan.prompts().get(prompt);
        var source = sampled.source().stream().mapToInt(Integer::intValue).toArray();
        var text = Optional.of(source).filter(each -> each.length > 0).map(tokenizer::decode);
        var written =
                plan.variants().stream()
                        .filter(variant -> !variant.plain() && variant.beams().isEmpty())
                        .map(Variant::name)
                        .map(name ->
                                new Samples.OfVariant(name, rounds(name, prompt, kept, tokenizer)))
                        .toList();
        return Optional.of(
                new Samples(sampled.id(), tokenizer.decode(sampled.array()), text, written));
    }

    private static List<Samples.Round> rounds(
            String variant, int prompt, List<GenerationRecord> kept, Tokenizer tokenizer) {
        return kept.stream()
                .filter(each -> each.prompt() == prompt && each.variant().equals(variant))
                .flatMap(each -> each.beginning().stream())
                .map(each -> round(each, tokenizer))
                .toList();
    }

    private static Samples.Round round(DecidedRound decided, Tokenizer tokenizer) {
        var tree = decided.tree();
        var nodes = new ArrayList<Samples.Node>();
        for (int node = 1; node < tree.size(); node++) {
            nodes.add(
                    new Samples.Node(
                            tree.parent(node),
                            tree.token(node),
                            text(tokenizer, tree.token(node)),
                            tree.verified(node)));
        }
        var verdict = decided.verdict();
        return new Samples.Round(
                decided.round(),
                nodes,
                verdict.acceptedNodes(),
                text(tokenizer, verdict.nextToken()),
                switch (verdict.origin()) {
                    case BONUS -> true;
                    case CORRECTION -> false;
                },
                decided.emitted());
    }

    /// Returns the text of a token, or the vocabulary's spelling if the token is not a text by itself.
    private static String text(Tokenizer tokenizer, int id) {
        String text = tokenizer.decode(new int[] {id});
        return text.isEmpty() || text.indexOf('\uFFFD') >= 0 ? tokenizer.piece(id) : text;
    }
}
