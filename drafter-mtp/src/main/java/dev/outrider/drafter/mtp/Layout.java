package dev.outrider.drafter.mtp;

import dev.outrider.drafter.mtp.MtpConfig.ConcatOrder;
import dev.outrider.drafting.head.TensorLayout;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Weight;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The published layouts of modules: names of tensors, and the order in which the halves of the input are joined.
enum Layout {
    /// DeepSeek-V3, GLM-4.5 and Outrider's own modules: modules are layers after the target's own.
    DEEPSEEK("model.layers.N.eh_proj.weight", ConcatOrder.EMBEDDING_FIRST, false),
    /// Qwen3-Next and Qwen3.5: one projection and its norms for all layers.
    QWEN("mtp.fc.weight", ConcatOrder.EMBEDDING_FIRST, false),
    /// MiMo-7B.
    MIMO("model.mtp_layers.N.input_proj.weight", ConcatOrder.HIDDEN_FIRST, true),
    /// The speculators library: MiMo's names, DeepSeek's order.
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

    /// Returns the order in which the halves are joined.
    ConcatOrder order() {
        return order;
    }

    /// The storage of a module's weights.
    ///
    /// @param zeroCentredNorms whether norms are stored as the difference from 1
    /// @param gatedQueries     whether the query projection also makes a gate for the attention's output
    /// @param ownEmbedding     whether the module has an embedding of its own
    /// @param ownHead          whether the module has a head of its own
    record Storage(
            boolean zeroCentredNorms, boolean gatedQueries, boolean ownEmbedding, boolean ownHead) {
        /// A plain layer that reads the target's embedding and head.
        static final Storage SHARED = new Storage(false, false, false, false);
    }

    /// Returns how a module of this layout computes its input.
    ///
    /// @param like a decoder of the target's sizes
    FusionConfig fusion(DecoderConfig like, ConcatOrder halves, Storage storage) {
        var join =
                switch (halves) {
                    case EMBEDDING_FIRST -> FusionConfig.Join.EMBEDDING_FIRST;
                    case HIDDEN_FIRST -> FusionConfig.Join.FEATURE_FIRST;
                };
        return FusionConfig.of(join, like.hiddenSize(), like.vocabularySize())
                .with(Switch.EMBEDDING_NORM, Switch.FEATURE_NORM)
                .with(Switch.FIRST_INPUT_NORM, Switch.OUTPUT_NORM)
                .with(storage.zeroCentredNorms(), Switch.ZERO_CENTRED_NORMS)
                .with(storage.gatedQueries(), Switch.GATED_QUERIES)
                .with(masksFirstPosition, Switch.MASK_FIRST_POSITION)
                .with(storage.ownEmbedding(), Switch.OWN_EMBEDDING)
                .with(storage.ownHead(), Switch.OWN_HEAD);
    }

    /// Returns the layout of a checkpoint with these tensors.
    static Optional<Layout> of(Collection<String> tensors) {
        return Arrays.stream(values())
                .filter(layout -> tensors.stream().anyMatch(layout::isJoin))
                .findFirst();
    }

    /// Returns the tensor by which each layout is recognised, for messages.
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

    /// Returns the number of modules among these tensors, counted without gaps.
    ///
    /// @param targetLayers decoder layers of the target
    int modules(Collection<String> tensors, int targetLayers) {
        return (int)
                IntStream.iterate(0, module -> module + 1)
                        .mapToObj(module -> sign(module, targetLayers))
                        .takeWhile(tensors::contains)
                        .count();
    }

    /// Returns a tensor that exists once for every module.
    String sign(int module, int targetLayers) {
        var names = names(module, targetLayers);
        return switch (this) {
            case DEEPSEEK, MIMO, SPECULATORS -> names.names(Weight.JOIN, 0).getFirst();
            case QWEN -> names.inLayer(0, "input_layernorm.weight");
        };
    }

    /// Returns the prefixes of all tensors of modules.
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

    /// Returns whether a name begins with one of these prefixes.
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

    /// Returns the names of a module's weights.
    ///
    /// @param module       counted from 0
    /// @param targetLayers decoder layers of the target
    TensorLayout names(int module, int targetLayers) {
        return switch (this) {
            case DEEPSEEK -> {
                var prefix = "model.layers.%d.".formatted(targetLayers + module);
                yield names(
                        prefix,
                        Map.of(
                                Weight.JOIN, prefix + "eh_proj.weight",
                                Weight.EMBEDDING_NORM, prefix + "enorm.weight",
                                Weight.FEATURE_NORM, prefix + "hnorm.weight",
                                Weight.FINAL_NORM, prefix + "shared_head.norm.weight",
                                Weight.EMBEDDING, prefix + "embed_tokens.weight",
                                Weight.HEAD, prefix + "shared_head.head.weight"));
            }
            case QWEN ->
                    names(
                            "mtp.layers.%d.".formatted(module),
                            Map.of(
                                    Weight.JOIN, "mtp.fc.weight",
                                    Weight.EMBEDDING_NORM, "mtp.pre_fc_norm_embedding.weight",
                                    Weight.FEATURE_NORM, "mtp.pre_fc_norm_hidden.weight",
                                    Weight.FINAL_NORM, "mtp.norm.weight"));
            case MIMO -> mimo("model.mtp_layers.%d.".formatted(module));
            case SPECULATORS -> mimo("mtp_layers.%d.".formatted(module));
        };
    }

    private static TensorLayout mimo(String prefix) {
        return names(
                prefix,
                Map.of(
                        Weight.JOIN, prefix + "input_proj.weight",
                        Weight.EMBEDDING_NORM, prefix + "token_layernorm.weight",
                        Weight.FEATURE_NORM, prefix + "hidden_layernorm.weight",
                        Weight.FINAL_NORM, prefix + "final_layernorm.weight"));
    }

    private static TensorLayout names(String layer, Map<Weight, String> others) {
        var names = new EnumMap<Weight, List<String>>(Weight.class);
        others.forEach((weight, name) -> names.put(weight, List.of(name)));
        return new TensorLayout(layer, names, name -> !name.startsWith(layer));
    }
}
