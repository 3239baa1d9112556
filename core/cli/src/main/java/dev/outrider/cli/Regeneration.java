package dev.outrider.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.chat.ChatTemplate;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.decode.RequestLimits;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.Variant;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.training.data.Document;
import dev.outrider.training.data.TrainingData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/// A target's answers to the questions of data. Each answer has its own random numbers, keyed by its index, so the answers do not
/// depend on batches, nor on the place where a run was stopped.
///
/// @param template of conversations
/// @param file     of the answers; new ones follow the last one there
record Regeneration(
        ExperimentConfig experiment,
        TargetModel target,
        Variant variant,
        Optional<ChatTemplate> template,
        AnswerFile file) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// The number of batches that are written together: after a kill at most these are answered again.
    private static final int BATCHES = 4;

    /// The result of a run.
    ///
    /// @param answered number of answered questions
    /// @param skipped  questions that leave no room for an answer
    /// @param complete whether no question is left
    record Done(long answered, long tokens, long skipped, boolean complete) {
        String line(Path folder) {
            return "%s: %d answers, %d tokens, %d questions too long%s"
                    .formatted(
                            folder,
                            answered,
                            tokens,
                            skipped,
                            complete ? "" : "; interrupted, the same command goes on");
        }
    }

    private record Question(long index, Document document, EncodedPrompt prompt) {}

    /// Answers the questions that have no answer yet.
    ///
    /// @param progress receives the number of answered questions after each write
    Done run(TrainingData data, BooleanSupplier stop, LongConsumer progress) throws IOException {
        long skipped = 0;
        long answered = 0;
        long tokens = 0;
        try (var stream = data.all()) {
            Iterator<TrainingData.Placed> documents = stream.iterator();
            long index = 0;
            while (documents.hasNext()) {
                var questions = new ArrayList<Question>();
                while (documents.hasNext() && questions.size() < BATCHES * experiment.batch()) {
                    var document = documents.next().document();
                    if (index >= file.next()) {
                        var prompt = prompt(document);
                        if (hasRoom(prompt)) {
                            questions.add(new Question(index, document, prompt));
                        } else {
                            skipped++;
                        }
                    }
                    index++;
                }
                var answers = answers(questions, stop);
                file.append(answers.lines());
                answered += answers.lines().size();
                tokens += answers.tokens();
                if (answers.lines().size() < questions.size()) {
                    return new Done(answered, tokens, skipped, false);
                }
                if (!questions.isEmpty()) {
                    progress.accept(answered);
                }
            }
        }
        return new Done(answered, tokens, skipped, true);
    }

    private record Answers(List<ObjectNode> lines, long tokens) {}

    /// Returns the finished answers up to the first unfinished one.
    private Answers answers(List<Question> questions, BooleanSupplier stop) {
        var items =
                questions.stream()
                        .map(question ->
                                new BatchDecoder.Item(
                                        Subcommand.request(experiment, variant, question.prompt()),
                                        RandomnessSource.of(
                                                new KeyedRandomStreams(
                                                        experiment.seed(), question.index())),
                                        DecodeListener.none()))
                        .toList();
        var found = new BatchDecoder(variant.decoder(), experiment.batch()).decode(items, stop);
        var lines = new ArrayList<ObjectNode>();
        long tokens = 0;
        for (int i = 0; i < questions.size(); i++) {
            var generation = found.get(i).filter(each -> each.reason() != FinishReason.CANCELLED);
            if (generation.isEmpty()) {
                break;
            }
            lines.add(line(questions.get(i), generation.get()));
            tokens += generation.get().tokens().length;
        }
        return new Answers(lines, tokens);
    }

    private EncodedPrompt prompt(Document document) {
        return switch (document) {
            case Document.Completion(String prompt, _, _) -> EncodedPrompt.of(target, prompt);
            case Document.Chat chat -> EncodedPrompt.ofChat(target, written(chat.opening()));
            case Document.Text _ ->
                    throw ErrorCode.DATA_INVALID.error(
                            "a record is plain text, which asks nothing",
                            "Give records with 'messages', 'conversations', or 'prompt' and 'completion'.");
        };
    }

    private String written(List<ChatMessage> messages) {
        return template.orElseThrow(() ->
                        ErrorCode.DATA_INVALID.error(
                                "the questions are conversations, but the target has no chat template",
                                "Give records with 'prompt' and 'completion', or another target."))
                .render(new ChatRequest(messages, List.of(), true, Map.of()));
    }

    private boolean hasRoom(EncodedPrompt prompt) {
        try {
            RequestLimits.requireRoom(
                    target.description(), prompt.ids().size(), experiment.maxTokens());
            return true;
        } catch (OutriderException e) {
            if (e.code().equals(ErrorCode.CONTEXT_EXCEEDED)) {
                return false;
            }
            throw e;
        }
    }

    private static ObjectNode line(Question question, Generation generation) {
        var line = JSON.createObjectNode();
        line.put("index", question.index());
        switch (question.document()) {
            case Document.Completion(String prompt, _, _) -> {
                line.put("prompt", prompt);
                line.put("completion", generation.text());
            }
            case Document.Chat chat -> {
                var messages = line.putArray("messages");
                chat.opening()
                        .forEach(message ->
                                messages.addObject()
                                        .put("role", message.role())
                                        .put("content", message.content()));
                messages.addObject()
                        .put("role", Document.Chat.ASSISTANT)
                        .put("content", generation.text());
            }
            case Document.Text _ -> throw new IllegalStateException("plain text has no answer");
        }
        line.put("truncated", generation.reason() == FinishReason.MAX_TOKENS);
        return line;
    }
}
