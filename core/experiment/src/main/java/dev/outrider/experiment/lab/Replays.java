package dev.outrider.experiment.lab;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The replays of a side's texts, each question's worked out once. Thread-safe.
final class Replays {
    private final RecordedSide side;
    private final Map<Question, List<Replay>> known = new ConcurrentHashMap<>();

    Replays(RecordedSide side) {
        this.side = side;
    }

    /// One for each text, in their order.
    List<Replay> of(Question question) {
        return known.computeIfAbsent(
                question,
                each -> side.texts().stream().map(text -> Replay.of(text, each)).toList());
    }
}
