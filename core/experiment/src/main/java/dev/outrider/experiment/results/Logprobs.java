package dev.outrider.experiment.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outrider.common.AtomicFile;
import dev.outrider.engine.decode.FollowingText;
import dev.outrider.engine.scoring.ScoredToken;
import dev.outrider.engine.scoring.TextRows;
import dev.outrider.engine.scoring.TokenScore;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Progress;
import dev.outrider.experiment.run.Variant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/// Log probabilities of the tokens of a prompt and of the tokens written after it: in `logprobs.jsonl` and in the JSON of
/// `generate`.
///
/// @param promptLogprobs one for each token of the prompt; empty for the first token, which has no context
/// @param logprobs       one for each token after it
public record Logprobs(List<Optional<Token>> promptLogprobs, List<Token> logprobs) {
    /// The file of a folder of results.
    static final String FILE = "logprobs.jsonl";

    /// Copies the lists.
    public Logprobs {
        promptLogprobs = List.copyOf(promptLogprobs);
        logprobs = List.copyOf(logprobs);
    }

    /// Log probabilities at one place, in nats.
    ///
    /// @param id               the token that is there
    /// @param text             the text that it adds
    /// @param logprob          before any processor and at temperature 1
    /// @param top              the most probable tokens under these, the best first
    /// @param processedLogprob as it was drawn: after processors, sampling and operators; empty in prompts and at temperature 0
    /// @param processedTop     the most probable tokens under these
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Token(
            int id,
            String text,
            double logprob,
            List<Candidate> top,
            Optional<Double> processedLogprob,
            List<Candidate> processedTop) {}

    /// A token that could follow at this place.
    ///
    /// @param id      the token
    /// @param text    the text that it would add
    /// @param logprob in nats
    public record Candidate(int id, String text, double logprob) {}

    /// One line of `logprobs.jsonl`.
    private record Line(
            String variant,
            String prompt,
            String digest,
            int repetition,
            List<Optional<Token>> promptLogprobs,
            List<Token> logprobs) {}

    /// Scores a text in new passes of the target.
    ///
    /// @param source  token ids for the encoder; empty for a target without one
    /// @param prompt  token ids, at least one
    /// @param emitted token ids after it
    /// @param most    number of the most probable tokens at each place
    public static Logprobs of(
            Variant variant, List<Integer> source, int[] prompt, int[] emitted, int most) {
        var target = variant.decoder().target();
        var read = new ArrayList<Optional<Token>>();
        read.add(Optional.empty());
        var written = new ArrayList<Token>();
        int before = prompt[0];
        for (var each :
                ScoredToken.of(
                        new TextRows(target, source),
                        variant.decoder().processors(),
                        variant.policy(),
                        prompt,
                        emitted,
                        most)) {
            int previous = before;
            var token = token(each, id -> FollowingText.of(target.tokenizer(), previous, id));
            if (read.size() < prompt.length) {
                read.add(Optional.of(token));
            } else {
                written.add(token);
            }
            before = token.id();
        }
        return new Logprobs(read, written);
    }

    private static Token token(ScoredToken scored, IntFunction<String> text) {
        int id = scored.raw().token();
        return new Token(
                id,
                text.apply(id),
                scored.raw().logProbability(),
                top(scored.raw(), text),
                scored.processed().map(TokenScore::logProbability),
                scored.processed().map(drawn -> top(drawn, text)).orElse(List.of()));
    }

    private static List<Candidate> top(TokenScore score, IntFunction<String> text) {
        return score.candidates().stream()
                .map(each ->
                        new Candidate(
                                each.token(), text.apply(each.token()), each.logProbability()))
                .toList();
    }

    /// Writes the log probabilities of every measured generation.
    ///
    /// @param most      number of the most probable tokens at each place
    /// @param directory the folder of results
    /// @param cancelled asked before every generation
    /// @throws CancellationException if it was cancelled; there is no file then
    /// @throws dev.outrider.spi.error.OutriderException `RESULTS_NOT_WRITABLE`, or what target and processors throw
    public static void write(
            ComparisonResult result,
            int most,
            Path directory,
            Progress progress,
            BooleanSupplier cancelled) {
        AtomicFile.Content content =
                file -> {
                    try (var lines = Files.newBufferedWriter(file)) {
                        int done = 0;
                        for (var record : result.generations()) {
                            if (cancelled.getAsBoolean()) {
                                throw new CancellationException();
                            }
                            progress.at(record.variant(), done++, result.generations().size());
                            lines.write(Json.line(line(result, record, most)) + "\n");
                        }
                    }
                };
        ResultFolder.writing(directory, () -> AtomicFile.write(directory.resolve(FILE), content));
    }

    private static Line line(ComparisonResult result, GenerationRecord record, int most) {
        var plan = result.plan();
        var prompt = plan.prompts().get(record.prompt());
        var variant =
                plan.variants().stream()
                        .filter(each -> each.name().equals(record.variant()))
                        .findFirst()
                        .orElseThrow();
        int[] emitted = record.tokens().stream().mapToInt(Integer::intValue).toArray();
        var scored = of(variant, prompt.source(), prompt.array(), emitted, most);
        return new Line(
                record.variant(),
                prompt.id(),
                prompt.digest(),
                record.repetition(),
                scored.promptLogprobs,
                scored.logprobs);
    }
}
