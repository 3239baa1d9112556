package dev.outrider.serve;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.outrider.experiment.config.ServeSettings.Log;
import dev.outrider.serve.answer.Answers;
import dev.outrider.serve.request.TextRequest;
import java.util.function.Consumer;

/// Writes a line for each request, if the settings want it.
///
/// @param wanted the part of a request that is written
/// @param lines  receives the lines
record RequestLog(Log wanted, Consumer<String> lines) {
    /// A request was taken. Prompts are written as JSON strings, so that a prompt is one line.
    void begin(TextRequest request) {
        if (wanted == Log.PROMPTS) {
            request.texts().stream()
                    .map(TextRequest.Text::prompt)
                    .distinct()
                    .forEach(prompt -> lines.accept("prompt " + TextNode.valueOf(prompt)));
        }
    }

    /// It was answered.
    void end(TextRequest request, Answers answers) {
        if (wanted != Log.NONE) {
            var kind = request.chat() ? "chat" : "text";
            lines.accept("%s %s: %s".formatted(kind, request.model(), answers.summary()));
        }
    }
}
