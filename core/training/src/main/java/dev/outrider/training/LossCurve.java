package dev.outrider.training;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// The loss curve as JSON Lines, one record appended at a time.
final class LossCurve {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;

    private LossCurve(Path file) {
        this.file = file;
    }

    static LossCurve open(Path file, long lastStep) throws IOException {
        List<String> kept = List.of();
        if (Files.exists(file)) {
            kept =
                    Files.readAllLines(file).stream()
                            .filter(line -> stepOf(line) <= lastStep)
                            .toList();
        }
        Files.write(file, kept, StandardCharsets.UTF_8);
        return new LossCurve(file);
    }

    void append(TrainingProgress.Step step) throws IOException {
        var json = JSON.createObjectNode().put("step", step.step()).put("tokens", step.tokens());
        json.put("loss", rounded(step.loss()));
        json.put("lr", step.learningRate());
        step.validationLoss().ifPresent(loss -> json.put("validationLoss", rounded(loss)));
        step.measures().forEach((name, value) -> json.put(name, rounded(value)));
        json.put("tokensPerSecond", Math.round(step.tokensPerSecond()));
        Files.writeString(
                file,
                json + "\n",
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /// A line that a kill has cut short belongs to no step that is kept.
    private static long stepOf(String line) {
        try {
            return JSON.readTree(line).path("step").asLong(Long.MAX_VALUE);
        } catch (IOException cutShort) {
            return Long.MAX_VALUE;
        }
    }

    private static double rounded(double loss) {
        return Math.round(loss * 1e5) / 1e5;
    }
}
