package dev.outrider.drafter.medusa;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The published ways of naming the tensors of heads.
///
/// - Medusa's own: `{head}.{layer}.linear.weight` and `.bias`, then `{head}.{layers}.weight` for the projection, which the
///   second version leaves out; full models put `medusa_head.` before all of these, ModelOpt's `medusa_heads.`.
/// - vLLM's: `blocks.{head}.layers.{layer}.weight` and `.bias`, then `lm_heads.{head}.weight` or one `lm_head.weight`, and
///   optionally `token_map`; some put `medusa_heads.` before all of these.
enum MedusaLayout {
    MEDUSA("", true),
    MEDUSA_IN_MODEL("medusa_head.", true),
    MODELOPT("medusa_heads.", true),
    VLLM("", false),
    VLLM_PREFIXED("medusa_heads.", false);

    private static final Pattern OF_TARGET = Pattern.compile("(?:model\\.|lm_head\\.).*");

    private final String prefix;
    private final boolean medusa;
    private final Pattern blocks;
    private final Pattern projections;

    /// @param medusa whether the names after the prefix are Medusa's; otherwise they are vLLM's
    MedusaLayout(String prefix, boolean medusa) {
        this.prefix = prefix;
        this.medusa = medusa;
        var block = medusa ? "(\\d+)\\.(\\d+)\\.linear" : "blocks\\.(\\d+)\\.layers\\.(\\d+)";
        var projection = medusa ? "(\\d+)\\.(\\d+)" : "lm_heads\\.(\\d+)";
        blocks = Pattern.compile(Pattern.quote(prefix) + block + "\\.(?:weight|bias)");
        projections = Pattern.compile(Pattern.quote(prefix) + projection + "\\.weight");
    }

    /// Returns the layout of some names, if it is a known one.
    static Optional<MedusaLayout> of(Collection<String> names) {
        return List.of(values()).stream()
                .filter(layout -> names.stream().anyMatch(name -> layout.isBlock(name)))
                .findFirst();
    }

    /// Returns the name of a block, without `.weight` or `.bias`.
    String block(int head, int layer) {
        return prefix + (medusa ? "%d.%d.linear" : "blocks.%d.layers.%d").formatted(head, layer);
    }

    /// Returns the name of a head's own projection, without `.weight`.
    String projection(int head, int layers) {
        return prefix + (medusa ? "%d.%d".formatted(head, layers) : "lm_heads.%d".formatted(head));
    }

    /// Returns the name of the common projection of all heads, without `.weight`, if the layout has one.
    Optional<String> oneProjection() {
        return medusa ? Optional.empty() : Optional.of(prefix + "lm_head");
    }

    /// Returns the name of the list of tokens of the projections' rows, if the layout has one.
    Optional<String> tokenMap() {
        return medusa ? Optional.empty() : Optional.of(prefix + "token_map");
    }

    /// Returns the key of `config.json` with the number of a head's blocks.
    String layersKey() {
        return medusa ? "medusa_num_layers" : "num_hidden_layers";
    }

    /// Returns the number of heads and of the blocks of each, counted by the names of blocks.
    Size size(Collection<String> names) {
        int heads = 0;
        int layers = 0;
        for (var name : names) {
            var match = blocks.matcher(name);
            if (match.matches()) {
                heads = Math.max(heads, number(match.group(1)) + 1);
                layers = Math.max(layers, number(match.group(2)) + 1);
            }
        }
        return new Size(heads, layers);
    }

    /// Numbers of heads and of blocks in each.
    record Size(int heads, int layers) {}

    /// Returns whether a name is the target's: files of full models contain the decoder beside the heads.
    boolean ofTarget(String name) {
        return medusa && OF_TARGET.matcher(name).matches();
    }

    boolean isBlock(String name) {
        return blocks.matcher(name).matches();
    }

    boolean isProjection(String name) {
        return projections.matcher(name).matches();
    }

    /// Returns a number from a name. A longer number than any checkpoint has is cut, and then does not fit the expected names.
    private static int number(String digits) {
        return Integer.parseInt(digits.length() > 6 ? digits.substring(0, 6) : digits);
    }
}
