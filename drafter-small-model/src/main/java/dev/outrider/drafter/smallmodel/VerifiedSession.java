package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.training.VisitedPrefixes;
import dev.outrider.training.VisitedText.VerifiedText;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Keeps what the target said wherever a session drew, and hands it over when the session ends. Confined to one thread.
final class VerifiedSession implements DraftSession {
    private final DraftSession drafting;
    private final int mostNodes;
    private final Consumer<Optional<VerifiedText>> ended;
    private final TreeMap<Integer, float[]> logits = new TreeMap<>();
    private Optional<VisitedPrefixes> visits = Optional.empty();
    private boolean closed;

    /// @param drafting  draws; closed with this session
    /// @param mostNodes of the text that are kept
    /// @param ended     told once, after that session was closed; nothing if it drew nowhere
    VerifiedSession(DraftSession drafting, int mostNodes, Consumer<Optional<VerifiedText>> ended) {
        this.drafting = drafting;
        this.mostNodes = mostNodes;
        this.ended = ended;
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        drafting.begin(prompt, promptStates);
        visits = Optional.of(new VisitedPrefixes(prompt));
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        return drafting.propose(budget, randomness);
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return drafting.capability(type);
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        drafting.observe(draft, verdict, scores);
        var prefixes = visits.orElseThrow();
        int[] places = prefixes.add(draft, verdict);
        for (int node = 0; node < places.length; node++) {
            int place = places[node];
            if (place >= 0 && place < mostNodes && prefixes.visited(place)) {
                logits.put(
                        place,
                        scores.logits(node)
                                .asSlice(0, (long) scores.vocabularySize() * Float.BYTES)
                                .toArray(ValueLayout.JAVA_FLOAT));
            }
        }
    }

    @Override
    public void close() {
        drafting.close();
        if (!closed) {
            closed = true;
            ended.accept(judged());
        }
    }

    private Optional<VerifiedText> judged() {
        return visits.filter(_ -> !logits.isEmpty())
                .map(prefixes ->
                        new VerifiedText(
                                prefixes.text().first(mostNodes),
                                logits.values().stream().toList()));
    }
}
