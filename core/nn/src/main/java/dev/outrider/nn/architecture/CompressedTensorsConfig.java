package dev.outrider.nn.architecture;

import static dev.outrider.nn.checkpoint.Quantisation.ALL;

import dev.outrider.nn.checkpoint.Quantisation;
import dev.outrider.nn.checkpoint.Quantisation.Layout;
import dev.outrider.spi.error.OutriderException;
import java.util.List;
import java.util.Set;

/// How `compressed-tensors` says it: one group of settings for all linear weights.
final class CompressedTensorsConfig {
    static final String STATUS = "compressed";
    static final String PACKED = "pack-quantized";
    private static final String INTEGERS = "int-quantized";
    private static final String FLOATS = "float-quantized";
    private static final String BITS = "num_bits";
    private static final String FORMAT = "format";
    private static final String STRATEGY = "strategy";
    private static final String ACTIVATIONS = "input_activations";

    private static final Set<String> WHOLE =
            Set.of(
                    "quant_method",
                    FORMAT,
                    "quantization_status",
                    "ignore",
                    "config_groups",
                    "global_compression_ratio",
                    "version");
    private static final Set<String> GROUP = Set.of("targets", "weights", ACTIVATIONS, FORMAT);
    private static final Set<String> WEIGHTS =
            Set.of(
                    BITS,
                    "type",
                    "symmetric",
                    STRATEGY,
                    "group_size",
                    "dynamic",
                    "actorder",
                    "block_structure",
                    "observer",
                    "observer_kwargs",
                    "zp_dtype",
                    "scale_dtype");

    private CompressedTensorsConfig() {}

    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` or `MODEL_CONFIG_INVALID`
    static Quantisation read(QuantisationNode whole) {
        var format = whole.text(FORMAT);
        whole.require("quantization_status", STATUS);
        var groups = whole.object("config_groups");
        if (groups.node().node().size() != 1) {
            throw whole.other("config_groups");
        }
        var group = groups.object(groups.node().node().fieldNames().next());
        if (!group.node().texts("targets").equals(List.of("Linear"))) {
            throw group.other("targets");
        }
        if (group.node().has(FORMAT)) {
            group.require(FORMAT, format);
        }
        whole.requireKnown(WHOLE);
        group.requireKnown(GROUP);
        var weights = group.object("weights");
        var form =
                switch (format) {
                    case PACKED -> integers(weights, Layout.PACKED);
                    case INTEGERS -> integers(weights, Layout.INTEGERS);
                    case FLOATS -> floats(weights);
                    default -> throw whole.other(FORMAT);
                };
        requireActivations(group, form.layout() == Layout.FLOATS);
        weights.require("dynamic", false);
        weights.requireKnown(WEIGHTS);
        return form;
    }

    /// What activations are rounded to is part of the result, unless it is chosen anew for every row from floats of eight bits: those
    /// stay as they are, as they do when the weights are widened.
    private static void requireActivations(QuantisationNode group, boolean floats) {
        if (!group.node().has(ACTIVATIONS)) {
            return;
        }
        if (!floats || !group.object(ACTIVATIONS).says("dynamic", true)) {
            throw group.other(ACTIVATIONS);
        }
    }

    private static Quantisation integers(QuantisationNode weights, Layout layout) {
        weights.require("type", "int");
        int bits = weights.integer(BITS);
        boolean fits = bits == Byte.SIZE || layout == Layout.PACKED && bits == 4;
        if (!fits) {
            throw weights.other(BITS);
        }
        boolean symmetric = weights.says("symmetric", true);
        if (!symmetric && (layout != Layout.PACKED || !weights.says("symmetric", false))) {
            throw weights.other("symmetric");
        }
        var order = weights.node().text("actorder", "static");
        if (!Set.of("static", "weight").contains(order)) {
            throw weights.other("actorder");
        }
        if (weights.node().has("block_structure")) {
            throw weights.other("block_structure");
        }
        return switch (weights.text(STRATEGY)) {
            case "group" ->
                    new Quantisation(layout, bits, 1, weights.group("group_size"), !symmetric);
            case "channel" -> new Quantisation(layout, bits, 1, ALL, !symmetric);
            default -> throw weights.other(STRATEGY);
        };
    }

    private static Quantisation floats(QuantisationNode weights) {
        weights.require("type", "float");
        weights.require(BITS, Byte.SIZE);
        weights.require("symmetric", true);
        if (weights.node().has("actorder")) {
            throw weights.other("actorder");
        }
        return switch (weights.text(STRATEGY)) {
            case "tensor" -> QuantisationConfig.floats(Layout.FLOATS, ALL, ALL);
            case "channel" -> QuantisationConfig.floats(Layout.FLOATS, 1, ALL);
            case "block" -> {
                var block = weights.block("block_structure");
                yield QuantisationConfig.floats(Layout.FLOATS, block[0], block[1]);
            }
            default -> throw weights.other(STRATEGY);
        };
    }
}
