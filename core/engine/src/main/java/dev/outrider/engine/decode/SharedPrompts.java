package dev.outrider.engine.decode;

import dev.outrider.common.PrefixSharing;
import dev.outrider.common.PrefixSharing.KeptPrompts;
import dev.outrider.common.PrefixSharing.Reading;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetModel;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;

/// Prompts that a target reads once for all decoders that continue them. If the target cannot share, each sequence reads its
/// prompt.
/// Thread-safe.
public final class SharedPrompts implements AutoCloseable {
    /// The most memory that kept prompts may use.
    private static final long MAX_BYTES = 1L << 30;

    private final Optional<KeptPrompts> kept;

    private SharedPrompts(Optional<KeptPrompts> kept) {
        this.kept = kept;
    }

    /// Starts to share, with the hidden states that the decoders' drafters ask for.
    ///
    /// @param decoders of this target
    public static SharedPrompts of(TargetModel target, Collection<Decoder> decoders) {
        var states = new HashSet<HiddenState>();
        decoders.forEach(
                each -> each.drafter().map(Drafter::hiddenStates).ifPresent(states::addAll));
        return new SharedPrompts(
                target.capability(PrefixSharing.class).map(each -> each.keep(MAX_BYTES, states)));
    }

    /// Shares nothing.
    public static SharedPrompts none() {
        return new SharedPrompts(Optional.empty());
    }

    /// Whether a target can share.
    public static boolean possible(TargetModel target) {
        return target.capability(PrefixSharing.class).isPresent();
    }

    /// Reads a prompt, unless it is kept already.
    ///
    /// @param prompt the last token, which is the root of the first tree, is not read
    /// @return whether it was read; refused if there is nothing to read. If it is not refused, sequences now begin with copies of its rows
    /// @throws dev.outrider.spi.error.OutriderException what the target throws
    public Reading read(int[] prompt) {
        return prompt.length < 2
                ? Reading.REFUSED
                : kept.map(each -> each.read(Arrays.copyOf(prompt, prompt.length - 1)))
                        .orElse(Reading.REFUSED);
    }

    @Override
    public void close() {
        kept.ifPresent(KeptPrompts::close);
    }
}
