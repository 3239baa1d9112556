package dev.outrider.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.PrintableText;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.decode.Generation.Hypothesis;
import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.Variant;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.Tokenizer;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Output of `outrider generate`: the text as it is decoded, the trace of accepted tokens, JSON, and a summary.
final class GenerationOutput {
    private static final ObjectMapper JSON = new ObjectMapper();

    private GenerationOutput() {}

    /// Returns a generation as JSON.
    static ObjectNode json(
            Variant variant, EncodedPrompt prompt, Generation generation, DecodeMetrics metrics) {
        var root = JSON.createObjectNode();
        prompt.ids().forEach(root.putArray("promptIds")::add);
        if (!prompt.source().isEmpty()) {
            prompt.source().forEach(root.putArray("sourceIds")::add);
        }
        addAll(root.putArray("ids"), generation.tokens());
        root.put("text", generation.text());
        root.put("finishReason", generation.reason().name());
        root.put("variant", variant.name());
        root.put("drafter", variant.drafter());
        root.put("rule", variant.rule());
        root.put("temperature", variant.policy().temperature());
        root.put("sampling", variant.sampling());
        if (!generation.hypotheses().isEmpty()) {
            var hypotheses = root.putArray("hypotheses");
            generation.hypotheses().forEach(each -> add(hypotheses.addObject(), each));
        }
        var numbers = root.putObject("metrics");
        numbers.put("rounds", metrics.rounds());
        numbers.put("tokensPerSecond", finite(metrics.tokensPerSecond()));
        numbers.put("tokensPerRound", finite(metrics.tokensPerRound()));
        numbers.put("alpha", finite(metrics.alpha()));
        numbers.put("drafted", metrics.drafted());
        numbers.put("accepted", metrics.accepted());
        var positions = numbers.putArray("perPosition");
        metrics.acceptanceByPosition().forEach(positions::add);
        numbers.put("prefillMillis", metrics.prefillNanos() / 1e6);
        numbers.put("draftMillis", metrics.times().draft() / 1e6);
        numbers.put("scoreMillis", metrics.times().score() / 1e6);
        numbers.put("decideMillis", metrics.times().decide() / 1e6);
        numbers.put("commitMillis", metrics.times().commit() / 1e6);
        numbers.put("observeMillis", metrics.times().observe() / 1e6);
        numbers.put("restMillis", metrics.times().rest() / 1e6);
        return root;
    }

    private static void add(ObjectNode node, Hypothesis hypothesis) {
        addAll(node.putArray("ids"), hypothesis.ids());
        node.put("score", hypothesis.score());
        node.put("logProbability", hypothesis.logProbability());
        node.put("ended", hypothesis.ended());
    }

    private static void addAll(ArrayNode array, int[] values) {
        for (int value : values) {
            array.add(value);
        }
    }

    /// JSON has no NaN: a rate without observations is 0.
    private static double finite(double value) {
        return Double.isFinite(value) ? value : 0;
    }

    /// Returns one line about a generation, for people.
    static String summary(Variant variant, Generation generation, DecodeMetrics metrics) {
        if (generation.tokens().length == 0) {
            return "no tokens, ended by " + reason(generation);
        }
        var text =
                Console.format(
                        "%d tokens, %.1f a second, ended by %s",
                        generation.tokens().length, metrics.tokensPerSecond(), reason(generation));
        return variant.plain()
                ? text
                : text
                        + Console.format(
                                "; %s: %.2f %s, alpha %.2f",
                                variant.name(),
                                metrics.tokensPerRound(),
                                variant.beams().isPresent() ? "steps a pass" : "tokens a round",
                                metrics.alpha());
    }

    private static String reason(Generation generation) {
        return generation.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /// Returns the hypotheses of a beam search, one line for each.
    static String hypotheses(List<Hypothesis> hypotheses, Tokenizer tokenizer) {
        return hypotheses.stream()
                .map(each ->
                        Console.format(
                                "%9.4f  %s%n",
                                each.score(),
                                PrintableText.of(tokenizer.decode(each.ids()).replace('\n', ' '))))
                .collect(Collectors.joining());
    }

    /// Prints text as soon as it is final.
    record TextDisplay(Console console) implements DecodeListener {
        @Override
        public void onEvent(DecodeEvent event) {}

        @Override
        public void onText(String text) {
            console.out().print(text);
            console.out().flush();
        }

        @Override
        public boolean wantsText() {
            return true;
        }
    }

    /// Prints each token with its origin: in colour, or in brackets without colours.
    static final class TraceDisplay implements DecodeListener {
        private final Console console;
        private final Tokenizer.TokenStream stream;

        TraceDisplay(Console console, Tokenizer tokenizer) {
            this.console = console;
            stream = tokenizer.stream();
            console.write(
                    console.err(),
                    "%s an accepted guess, %s a corrected one, %s the token after a draft that was accepted whole%n"
                            .formatted(
                                    marked(TokenMark.ACCEPTED, "text"),
                                    marked(TokenMark.CORRECTED, "text"),
                                    marked(TokenMark.BONUS, "text")));
        }

        @Override
        public void onEvent(DecodeEvent event) {
            switch (event) {
                case DecodeEvent.Prefilled _, DecodeEvent.PluginFailed _ -> {}
                case DecodeEvent.RoundCompleted round -> show(round);
                case DecodeEvent.BeamPassCompleted pass -> show(pass);
                case DecodeEvent.Finished _ -> console.out().print(stream.finish());
            }
            console.out().flush();
        }

        private void show(DecodeEvent.RoundCompleted round) {
            TokenMark.each(
                    round,
                    stream,
                    (mark, text) -> console.write(console.out(), marked(mark, text)));
        }

        /// Prints the numbers of a pass of beam search, which has no tokens before its end.
        private void show(DecodeEvent.BeamPassCompleted pass) {
            console.err()
                    .printf(
                            "pass %d: %d rows, %d guesses, of which %d became beams; %d steps%n",
                            pass.round(), pass.rows(), pass.drafted(), pass.kept(), pass.steps());
        }

        private String marked(TokenMark mark, String text) {
            if (text.isEmpty()) {
                return text;
            }
            return console.colours()
                    ? mark.colour() + PrintableText.of(text) + TokenMark.RESET
                    : mark.bracketed(text);
        }
    }
}
