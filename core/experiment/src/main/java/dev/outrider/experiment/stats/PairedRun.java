package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.GenerationRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Prompts decoded together, in one repetition.
record PairedRun(int group, int repetition) {
    /// Returns the work of a variant in each of its turns.
    ///
    /// @param batch prompts decoded together
    static Map<PairedRun, Work> work(List<GenerationRecord> generations, int batch) {
        return generations.stream()
                .collect(
                        Collectors.toMap(
                                record ->
                                        new PairedRun(record.prompt() / batch, record.repetition()),
                                record -> new Work(record.wallNanos(), record.tokens().size()),
                                Work::plus,
                                LinkedHashMap::new));
    }

    /// Time and tokens of a turn.
    record Work(long nanos, long tokens) {
        Work plus(Work other) {
            return new Work(nanos + other.nanos, tokens + other.tokens);
        }

        double perToken() {
            return (double) nanos / tokens;
        }
    }
}
