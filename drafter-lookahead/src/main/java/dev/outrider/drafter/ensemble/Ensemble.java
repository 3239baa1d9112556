package dev.outrider.drafter.ensemble;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.HiddenState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Loaded drafters that draft together; owns them. Thread-safe.
///
/// @param traits   the combined traits
/// @param drafters the drafters, in the order of the configuration
/// @param together combines one session of each drafter into one session, which closes them
public record Ensemble(
        DrafterTraits traits,
        List<Drafter> drafters,
        Function<List<DraftSession>, DraftSession> together)
        implements Drafter {
    /// Copies the list.
    public Ensemble {
        drafters = List.copyOf(drafters);
    }

    /// Loads every drafter, or none.
    ///
    /// @param choices  the drafters of the configuration
    /// @param context  context of the drafters
    /// @param together combines one session of each drafter, with the names for reports, into one session, which closes them
    public static Ensemble load(
            List<DrafterChoice> choices,
            DrafterContext context,
            BiFunction<List<DraftSession>, List<String>, DraftSession> together) {
        var drafters = new ArrayList<Drafter>();
        try {
            for (var choice : choices) {
                drafters.add(choice.create(context));
            }
        } catch (RuntimeException e) {
            drafters.reversed().forEach(Drafter::close);
            throw e;
        }
        var names = names(choices);
        return new Ensemble(anyOf(choices), drafters, sessions -> together.apply(sessions, names));
    }

    /// Returns the traits of drafters of which one drafts each round: a tree if one of them drafts trees, and every
    /// selection that one of them uses.
    static DrafterTraits anyOf(List<DrafterChoice> choices) {
        return choices.stream().map(DrafterChoice::traits).reduce(DrafterTraits::or).orElseThrow();
    }

    /// Returns the drafters' names for reports, numbered if a name occurs again.
    ///
    /// @param choices the drafters of the configuration
    public static List<String> names(List<DrafterChoice> choices) {
        return IntStream.range(0, choices.size()).mapToObj(index -> name(choices, index)).toList();
    }

    private static String name(List<DrafterChoice> choices, int index) {
        var name = choices.get(index).use();
        long before =
                choices.subList(0, index).stream()
                        .filter(choice -> choice.use().equals(name))
                        .count();
        return before == 0 ? name : "%s %d".formatted(name, before + 1);
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
        return together.apply(sessions);
    }

    @Override
    public void close() {
        drafters.reversed().forEach(Drafter::close);
    }
}
