package dev.outrider.drafter.block;

import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import java.util.List;
import java.util.Set;

/// What was found in a checkpoint, in the project's own terms: every dialect is translated to this.
///
/// @param dialect  whose layout it is
/// @param config   the backbone
/// @param names    what tensors are called
/// @param slots    the block
/// @param heads    beside the backbone
/// @param captured numbers of layers that the target's states have passed
record BlockLayout(
        String dialect,
        DecoderConfig config,
        BlockNames names,
        Slots slots,
        HeadForm heads,
        List<Integer> captured) {
    BlockLayout {
        captured = List.copyOf(captured);
    }

    /// The target's states it reads.
    List<HiddenState> states() {
        return captured.stream().<HiddenState>map(HiddenState.AfterLayer::new).toList();
    }

    /// Refuses tensors that would have to be used and are not.
    ///
    /// @param read names of those that are
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    void requireNothingElse(CheckpointTensors tensors, Set<String> read) {
        tensors.names().stream()
                .filter(name -> !read.contains(name))
                .filter(name -> !names.mayStayUnread(name, tensors.names()))
                .min(String::compareTo)
                .ifPresent(name -> {
                    throw new OutriderException(
                            ErrorCode.CHECKPOINT_UNSUPPORTED,
                            "'%s' holds tensor '%s', which a block drafter of the %s layout does not have"
                                    .formatted(tensors.source(), name, dialect),
                            "Check that config.json and the weights belong together.");
                });
    }

    /// One line for people: what was decided about the dialect's switches.
    String summary() {
        var fusion = config.fusion().orElseThrow();
        return ("layout %s; reads the residual stream after %s layers; %d layer(s) of %d, rope theta %s; block of %d,"
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
