package dev.outrider.common.sampling;

import dev.outrider.common.Require;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Orders of operators, by name. Operators that a library does not have are at the place where our implementation would add them.
final class OperatorOrder {
    /// The order of [SamplingPolicy][dev.outrider.spi.sampling.SamplingPolicy] too.
    static final String STANDARD = "transformers";

    private static final Map<String, List<Operator>> NAMED = new LinkedHashMap<>();

    static {
        // Transformers, generation/utils.py, _get_logits_processor.
        NAMED.put(
                STANDARD,
                read(
                        "bias, repetitionPenalty, penalties, dry, banned, minTokens, allowed, temperature, topK, topP, minP, typical, epsilon, eta, topA, topNSigma, xtc, mirostat"));
        // vLLM, v1/sample/sampler.py, apply_logits_processors and sample.
        NAMED.put(
                "vllm",
                read(
                        "allowed, banned, minTokens, bias, repetitionPenalty, penalties, dry, temperature, minP, topK, topP, typical, epsilon, eta, topA, topNSigma, xtc, mirostat"));
        // SGLang, sampling/sampling_batch_info.py, apply_logits_bias; layers/sampler.py,
        // top_k_top_p_min_p_sampling_from_probs_torch. Top-k and top-p are joint there: top-p
        // measures all tokens, as if it came first. With FlashInfer they are joint too, but
        // together with min-p they are steps: topK, topP, minP.
        NAMED.put(
                "sglang",
                read(
                        "penalties, minTokens, repetitionPenalty, dry, allowed, banned, bias, temperature, topP, topK, minP, typical, epsilon, eta, topA, topNSigma, xtc, mirostat"));
        // llama.cpp, common/common.h, common_params_sampling::samplers.
        NAMED.put(
                "llama.cpp",
                read(
                        "bias, allowed, banned, minTokens, repetitionPenalty, penalties, dry, topNSigma, topK, typical, topP, minP, epsilon, eta, topA, xtc, temperature, mirostat"));
    }

    private OperatorOrder() {}

    /// The operators of an order.
    ///
    /// @param text a name, or operators with commas between them
    /// @throws IllegalArgumentException if it is neither, or an operator is there twice
    static List<Operator> of(String text) {
        var named = NAMED.get(text);
        return named == null ? read(text) : named;
    }

    private static List<Operator> read(String text) {
        var operators =
                Arrays.stream(text.split(",", -1))
                        .map(name -> operator(name.strip(), text))
                        .toList();
        Require.that(
                operators.stream().distinct().count() == operators.size(),
                "order '%s' has an operator twice",
                text);
        int mirostat = operators.indexOf(Operator.MIROSTAT);
        Require.that(
                mirostat < 0 || mirostat == operators.size() - 1,
                "order '%s' goes on after mirostat, expected it last: it learns from the distribution that it leaves",
                text);
        return operators;
    }

    private static Operator operator(String name, String text) {
        return Operator.all()
                .filter(each -> each.key().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "order '%s' has the unknown operator '%s', expected %s, or operators of: %s"
                                        .formatted(
                                                text,
                                                name,
                                                String.join(", ", NAMED.keySet()),
                                                Operator.all()
                                                        .map(Operator::key)
                                                        .collect(Collectors.joining(", ")))));
    }
}
