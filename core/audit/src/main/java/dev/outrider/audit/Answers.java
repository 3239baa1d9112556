package dev.outrider.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.audit.Audit.Outcome;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.experiment.results.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// Answers of earlier runs, from a file, then those of a server.
final class Answers implements AutoCloseable {
    private final Path file;
    private final ServerClient client;
    private final List<Answer> kept;

    /// A request.
    ///
    /// @param side   number of the side
    /// @param prompt its id
    /// @param ids    of the prompt; empty sends the text
    /// @param fields further ones
    record Asked(
            String side,
            String prompt,
            List<Integer> ids,
            String text,
            Map<String, JsonNode> fields) {}

    Answers(Path folder, ServerClient client) {
        this.file = folder.resolve("answers.jsonl");
        this.client = client;
        this.kept = Json.lines(file, Answer.class);
        // A last line without an end was being written when a run was killed.
        var whole = new StringBuilder();
        kept.forEach(each -> whole.append(Json.line(each)).append('\n'));
        FailureReason.writing("answers", file, () -> AtomicFile.write(file, whole.toString()));
    }

    /// Returns the answer with a number, counted from 0.
    ///
    /// @param encoder makes ids of a text if the server gives none
    /// @param ends    tokens that end a text
    Answer get(
            int number,
            Asked asked,
            long seed,
            Function<String, List<Integer>> encoder,
            Set<Integer> ends)
            throws InterruptedException {
        if (number < kept.size()) {
            return kept.get(number);
        }
        var answer = Answer.of(client.complete(asked, seed), asked, encoder, ends);
        FailureReason.writing(
                "answers",
                file,
                () -> Files.writeString(file, Json.line(answer) + "\n", StandardOpenOption.APPEND));
        return answer;
    }

    /// Returns the outcome, with a note if it uses answers of an earlier run.
    Outcome noted(Outcome outcome, int taken) {
        if (kept.isEmpty()) {
            return outcome;
        }
        var note =
                "%d answers of an earlier run in %s are used; remove it to ask again."
                        .formatted(Math.min(kept.size(), taken), file.getParent());
        var findings = Stream.concat(outcome.findings().stream(), Stream.of(note)).toList();
        return Change.with(outcome, "findings", findings);
    }

    @Override
    public void close() {
        client.close();
    }
}
