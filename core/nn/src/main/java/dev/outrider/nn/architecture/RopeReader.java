package dev.outrider.nn.architecture;

import dev.outrider.nn.network.RopeScaling;
import java.util.ArrayList;
import java.util.List;

/// Reads the rotary part of a configuration: `rope_parameters` (for all layers, or per kind of
/// layer), or `rope_theta` with `rope_scaling`, whose type is called `rope_type` or `type`.
public record RopeReader(ConfigNode root, ConfigNode rope, int positions) {
    /// The rotary part of a configuration.
    ///
    /// @param theta   base of the frequencies
    /// @param scaling change of the frequencies
    public record Rope(double theta, RopeScaling scaling) {}

    private static final String ORIGINAL = "original_max_position_embeddings";
    private static final double DEFAULT_THETA = 10_000;

    /// Reads it.
    ///
    /// @param positions `max_position_embeddings`
    /// @throws dev.outrider.spi.error.OutriderException `MODEL_CONFIG_INVALID` or `CHECKPOINT_UNSUPPORTED`
    public static Rope read(ConfigNode root, int positions) {
        requireWholeRotation(root);
        parts(root).forEach(RopeReader::requireWholeRotation);
        return readPartial(root, positions, DEFAULT_THETA);
    }

    /// Reads it for a family that may rotate a part of every head; the caller knows which part.
    ///
    /// @param usual default of the base of the frequencies
    static Rope readPartial(ConfigNode root, int positions, double usual) {
        double theta = root.number("rope_theta", usual);
        var parts = parts(root);
        var ropes =
                parts.stream()
                        .map(part ->
                                new Rope(
                                        part.number("rope_theta", theta),
                                        new RopeReader(root, part, positions).scaling()))
                        .distinct()
                        .toList();
        if (ropes.size() > 1) {
            throw root.unsupported(
                    "rope_parameters that differ between layers", "the same in all layers");
        }
        return ropes.isEmpty() ? new Rope(theta, new RopeScaling.Unscaled()) : ropes.getFirst();
    }

    private static List<ConfigNode> parts(ConfigNode root) {
        var part = root.object("rope_parameters").or(() -> root.object("rope_scaling"));
        if (part.isEmpty()) {
            return List.of();
        }
        var nested = new ArrayList<ConfigNode>();
        for (var entry : part.get().node().properties()) {
            if (entry.getValue().isObject()) {
                part.get().object(entry.getKey()).ifPresent(nested::add);
            }
        }
        return nested.isEmpty() ? List.of(part.get()) : nested;
    }

    private static void requireWholeRotation(ConfigNode node) {
        double part = node.number("partial_rotary_factor", 1);
        if (part != 1) {
            throw node.unsupported(
                    "%spartial_rotary_factor %s".formatted(node.prefix(), part),
                    "rotation of whole heads");
        }
    }

    private RopeScaling scaling() {
        var type = rope.text("rope_type", rope.text("type", "default"));
        try {
            return switch (type) {
                // All sections of a text's positions are the same.
                case "default", "mrope" -> new RopeScaling.Unscaled();
                case "linear" -> new RopeScaling.Linear(rope.number("factor"));
                case "llama3" ->
                        new RopeScaling.Llama3(
                                rope.number("factor"),
                                rope.number("low_freq_factor"),
                                rope.number("high_freq_factor"),
                                rope.positive("original_max_position_embeddings"));
                case "yarn" -> yarn();
                case "longrope", "su" -> longRope();
                case "dynamic" -> dynamic();
                default ->
                        throw rope.unsupported(
                                "%srope_type '%s'".formatted(rope.prefix(), type),
                                "default, dynamic, linear, llama3, yarn and longrope");
            };
        } catch (IllegalArgumentException e) {
            throw rope.invalid(
                    "has an impossible %s: %s"
                            .formatted(
                                    rope.prefix().substring(0, rope.prefix().length() - 1),
                                    e.getMessage()));
        }
    }

    /// The base grows only for texts longer than those of the first training, which are the longest here.
    private RopeScaling dynamic() {
        if (rope.has("alpha") || rope.positive(ORIGINAL, positions) != positions) {
            throw rope.unsupported(
                    "%srope_type 'dynamic' with alpha or another %s than max_position_embeddings"
                            .formatted(rope.prefix(), ORIGINAL),
                    "dynamic with a factor alone");
        }
        return new RopeScaling.Dynamic(rope.number("factor"), positions);
    }

    private RopeScaling.Yarn yarn() {
        int original = rope.positive("original_max_position_embeddings", positions);
        double factor = rope.number("factor", (double) positions / original);
        return new RopeScaling.Yarn(
                factor,
                rope.number("beta_fast", 32),
                rope.number("beta_slow", 1),
                original,
                attentionFactor(factor),
                rope.truth("truncate", true));
    }

    /// Phi-3 states the original text length outside of this object.
    private RopeScaling.LongRope longRope() {
        int original = root.positive(ORIGINAL, rope.positive(ORIGINAL, positions));
        double factor = (double) positions / original;
        double usual = factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original));
        return new RopeScaling.LongRope(
                rope.numbers("short_factor"),
                rope.numbers("long_factor"),
                original,
                rope.number("attention_factor", usual));
    }

    private double attentionFactor(double factor) {
        if (rope.has("attention_factor")) {
            return rope.number("attention_factor");
        }
        if (rope.has("mscale") && rope.has("mscale_all_dim")) {
            return RopeScaling.Yarn.attentionFactor(factor, rope.number("mscale"))
                    / RopeScaling.Yarn.attentionFactor(factor, rope.number("mscale_all_dim"));
        }
        return RopeScaling.Yarn.defaultAttentionFactor(factor);
    }
}
