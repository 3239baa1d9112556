package dev.outrider.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.experiment.results.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Answers of earlier runs, which a file keeps, then those of a server.
final class Answers implements AutoCloseable {
    private final Path file;
    private final ServerClient client;
    private final List<Answer> kept;

    /// A request.
    ///
    /// @param side   of two
    /// @param prompt its id
    /// @param ids    of the prompt; none sends the text
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
        try {
            Files.createDirectories(folder);
            // A last line without its end was being written when a run was killed.
            var whole = new StringBuilder();
            kept.forEach(each -> whole.append(Json.line(each)).append('\n'));
            AtomicFile.write(file, whole.toString());
        } catch (IOException e) {
            throw FailureReason.writing("answers", file, e);
        }
    }

    /// Returns the answer of a number, counted from 0.
    ///
    /// @param encoder makes ids of a text where the server says none
    Answer get(int number, Asked asked, long seed, Function<String, List<Integer>> encoder)
            throws InterruptedException {
        if (number < kept.size()) {
            return kept.get(number);
        }
        var answer = Answer.of(client.complete(asked, seed), asked, encoder);
        try {
            Files.writeString(file, Json.line(answer) + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw FailureReason.writing("answers", file, e);
        }
        return answer;
    }

    @Override
    public void close() {
        client.close();
    }
}
