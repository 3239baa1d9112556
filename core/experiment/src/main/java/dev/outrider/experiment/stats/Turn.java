package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.GenerationRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Prompts decoded together, in one repetition.
record Turn(int group, int repetition) {
    /// What a side did in each of its turns.
    ///
    /// @param batch prompts decoded together
    static Map<Turn, Work> work(List<GenerationRecord> generations, int batch) {
        return generations.stream()
                .collect(
                        Collectors.toMap(
                                record -> new Turn(record.prompt() / batch, record.repetition()),
                                record -> new Work(record.wallNanos(), record.tokens().size()),
                                Work::plus,
                                LinkedHashMap::new));
    }
}
