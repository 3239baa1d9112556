package dev.outrider.nn.architecture;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.Quantisation;
import dev.outrider.nn.checkpoint.Quantisation.Layout;
import dev.outrider.spi.error.OutriderException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// How `config.json` says that linear weights are kept in few bits.
public final class QuantisationConfig {
    private static final String KEY = "quantization_config";
    private static final String METHOD = "quant_method";
    private static final String COMPRESSED = "compressed-tensors";
    private static final String BITS = "bits";
    private static final String GROUP = "group_size";
    private static final String WITHOUT = "modules_to_not_convert";

    private static final Map<String, Function<QuantisationNode, Quantisation>> METHODS =
            Map.of(
                    COMPRESSED,
                    CompressedTensorsConfig::read,
                    "gptq",
                    QuantisationConfig::gptq,
                    "awq",
                    QuantisationConfig::awq,
                    "fp8",
                    QuantisationConfig::fp8,
                    "mxfp4",
                    QuantisationConfig::mxfp4);

    /// What changes neither numbers nor their layout: how they were found, and how others run them.
    private static final Set<String> GPTQ =
            Set.of(
                    METHOD,
                    BITS,
                    GROUP,
                    "sym",
                    "checkpoint_format",
                    "damp_percent",
                    "damp_auto_increment",
                    "static_groups",
                    "act_group_aware",
                    "true_sequential",
                    "mse",
                    "model_name_or_path",
                    "model_file_base_name",
                    "model_seqlen",
                    "quantizer",
                    "meta",
                    "dataset",
                    "tokenizer",
                    "batch_size",
                    "pad_token_id",
                    "max_input_length",
                    "block_name_to_quantize",
                    "module_name_preceding_first_block",
                    "modules_in_block_to_quantize",
                    "cache_block_outputs",
                    "lm_head",
                    "pack_dtype",
                    "backend",
                    "exllama_config",
                    "use_cuda_fp16",
                    "use_exllama",
                    WITHOUT);

    private static final Set<String> AWQ =
            Set.of(
                    METHOD,
                    BITS,
                    GROUP,
                    "version",
                    "zero_point",
                    "backend",
                    "do_fuse",
                    "exllama_config",
                    "fuse_max_seq_len",
                    WITHOUT);
    private static final Set<String> FP8 =
            Set.of(
                    METHOD,
                    "weight_block_size",
                    "activation_scheme",
                    "fmt",
                    "scale_fmt",
                    "ignored_layers",
                    WITHOUT);

    private QuantisationConfig() {}

    /// Reads it, if it is there.
    ///
    /// @param root of the configuration
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` or `MODEL_CONFIG_INVALID`
    static Optional<Quantisation> read(ConfigNode root) {
        return root.object(KEY).map(QuantisationNode::new).map(QuantisationConfig::form);
    }

    /// What `quant_method` may be.
    public static Set<String> methods() {
        return METHODS.keySet();
    }

    private static Quantisation form(QuantisationNode node) {
        var reader = METHODS.get(node.text(METHOD));
        if (reader == null) {
            throw node.other(METHOD);
        }
        return reader.apply(node);
    }

    private static Quantisation gptq(QuantisationNode node) {
        int bits = node.integer(BITS);
        if (bits != 4 && bits != Byte.SIZE) {
            throw node.other(BITS);
        }
        var layout =
                switch (node.node().text("checkpoint_format", "gptq")) {
                    case "gptq" -> Layout.GPTQ;
                    case "gptq_v2" -> Layout.GPTQ_V2;
                    default -> throw node.other("checkpoint_format");
                };
        if (!node.node().text("pack_dtype", "int32").equals("int32")) {
            throw node.other("pack_dtype");
        }
        node.requireKnown(GPTQ);
        return new Quantisation(layout, bits, 1, node.group(GROUP), true);
    }

    private static Quantisation awq(QuantisationNode node) {
        node.require(BITS, 4);
        if (!node.text("version").equals("gemm")) {
            throw node.other("version");
        }
        node.require("zero_point", true);
        node.requireKnown(AWQ);
        return new Quantisation(Layout.AWQ, 4, 1, node.group(GROUP), true);
    }

    private static Quantisation fp8(QuantisationNode node) {
        if (!node.node().text("fmt", "e4m3").equals("e4m3")) {
            throw node.other("fmt");
        }
        // As with compressed tensors, activations stay as they are where they would be rounded by
        // what each row holds.
        if (!node.node().text("activation_scheme", "dynamic").equals("dynamic")) {
            throw node.other("activation_scheme");
        }
        node.requireKnown(FP8);
        var block = node.block("weight_block_size");
        return floats(Layout.FLOATS_INVERSE, block[0], block[1]);
    }

    private static Quantisation mxfp4(QuantisationNode node) {
        node.requireKnown(Set.of(METHOD, WITHOUT));
        return new Quantisation(Layout.MXFP4, 4, 1, 32, false);
    }

    static Quantisation floats(Layout layout, int rows, int columns) {
        return new Quantisation(layout, Byte.SIZE, rows, columns, false);
    }

    /// Writes the form that Outrider makes: `pack-quantized` of `compressed-tensors`, symmetric groups of [Levels#BLOCK].
    ///
    /// @param root   of the configuration
    /// @param ignore linear layers that are not quantised
    public static void write(ObjectNode root, Levels levels, Collection<String> ignore) {
        var whole =
                root.putObject(KEY)
                        .put(METHOD, COMPRESSED)
                        .put("format", CompressedTensorsConfig.PACKED)
                        .put("quantization_status", CompressedTensorsConfig.STATUS);
        var names = JsonNodeFactory.instance.arrayNode();
        ignore.forEach(names::add);
        whole.set("ignore", names);
        var group = whole.putObject("config_groups").putObject("group_0");
        group.putArray("targets").add("Linear");
        group.putObject("weights")
                .put("num_bits", levels.bits())
                .put("type", "int")
                .put("symmetric", true)
                .put("strategy", "group")
                .put(GROUP, Levels.BLOCK)
                .put("dynamic", false);
    }
}
