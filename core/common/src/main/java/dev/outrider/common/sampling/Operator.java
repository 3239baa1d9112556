package dev.outrider.common.sampling;

import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/// One step from logits to a distribution (docs/reference/samplers.md).
///
/// @see "Transformers, generation/logits_process.py; llama.cpp, src/llama-sampler.cpp"
enum Operator {
    BIAS("bias", true, s -> shown(new TreeMap<>(s.bias())), OperatorRow::bias),
    ALLOWED("allowed", true, s -> shown(s.allowed()), OperatorRow::allow),
    BANNED("banned", true, s -> shown(s.banned()), OperatorRow::ban),
    MIN_TOKENS("minTokens", true, s -> shown(s.minTokens(), 0), OperatorRow::goOn),
    /// Keskar et al. 2019 (CTRL), section 4.1, in the form of Transformers.
    REPETITION_PENALTY(
            "repetitionPenalty",
            true,
            _ -> "",
            (_, policy) -> policy.usesHistory(),
            OperatorRow::penaliseRepetition),
    /// OpenAI's API reference, `presence_penalty` and `frequency_penalty`.
    PENALTIES(
            "penalties",
            true,
            s -> shown(s.presencePenalty() + " and " + s.frequencyPenalty(), "0.0 and 0.0"),
            OperatorRow::penaliseWritten),
    /// p-e-w 2024, text-generation-webui pull request 5677.
    DRY("dry", true, s -> shown(s.dry()), OperatorRow::penaliseRuns),
    /// With `dynamicTemperature`: kalomaze 2023, llama.cpp pull request 4972.
    TEMPERATURE(
            "temperature",
            false,
            s -> shown(s.dynamicTemperature()),
            (_, _) -> true,
            OperatorRow::temper),
    TOP_K("topK", false, _ -> "", (_, policy) -> policy.topK() > 0, OperatorRow::keepTopK),
    /// Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration".
    TOP_P("topP", false, _ -> "", (_, policy) -> policy.topP() < 1, OperatorRow::keepTopP),
    /// Nguyen et al. 2024, "Turning Up the Heat".
    MIN_P("minP", false, _ -> "", (_, policy) -> policy.minP() > 0, OperatorRow::keepMinP),
    /// Tang et al. 2024, "Top-n-sigma: Not All Logits Are You Need".
    TOP_N_SIGMA("topNSigma", false, s -> shown(s.topNSigma(), 0.0), OperatorRow::keepTopNSigma),
    /// Meister et al. 2022, "Locally Typical Sampling".
    TYPICAL("typical", false, s -> shown(s.typical(), 1.0), OperatorRow::keepTypical),
    /// Hewitt et al. 2022, "Truncation Sampling as Language Model Desmoothing".
    EPSILON("epsilon", false, s -> shown(s.epsilon(), 0.0), OperatorRow::keepEpsilon),
    /// As [#EPSILON].
    ETA("eta", false, s -> shown(s.eta(), 0.0), OperatorRow::keepEta),
    /// BlinkDL 2022, RWKV-LM.
    TOP_A("topA", false, s -> shown(s.topA(), 0.0), OperatorRow::keepTopA),
    /// p-e-w 2024, text-generation-webui pull request 6335. [OperatorRow] continues with both outcomes of its coin.
    XTC("xtc", false, s -> shown(s.xtc()), OperatorRow::removeTop),
    /// Basu et al. 2021, "Mirostat", in llama.cpp's second version.
    MIROSTAT("mirostat", false, s -> shown(s.mirostat()), OperatorRow::keepUnsurprising);

    private final String key;
    private final boolean greedy;
    private final Function<SamplingOperators, String> setting;
    private final BiPredicate<SamplingOperators, SamplingPolicy> on;
    private final Consumer<OperatorRow> step;

    /// @param key     name in an order
    /// @param greedy  whether it applies at temperature 0
    /// @param setting its value, empty if it is off
    /// @param on      whether it changes anything
    /// @param step    its computation
    Operator(
            String key,
            boolean greedy,
            Function<SamplingOperators, String> setting,
            BiPredicate<SamplingOperators, SamplingPolicy> on,
            Consumer<OperatorRow> step) {
        this.key = key;
        this.greedy = greedy;
        this.setting = setting;
        this.on = on;
        this.step = step;
    }

    /// An operator that no [SamplingPolicy] has.
    Operator(
            String key,
            boolean greedy,
            Function<SamplingOperators, String> setting,
            Consumer<OperatorRow> step) {
        this(key, greedy, setting, (settings, _) -> !setting.apply(settings).isEmpty(), step);
    }

    static Stream<Operator> all() {
        return Stream.of(values());
    }

    String key() {
        return key;
    }

    /// Whether it is on in one of our settings.
    boolean set(SamplingOperators settings) {
        return !setting.apply(settings).isEmpty();
    }

    /// Returns whether every order must name it, even if it is off: a request may switch it on.
    boolean ofPolicy() {
        return switch (this) {
            case REPETITION_PENALTY, TEMPERATURE, TOP_K, TOP_P, MIN_P -> true;
            default -> false;
        };
    }

    /// Whether it changes anything.
    boolean on(SamplingOperators settings, SamplingPolicy policy) {
        return (greedy || !policy.greedy()) && on.test(settings, policy);
    }

    void apply(OperatorRow row) {
        step.accept(row);
    }

    /// Name and settings, if it is on in one of our settings.
    String label(SamplingOperators settings) {
        return set(settings) ? key + " " + setting.apply(settings) : "";
    }

    private static String shown(Object value, Object off) {
        return value.equals(off) ? "" : value.toString();
    }

    private static String shown(Object many) {
        return shown(many.toString(), many instanceof TreeMap<?, ?> ? "{}" : "[]");
    }

    private static String shown(Optional<? extends Record> record) {
        return record.map(each ->
                        each.toString()
                                .substring(each.getClass().getSimpleName().length())
                                .replace('=', ' '))
                .orElse("");
    }
}
