package dev.outrider.drafter.cascade;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.HiddenState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Loaded drafters in an order of preference; owns them. Thread-safe.
///
/// @param traits   what any of them may bring
/// @param drafters who is asked, in this order
record CascadeDrafter(DrafterTraits traits, List<Drafter> drafters) implements Drafter {
    CascadeDrafter {
        drafters = List.copyOf(drafters);
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return drafters.stream()
                .flatMap(drafter -> drafter.hiddenStates().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public long parameters() {
        return drafters.stream().mapToLong(Drafter::parameters).sum();
    }

    @Override
    public String digest() {
        return drafters.stream()
                .map(Drafter::digest)
                .filter(digest -> !digest.isEmpty())
                .collect(Collectors.joining("+"));
    }

    @Override
    public DraftSession open(DraftRequest request) {
        var sessions = new ArrayList<DraftSession>();
        try {
            for (var drafter : drafters) {
                sessions.add(drafter.open(request));
            }
        } catch (RuntimeException e) {
            sessions.reversed().forEach(DraftSession::close);
            throw e;
        }
        return new CascadeSession(sessions);
    }

    @Override
    public void close() {
        close(drafters);
    }

    static void close(List<Drafter> drafters) {
        drafters.reversed().forEach(Drafter::close);
    }
}
