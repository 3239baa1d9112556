package dev.outrider.drafter.mtp;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The published layouts of modules: what their tensors are called and in which order they join the halves.
enum Layout {
    /// DeepSeek-V3, GLM-4.5 and what Outrider trains: modules are layers after the target's own.
    DEEPSEEK("model.layers.N.eh_proj.weight", ConcatOrder.EMBEDDING_FIRST, false),
    /// Qwen3-Next and Qwen3.5: one projection and its norms for all layers.
    QWEN("mtp.fc.weight", ConcatOrder.EMBEDDING_FIRST, false),
    /// MiMo-7B.
    MIMO("model.mtp_layers.N.input_proj.weight", ConcatOrder.HIDDEN_FIRST, true),
    /// What the speculators library makes of the others: MiMo's names, DeepSeek's order.
    SPECULATORS("mtp_layers.N.input_proj.weight", ConcatOrder.EMBEDDING_FIRST, false);

    /// Parts of the longest stem, `model.layers.N.`.
    private static final int LONGEST_STEM = 3;

    private final String join;
    private final ConcatOrder order;
    private final boolean masksFirstPosition;

    Layout(String join, ConcatOrder order, boolean masksFirstPosition) {
        this.join = join;
        this.order = order;
        this.masksFirstPosition = masksFirstPosition;
    }

    /// In which order the halves are joined.
    ConcatOrder order() {
        return order;
    }

    /// How a module's weights are stored.
    ///
    /// @param zeroCentredNorms whether norms are stored as the difference from 1
    /// @param gatedQueries     whether the query projection also makes a gate for the attention's output
    /// @param ownEmbedding     whether there is an embedding of the module's own
    /// @param ownHead          whether there is a head of its own
    record Storage(
            boolean zeroCentredNorms, boolean gatedQueries, boolean ownEmbedding, boolean ownHead) {
        /// A plain layer that borrows embedding and head.
        static final Storage BORROWING = new Storage(false, false, false, false);
    }

    /// How a module of this layout makes its input.
    ///
    /// @param like a decoder of the target's sizes
    FusionConfig fusion(DecoderConfig like, ConcatOrder halves, Storage storage) {
        var join =
                switch (halves) {
                    case EMBEDDING_FIRST -> FusionConfig.Join.EMBEDDING_FIRST;
                    case HIDDEN_FIRST -> FusionConfig.Join.FEATURE_FIRST;
                };
        return FusionConfig.of(join, like.hiddenSize(), like.vocabularySize()).with(FusionConfig.Switch.EMBEDDING_NORM, FusionConfig.Switch.FEATURE_NORM, FusionConfig.Switch.FIRST_INPUT_NORM, FusionConfig.Switch.OUTPUT_NORM).with(storage.zeroCentredNorms(), FusionConfig.Switch.ZERO_CENTRED_NORMS).with(storage.gatedQueries(), FusionConfig.Switch.GATED_QUERIES).with(masksFirstPosition, FusionConfig.Switch.MASK_FIRST_POSITION).with(storage.ownEmbedding(), FusionConfig.Switch.OWN_EMBEDDING).with(storage.ownHead(), FusionConfig.Switch.OWN_HEAD);
    }

    /// The layout of a checkpoint with these tensors.
    static Optional<Layout> of(Collection<String> tensors) {
        return Arrays.stream(values())
                .filter(layout -> tensors.stream().anyMatch(layout::isJoin))
                .findFirst();
    }

    /// What gives each layout away, for messages.
    static List<String> signs() {
        return Arrays.stream(values())
                .map(layout -> "%s (%s)".formatted(layout.join, layout.name()))
                .toList();
    }

    private boolean isJoin(String tensor) {
        int number = join.indexOf('N');
        if (number < 0) {
            return tensor.equals(join);
        }
        var before = join.substring(0, number);
        var after = join.substring(number + 1);
        return tensor.length() > before.length() + after.length()
                && tensor.startsWith(before)
                && tensor.endsWith(after)
                && tensor.substring(before.length(), tensor.length() - after.length())
                        .chars()
                        .allMatch(Character::isDigit);
    }

    /// Number of modules among these tensors, counted without gaps.
    ///
    /// @param targetLayers decoder layers of the target
    int modules(Collection<String> tensors, int targetLayers) {
        return (int)
                IntStream.iterate(0, module -> module + 1)
                        .mapToObj(module -> sign(module, targetLayers))
                        .takeWhile(tensors::contains)
                        .count();
    }

    /// A tensor that every module has for itself.
    String sign(int module, int targetLayers) {
        var names = names(module, targetLayers);
        return switch (this) {
            case DEEPSEEK, MIMO, SPECULATORS -> names.join();
            case QWEN -> names.layer() + "input_layernorm.weight";
        };
    }

    /// What the names of all tensors of modules begin with.
    Set<String> moduleStems(Collection<String> tensors) {
        return switch (this) {
            case DEEPSEEK ->
                    tensors.stream()
                            .filter(this::isJoin)
                            .map(name -> name.substring(0, name.lastIndexOf("eh_proj")))
                            .collect(Collectors.toSet());
            case QWEN -> Set.of("mtp.");
            case MIMO -> Set.of("model.mtp_layers.");
            case SPECULATORS -> Set.of("mtp_layers.");
        };
    }

    /// Whether a name begins with one of these stems.
    static boolean isOf(String tensor, Set<String> stems) {
        int end = 0;
        for (int part = 0; part < LONGEST_STEM; part++) {
            end = tensor.indexOf('.', end) + 1;
            if (end == 0) {
                return false;
            }
            if (stems.contains(tensor.substring(0, end))) {
                return true;
            }
        }
        return false;
    }

    /// What a module's weights are called.
    ///
    /// @param module       counted from 0
    /// @param targetLayers decoder layers of the target
    ModuleNames names(int module, int targetLayers) {
        return switch (this) {
            case DEEPSEEK -> {
                var prefix = "model.layers.%d.".formatted(targetLayers + module);
                yield new ModuleNames(
                        prefix + "eh_proj.weight",
                        prefix + "enorm.weight",
                        prefix + "hnorm.weight",
                        prefix + "shared_head.norm.weight",
                        prefix + "embed_tokens.weight",
                        prefix + "shared_head.head.weight",
                        prefix);
            }
            case QWEN ->
                    new ModuleNames(
                            "mtp.fc.weight",
                            "mtp.pre_fc_norm_embedding.weight",
                            "mtp.pre_fc_norm_hidden.weight",
                            "mtp.norm.weight",
                            "",
                            "",
                            "mtp.layers.%d.".formatted(module));
            case MIMO -> mimo("model.mtp_layers.%d.".formatted(module));
            case SPECULATORS -> mimo("mtp_layers.%d.".formatted(module));
        };
    }

    private static ModuleNames mimo(String prefix) {
        return new ModuleNames(
                prefix + "input_proj.weight",
                prefix + "token_layernorm.weight",
                prefix + "hidden_layernorm.weight",
                prefix + "final_layernorm.weight",
                "",
                "",
                prefix);
    }
}
