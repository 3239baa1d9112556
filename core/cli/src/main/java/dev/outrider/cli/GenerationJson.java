package dev.outrider.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.decode.Hypothesis;
import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.Variant;

/// A generation as one line of JSON.
final class GenerationJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private GenerationJson() {}

    static String of(
            Variant side, EncodedPrompt prompt, Generation generation, DecodeMetrics metrics) {
        var root = JSON.createObjectNode();
        prompt.ids().forEach(root.putArray("promptIds")::add);
        if (!prompt.source().isEmpty()) {
            prompt.source().forEach(root.putArray("sourceIds")::add);
        }
        addAll(root.putArray("ids"), generation.tokens());
        root.put("text", generation.text());
        root.put("finishReason", generation.reason().name());
        root.put("variant", side.name());
        root.put("drafter", side.drafter());
        root.put("rule", side.rule());
        root.put("temperature", side.policy().temperature());
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
        return root.toString();
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

    /// JSON has no NaN: a rate without a single trial is 0.
    private static double finite(double value) {
        return Double.isFinite(value) ? value : 0;
    }
}
