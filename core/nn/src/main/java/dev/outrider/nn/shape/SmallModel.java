package dev.outrider.nn.shape;

import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.shape.LargerShape.Sizes;
import dev.outrider.nn.shape.TensorRule.Marker;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The kind of a checkpoint, and its sizes as the network's own reader reads them from config.json.
///
/// @param kind   kind of the checkpoint
/// @param stack  prefix of the names of a model's tensors
/// @param sizes  its sizes
/// @param tied   whether a model's head is its embedding
/// @param read   names of the tensors that are read
record SmallModel(Kind kind, String stack, Sizes sizes, boolean tied, Set<String> read) {
    enum Kind {
        /// A whole decoder, which gets the larger shape's layers.
        MODEL,
        /// Modules for multi-token prediction, whose layers are numbered after the model's.
        MODULES,
        /// A head for a target's hidden states.
        HEAD
    }

    /// The object in which heads describe their layers, if they have one.
    static final String LAYERS = "transformer_layer_config";

    private static final String EMBEDDING = "embed_tokens.weight";
    private static final String HEAD_OF_MODEL = "lm_head.weight";
    private static final String ANGLES = "rotary_emb.inv_freq";
    private static final String AUXILIARY = "eagle_aux_hidden_state_layer_ids";
    private static final String TARGET_LAYERS = "target_layer_ids";
    private static final String SPREAD = "dflash_config";
    private static final Pattern MODULE =
            Pattern.compile("model\\.layers\\.\\d+\\.eh_proj\\.weight");

    SmallModel {
        read = Collections.unmodifiableSet(new TreeSet<>(read)); // A message names the first.
    }

    /// Reads a checkpoint.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if it would not compute the same in a larger shape, or as
    ///                           [ModelConfig#read]
    static SmallModel read(Checkpoint source, CheckpointTensors tensors, ConfigNode root) {
        var names = new TreeSet<>(tensors.names());
        names.removeIf(name -> name.endsWith(ANGLES));
        var stack = stack(source.path(), names);
        if (stack.isPresent()) {
            return model(source, names, stack.get());
        }
        refuseUnknownLayers(source.path(), names, root);
        var kind =
                names.stream().anyMatch(name -> MODULE.matcher(name).matches())
                        ? Kind.MODULES
                        : Kind.HEAD;
        boolean layered = names.stream().map(TensorRule::of).anyMatch(TensorRule::ofDecoder);
        var sizes =
                layered
                        ? Sizes.of(decoder(source.path(), layers(root)))
                        : Sizes.ofHeads(root.positive("vocab_size"), root.positive("hidden_size"));
        requireSame(root, "draft_vocab_size", sizes.vocabulary());
        requireSame(root, "target_hidden_size", sizes.hidden());
        return new SmallModel(kind, "", sizes, false, names);
    }

    private static SmallModel model(Checkpoint source, Set<String> names, String stack) {
        var config = ModelConfig.read(source);
        var differences = PlainForm.differencesOfModel(config.decoder());
        if (config.encoder().isPresent()) {
            throw unsupported(source.path(), "an encoder");
        }
        requirePlain(source.path(), config, differences);
        boolean tied = config.decoder().tiedHead();
        if (tied) {
            names.remove(HEAD_OF_MODEL); // Nothing reads it.
        }
        return new SmallModel(Kind.MODEL, stack, Sizes.of(config.decoder()), tied, names);
    }

    private static DecoderConfig decoder(Path source, ConfigNode node) {
        var config = ModelConfig.of(node);
        requirePlain(source, config, PlainForm.differences(config.decoder()));
        return config.decoder();
    }

    private static void requirePlain(Path source, ModelConfig config, List<String> differences) {
        PlainForm.obstacle(config, differences)
                .ifPresent(what -> {
                    throw unsupported(source, what);
                });
    }

    /// Returns the object that describes the layers.
    static ConfigNode layers(ConfigNode root) {
        return root.object(LAYERS).orElse(root);
    }

    /// Returns the prefix of the names of a whole model's tensors; empty if it is not a whole model.
    private static Optional<String> stack(Path source, Set<String> names) {
        boolean joins =
                names.stream()
                        .anyMatch(name ->
                                TensorRule.find(name)
                                        .filter(rule -> rule.marker() == Marker.COPIED)
                                        .isPresent());
        for (var stack : List.of("model.", "")) {
            if (names.contains(stack + EMBEDDING)) {
                if (joins && !stack.isEmpty()) {
                    throw unsupported(source, "prediction modules or a head beside a whole model");
                }
                return joins ? Optional.empty() : Optional.of(stack);
            }
        }
        names.stream()
                .filter(name ->
                        name.endsWith("language_model." + EMBEDDING)
                                || name.endsWith("language_model.model." + EMBEDDING))
                .findFirst()
                .ifPresent(name -> {
                    throw unsupported(
                            source, "a decoder inside another model, tensor '%s'".formatted(name));
                });
        return Optional.empty();
    }

    /// Refuses heads that leave the captured layers to a rule over the target's number of layers: they would capture other layers
    /// in a larger shape.
    private static void refuseUnknownLayers(Path source, Set<String> names, ConfigNode root) {
        boolean third =
                names.stream()
                        .anyMatch(name ->
                                name.startsWith("midlayer.")
                                        || name.endsWith(".hidden_norm.weight")
                                        || name.equals("mask_hidden"));
        boolean named =
                root.has(AUXILIARY)
                        || root.has(TARGET_LAYERS)
                        || root.object("eagle_config")
                                .filter(each -> each.has(AUXILIARY))
                                .isPresent();
        if (third && !named) {
            throw refused(
                    source,
                    "its config.json does not name the target's layers whose states it reads",
                    "Add '%s' with the layers of the small target.".formatted(AUXILIARY));
        }
        boolean spread =
                root.object(SPREAD)
                        .filter(each -> !each.has(TARGET_LAYERS) && !root.has("num_target_layers"))
                        .isPresent();
        if (spread) {
            throw refused(
                    source,
                    "its config.json does not name the target's layers whose states it reads",
                    "Add '%s' to '%s', with the layers of the small target."
                            .formatted(TARGET_LAYERS, SPREAD));
        }
    }

    private static void requireSame(ConfigNode root, String key, int size) {
        if (root.positive(key, size) != size) {
            throw root.wrong(
                    key, "%d, because only that can be set into a larger shape".formatted(size));
        }
    }

    /// Returns the exception for a checkpoint with a part that cannot be set into a larger shape.
    static OutriderException unsupported(Path source, String what) {
        return refused(
                source,
                "it has " + what,
                "Leave '@' and the shape out of its path, or choose a decoder of Llama's form or a published head.");
    }

    private static OutriderException refused(Path source, String why, String hint) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                "'%s' cannot be set into a larger shape: %s".formatted(source, why), hint);
    }
}
