package dev.outrider.nn.architecture;

import dev.outrider.common.Require;
import dev.outrider.nn.network.DecoderConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Model families that differ in the keys of their configuration and in which keys are optional.
public enum Family {
    LLAMA("llama", "LlamaForCausalLM", "llama"),
    MISTRAL("mistral", "MistralForCausalLM", ""),
    QWEN2("qwen2", "Qwen2ForCausalLM", "qwen2"),
    QWEN3("qwen3", "Qwen3ForCausalLM", "qwen3"),
    MIMO("mimo", "MiMoForCausalLM", ""),
    MIXTRAL("mixtral", "MixtralForCausalLM", ""),
    QWEN2_MOE("qwen2_moe", "Qwen2MoeForCausalLM", ""),
    QWEN3_MOE("qwen3_moe", "Qwen3MoeForCausalLM", "qwen3moe"),
    GPT_OSS("gpt_oss", "GptOssForCausalLM", "gpt-oss"),
    GRANITE("granite", "GraniteForCausalLM", "granite"),
    OLMO2("olmo2", "Olmo2ForCausalLM", "olmo2"),
    SMOLLM3("smollm3", "SmolLM3ForCausalLM", "smollm3"),
    PHI3("phi3", "Phi3ForCausalLM", "phi3"),
    STARCODER2("starcoder2", "Starcoder2ForCausalLM", "starcoder2"),
    GEMMA("gemma", "GemmaForCausalLM", "gemma"),
    GEMMA2("gemma2", "Gemma2ForCausalLM", "gemma2"),
    GEMMA3("gemma3_text", "Gemma3ForCausalLM", "gemma3"),
    GPT_NEOX("gpt_neox", "GPTNeoXForCausalLM", "gptneox"),
    GPT2("gpt2", "GPT2LMHeadModel", "gpt2"),
    OPT("opt", "OPTForCausalLM", ""),
    T5("t5", "T5ForConditionalGeneration", ""),
    MT5("mt5", "MT5ForConditionalGeneration", ""),
    BART("bart", "BartForConditionalGeneration", ""),
    MARIAN("marian", "MarianMTModel", "");

    private final String modelType;
    private final String className;
    private final String architecture;

    /// @param architecture `general.architecture` in GGUF files; empty if they are not read
    Family(String modelType, String className, String architecture) {
        this.modelType = modelType;
        this.className = className;
        this.architecture = architecture;
    }

    /// Returns the `model_type` of the family.
    public String modelType() {
        return modelType;
    }

    /// Returns the entry of `architectures`.
    String className() {
        return className;
    }

    /// Returns the family of a `model_type`.
    static Optional<Family> named(String modelType) {
        return Arrays.stream(values())
                .filter(family -> family.modelType.equals(modelType))
                .findFirst();
    }

    /// Returns the families by `general.architecture`.
    static SortedMap<String, Family> byArchitecture() {
        var families = new TreeMap<String, Family>();
        Arrays.stream(values()).forEach(each -> families.put(each.architecture, each));
        families.remove("");
        return families;
    }

    /// Returns all known `model_type`s.
    static List<String> names() {
        return Arrays.stream(values()).map(Family::modelType).toList();
    }

    /// Returns the family whose configuration can express a decoder.
    ///
    /// @throws IllegalArgumentException if none can
    public static Family of(DecoderConfig decoder) {
        Require.that(
                decoder.plain(),
                "no model type that Outrider writes has blocks such as %s, part %s",
                decoder.form(),
                decoder.part());
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
        Require.that(
                decoder.firstWindowLayer() <= 0,
                "no model type that Outrider writes has a window from layer %d on without biases or norms",
                decoder.firstWindowLayer());
        return MISTRAL;
    }
}
