package dev.outrider.drafter.medusa;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The published ways of naming the tensors of heads.
///
/// - Medusa's own: `{head}.{layer}.linear.weight` and `.bias`, then `{head}.{layers}.weight` for the projection, which the
///   second version leaves out; full models put `medusa_head.` before all of these.
/// - vLLM's: `blocks.{head}.layers.{layer}.weight` and `.bias`, then `lm_heads.{head}.weight` or one `lm_head.weight`, and
///   optionally `token_map`; some put `medusa_heads.` before all of these.
enum HeadLayout {
    MEDUSA("", "(\\d+)\\.(\\d+)\\.linear\\.(?:weight|bias)", "(\\d+)\\.(\\d+)\\.weight"),
    MEDUSA_IN_MODEL(
            "medusa_head.",
            "medusa_head\\.(\\d+)\\.(\\d+)\\.linear\\.(?:weight|bias)",
            "medusa_head\\.(\\d+)\\.(\\d+)\\.weight"),
    VLLM("", "blocks\\.(\\d+)\\.layers\\.(\\d+)\\.(?:weight|bias)", "lm_heads\\.(\\d+)\\.weight"),
    VLLM_PREFIXED(
            "medusa_heads.",
            "medusa_heads\\.blocks\\.(\\d+)\\.layers\\.(\\d+)\\.(?:weight|bias)",
            "medusa_heads\\.lm_heads\\.(\\d+)\\.weight");

    private static final String ONE_PROJECTION = "lm_head.weight";
    private static final String TOKEN_MAP = "token_map";
    private static final Pattern OF_TARGET = Pattern.compile("(?:model\\.|lm_head\\.).*");

    private final String prefix;
    private final Pattern blocks;
    private final Pattern projections;

    HeadLayout(String prefix, String blocks, String projections) {
        this.prefix = prefix;
        this.blocks = Pattern.compile(blocks);
        this.projections = Pattern.compile(projections);
    }

    /// The layout some names are in, if it is a known one.
    static Optional<HeadLayout> of(Collection<String> names) {
        return List.of(values()).stream()
                .filter(layout -> names.stream().anyMatch(name -> layout.isBlock(name)))
                .findFirst();
    }

    /// What a block's tensor is called.
    ///
    /// @param kind `weight` or `bias`
    String block(int head, int layer, String kind) {
        return prefix
                + switch (this) {
                    case MEDUSA, MEDUSA_IN_MODEL -> "%d.%d.linear.%s".formatted(head, layer, kind);
                    case VLLM, VLLM_PREFIXED ->
                            "blocks.%d.layers.%d.%s".formatted(head, layer, kind);
                };
    }

    /// What a head's own projection is called.
    String projection(int head, int layers) {
        return prefix
                + switch (this) {
                    case MEDUSA, MEDUSA_IN_MODEL -> "%d.%d.weight".formatted(head, layers);
                    case VLLM, VLLM_PREFIXED -> "lm_heads.%d.weight".formatted(head);
                };
    }

    /// What one projection of all heads is called, where the layout has one.
    Optional<String> oneProjection() {
        return switch (this) {
            case MEDUSA, MEDUSA_IN_MODEL -> Optional.empty();
            case VLLM, VLLM_PREFIXED -> Optional.of(prefix + ONE_PROJECTION);
        };
    }

    /// What the list of tokens that the projections' rows stand for is called, where the layout has one.
    Optional<String> tokenMap() {
        return switch (this) {
            case MEDUSA, MEDUSA_IN_MODEL -> Optional.empty();
            case VLLM, VLLM_PREFIXED -> Optional.of(prefix + TOKEN_MAP);
        };
    }

    /// The key of `config.json` that says how many blocks a head has.
    String layersKey() {
        return switch (this) {
            case MEDUSA, MEDUSA_IN_MODEL -> "medusa_num_layers";
            case VLLM, VLLM_PREFIXED -> "num_hidden_layers";
        };
    }

    /// Number of heads and of each head's blocks that the names of blocks speak of: one more than the greatest.
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

    /// Whether a name is the target's: full models hold their decoder beside the heads.
    boolean ofTarget(String name) {
        return switch (this) {
            case MEDUSA, MEDUSA_IN_MODEL -> OF_TARGET.matcher(name).matches();
            case VLLM, VLLM_PREFIXED -> false;
        };
    }

    boolean isBlock(String name) {
        return blocks.matcher(name).matches();
    }

    boolean isProjection(String name) {
        return projections.matcher(name).matches();
    }

    /// A number from a name; longer ones than any checkpoint has are cut, and then do not fit the names expected.
    private static int number(String digits) {
        return Integer.parseInt(digits.length() > 6 ? digits.substring(0, 6) : digits);
    }
}
