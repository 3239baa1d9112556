package dev.outrider.drafter.block;

import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.drafting.head.HeadLayout;
import dev.outrider.drafting.head.TensorLayout;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.target.HiddenState;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The content of a checkpoint, the same for every layout.
///
/// @param dialect  name of the layout
/// @param config   the backbone
/// @param names    of the backbone's tensors
/// @param prefix   of the heads' tensors
/// @param slots    the block
/// @param heads    the heads beside the backbone
/// @param captured the target's states of a position of the context
record BlockLayout(
        String dialect,
        DecoderConfig config,
        TensorLayout names,
        String prefix,
        Slots slots,
        HeadForm heads,
        List<HiddenState> captured)
        implements HeadLayout {
    /// Names of the backbone's tensors, the same in every layout.
    static final TensorLayout NAMES =
            new TensorLayout(
                    "layers.N.",
                    Map.of(
                            Weight.EMBEDDING, List.of("embed_tokens.weight"),
                            Weight.HEAD, List.of("lm_head.weight"),
                            Weight.FINAL_NORM, List.of("norm.weight"),
                            Weight.REDUCTION, List.of("fc.weight"),
                            Weight.FEATURE_NORM, List.of("hidden_norm.weight")),
                    name ->
                            VocabularyMaps.NAMES.contains(name)
                                    || name.startsWith("verifier_")
                                    || name.endsWith("rotary_emb.inv_freq"));

    /// A block's slots: the last committed token, the *anchor*, then masks.
    ///
    /// @param size       number of slots
    /// @param mask       the mask token, which stands for a token to be guessed
    /// @param fromAnchor whether slot k guesses the token k + 1 places after the anchor; otherwise slot k guesses the
    ///                   token k places after it, and slot 0 guesses nothing
    record Slots(int size, int mask, boolean fromAnchor) {
        /// Returns the first slot that guesses.
        int first() {
            return fromAnchor ? 0 : 1;
        }

        /// Returns the number of tokens that a block guesses.
        int guesses() {
            return size - first();
        }

        /// Returns the block after a token.
        int[] tokens(int anchor) {
            var tokens = new int[size];
            Arrays.fill(tokens, mask);
            tokens[0] = anchor;
            return tokens;
        }
    }

    BlockLayout {
        captured = List.copyOf(captured);
    }

    /// Returns the name of a tensor of the Markov head.
    String markov(String tensor) {
        return prefix + "markov_head." + tensor;
    }

    /// Returns the name of a tensor of the confidence head.
    String confidence(String tensor) {
        return prefix + "confidence_head.proj." + tensor;
    }

    /// Returns the names of the tensors of both heads.
    Set<String> headTensors() {
        var names = new HashSet<String>();
        heads.markov()
                .ifPresent(markov -> {
                    names.add(markov("markov_w1.weight"));
                    names.add(markov("markov_w2.weight"));
                    var mixing = MarkovHead.mixing(markov.type());
                    if (!mixing.isEmpty()) {
                        names.add(markov(mixing + ".weight"));
                        names.add(markov(mixing + ".bias"));
                    }
                });
        if (heads.confidence()) {
            names.add(confidence("weight"));
            names.add(confidence("bias"));
        }
        return names;
    }

    @Override
    public String summary() {
        var fusion = config.fusion().orElseThrow();
        return ("layout %s; reads %s; %d layer(s) of %d, rope theta %s; block of %d,"
                        + " guesses %s the anchor, mask %d; Markov head %s; confidence head %s; head of %d tokens, %s;"
                        + " embedding %s")
                .formatted(
                        dialect,
                        captured,
                        config.layers(),
                        config.hiddenSize(),
                        config.ropeTheta(),
                        slots.size(),
                        slots.fromAnchor() ? "from" : "after",
                        slots.mask(),
                        heads.markov()
                                .map(each -> "%s of rank %d".formatted(each.type(), each.rank()))
                                .orElse("none"),
                        heads.confidence() ? "yes" : "none",
                        fusion.headSize(),
                        fusion.has(FusionConfig.Switch.OWN_HEAD) ? "its own" : "the target's",
                        fusion.has(FusionConfig.Switch.OWN_EMBEDDING) ? "its own" : "the target's");
    }
}
