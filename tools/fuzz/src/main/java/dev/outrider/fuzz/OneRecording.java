package dev.outrider.fuzz;

import dev.outrider.experiment.recording.RecordingFiles;
import dev.outrider.parquet.TableWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A recording of one text with a draft of two levels at each of its two positions, without the
/// file of levels.
final class OneRecording {
    private static final String MANIFEST =
            """
            {"format": %d, "seed": 1, "variants": [
              {"name": "drawn", "baseline": "plain", "drafter": "small-model", "rule": "token", "temperature": 1.0}]}
            """;

    private OneRecording() {}

    /// Writes it, if it is missing.
    ///
    /// @param results the folder of a run
    /// @return the folder of the recording
    static Path in(Path results) throws IOException {
        Path folder = Files.createDirectories(results.resolve(RecordingFiles.FOLDER));
        Path manifest = folder.resolve(RecordingFiles.MANIFEST);
        if (Files.exists(manifest)) {
            return folder;
        }
        try (var texts =
                new TableWriter(
                        folder.resolve(RecordingFiles.TEXTS),
                        RecordingFiles.TEXT_COLUMNS,
                        Map.of())) {
            texts.row(0, "plain", "p", "code", 0, 3);
        }
        try (var drafts =
                new TableWriter(
                        folder.resolve(RecordingFiles.DRAFTS),
                        RecordingFiles.DRAFT_COLUMNS,
                        Map.of())) {
            drafts.row("drawn", 0, 0, 2, "independent");
            drafts.row("drawn", 0, 1, 2, "independent");
        }
        Files.writeString(manifest, MANIFEST.formatted(RecordingFiles.FORMAT));
        return folder;
    }
}
