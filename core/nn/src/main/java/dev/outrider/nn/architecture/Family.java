package dev.outrider.nn.architecture;

import dev.outrider.nn.network.DecoderConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Model families that differ in where their configuration says what, and in their defaults.
public enum Family {
    LLAMA("llama", "LlamaForCausalLM", 2048),
    MISTRAL("mistral", "MistralForCausalLM", 131_072),
    QWEN2("qwen2", "Qwen2ForCausalLM", 32_768),
    QWEN3("qwen3", "Qwen3ForCausalLM", 32_768),
    MIMO("mimo", "MiMoForCausalLM", 32_768),
    GRANITE("granite", "GraniteForCausalLM", 2048),
    OLMO2("olmo2", "Olmo2ForCausalLM", 2048),
    SMOLLM3("smollm3", "SmolLM3ForCausalLM", 32_768),
    PHI3("phi3", "Phi3ForCausalLM", 4096),
    STARCODER2("starcoder2", "Starcoder2ForCausalLM", 4096),
    GEMMA("gemma", "GemmaForCausalLM", 8192),
    GEMMA2("gemma2", "Gemma2ForCausalLM", 8192),
    GEMMA3("gemma3_text", "Gemma3ForCausalLM", 131_072),
    GPT_NEOX("gpt_neox", "GPTNeoXForCausalLM", 2048),
    GPT2("gpt2", "GPT2LMHeadModel", 1024),
    OPT("opt", "OPTForCausalLM", 2048),
    T5("t5", "T5ForConditionalGeneration", 512),
    MT5("mt5", "MT5ForConditionalGeneration", 512),
    BART("bart", "BartForConditionalGeneration", 1024),
    MARIAN("marian", "MarianMTModel", 512);

    private final String modelType;
    private final String className;
    private final int defaultPositions;

    Family(String modelType, String className, int defaultPositions) {
        this.modelType = modelType;
        this.className = className;
        this.defaultPositions = defaultPositions;
    }

    /// The `model_type` of the family.
    public String modelType() {
        return modelType;
    }

    /// What `architectures` lists.
    String className() {
        return className;
    }

    /// Longest sequence where the configuration does not say.
    int defaultPositions() {
        return defaultPositions;
    }

    /// The family of that `model_type`.
    static Optional<Family> named(String modelType) {
        return Arrays.stream(values())
                .filter(family -> family.modelType.equals(modelType))
                .findFirst();
    }

    /// All known `model_type`s.
    static List<String> names() {
        return Arrays.stream(values()).map(Family::modelType).toList();
    }

    /// The family whose configuration can express a decoder.
    ///
    /// @throws IllegalArgumentException if none can
    public static Family of(DecoderConfig decoder) {
        if (!decoder.plain()) {
            throw new IllegalArgumentException(
                    "no model type that Outrider writes has blocks such as %s, part %s"
                            .formatted(decoder.form(), decoder.part()));
        }
        boolean windowed = decoder.slidingWindow().isPresent();
        boolean feedForwardBias = decoder.feedForwardBias();
        boolean onlyQueryKeyValueBias = decoder.queryKeyValueBias() && !decoder.outputBias();
        if (decoder.outputBias() && !decoder.queryKeyValueBias()
                || feedForwardBias && (windowed || onlyQueryKeyValueBias || decoder.queryKeyNorm())
                || decoder.queryKeyNorm() && onlyQueryKeyValueBias
                || windowed && decoder.outputBias() && !decoder.queryKeyNorm()) {
            throw new IllegalArgumentException(
                    "no model type that Outrider writes has the biases, norms and windows of "
                            + decoder);
        }
        if (decoder.queryKeyNorm()) {
            return QWEN3;
        }
        if (onlyQueryKeyValueBias) {
            return QWEN2;
        }
        if (!windowed) {
            return LLAMA;
        }
        if (decoder.firstWindowLayer() > 0) {
            throw new IllegalArgumentException(
                    "no model type that Outrider writes has a window from layer %d on without biases or norms"
                            .formatted(decoder.firstWindowLayer()));
        }
        return MISTRAL;
    }
}
