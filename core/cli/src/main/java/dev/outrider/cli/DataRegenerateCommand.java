package dev.outrider.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.chat.ChatTemplate;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.ProcessLock;
import dev.outrider.config.Loaded;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.decode.RequestLimits;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Variant;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.target.ChatTemplates;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.training.data.DataConfig;
import dev.outrider.training.data.DataSourceConfig;
import dev.outrider.training.data.Document;
import dev.outrider.training.data.TrainingData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider data regenerate`.
@Command(name = "regenerate")
final class DataRegenerateCommand extends Subcommand {

    @Parameters(paramLabel = "CONFIG")
    private Path config = Path.of("");

    @Option(names = "--from", required = true, paramLabel = "FILE")
    private List<Path> from = new ArrayList<>();

    @Option(names = "--out", required = true, paramLabel = "DIR")
    private Path out = Path.of("");

    @Option(names = "--variant", paramLabel = "NAME")
    private Optional<String> variant = Optional.empty();

    @Option(names = "--template", paramLabel = "DIR")
    private Optional<Path> template = Optional.empty();

    @Mixin private Options.SetOption set = new Options.SetOption();

    @Override
    public Integer call() {
        var loaded = context().experiment(config, set.values());
        var data = TrainingData.open(sources());
        try (var lock =
                ProcessLock.tryTake(out.resolve("regenerate.lock")).orElseThrow(this::busy)) {
            return regenerate(loaded, data);
        } catch (IOException e) {
            throw ErrorReport.cannotWrite(out, e);
        }
    }

    private DataConfig sources() {
        var files = from.stream().map(Path::toAbsolutePath).toList();
        var source = new DataSourceConfig(files, Optional.empty(), Optional.empty(), 1);
        return new DataConfig(List.of(source), Optional.empty(), 1, 0.5);
    }

    private int regenerate(Loaded<ExperimentConfig> loaded, TrainingData data) throws IOException {
        var experiment = only(variant.stream().toList(), loaded.config());
        PassThreads.use(experiment.threads());
        try (var ready = LoadedExperiment.load(experiment, context().ticker(), false)) {
            requireSame(facts(loaded, ready, data));
            var variant = ready.variants().getLast();
            if (variant.beams().isPresent()) {
                throw new OutriderException(
                        ErrorCode.CONFIG_INVALID,
                        "variant '%s' searches with beams; answers are drawn one token after another"
                                .formatted(variant.name()),
                        "Choose another variant.");
            }
            var chat = template.or(() -> checkpoint(loaded)).flatMap(ChatTemplates::of);
            try (var file = Regeneration.AnswerFile.open(out.resolve("answers.jsonl"))) {
                var run = new Regeneration(experiment, ready.target(), variant, chat, file);
                var done =
                        run.run(
                                data,
                                context().interrupted(),
                                answered -> err().println(answered + " answers"));
                out().println(done.line(out));
                return done.complete() ? ExitCode.OK : ExitCode.INTERRUPTED;
            }
        }
    }

    private static Optional<Path> checkpoint(Loaded<ExperimentConfig> loaded) {
        return loaded.effective().paths("target").stream()
                .filter(each -> each.key().equals("path"))
                .map(each -> ModelPaths.resolved(each.path()))
                .findFirst();
    }

    private Map<String, Object> facts(
            Loaded<ExperimentConfig> loaded, LoadedExperiment ready, TrainingData data) {
        var facts = new LinkedHashMap<String, Object>();
        facts.put("models", ready.modelDigests());
        facts.put("configHash", loaded.effective().configHash());
        facts.put("variant", variant.orElse("plain"));
        facts.put("questions", data.facts());
        facts.put("seed", loaded.config().seed());
        facts.put("sampling", loaded.config().sampling().toString());
        facts.put("maxTokens", loaded.config().maxTokens());
        facts.put("outrider", CommandContext.version());
        return facts;
    }

    /// Fails if the folder holds answers of another target, configuration or file of questions.
    private void requireSame(Map<String, Object> facts) throws IOException {
        var file = out.resolve("regeneration.json");
        var text = Json.pretty(facts) + "\n";
        if (!Files.exists(file)) {
            AtomicFile.write(file, text);
        } else if (!Files.readString(file).equals(text)) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "'%s' has answers of another target, configuration or file of questions"
                            .formatted(out),
                    "Choose another folder with --out, or go on with what regeneration.json says.");
        }
    }

    private OutriderException busy() {
        return new OutriderException(
                ErrorCode.IO_FAILED,
                "another process writes answers into '%s'".formatted(out),
                "Wait for it, or choose another folder with --out.");
    }

    /// Answers that a target writes to the questions of data. Each has random numbers of its own, keyed by its index, so the answers
    /// do not depend on batches, nor on where a run was stopped.
    ///
    /// @param template of conversations
    /// @param file     where answers go; begins behind the last one there
    record Regeneration(
            ExperimentConfig experiment,
            TargetModel target,
            Variant variant,
            Optional<ChatTemplate> template,
            AnswerFile file) {
        private static final ObjectMapper JSON = new ObjectMapper();

        /// Batches that are written together: at most these are written again after a kill.
        private static final int BATCHES = 4;

        /// The result of a run.
        ///
        /// @param answered questions, and how many tokens that took
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
        /// @param told how many were answered, after each write
        Done run(TrainingData data, BooleanSupplier stop, LongConsumer told) throws IOException {
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
                        told.accept(answered);
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
                                            Subcommand.request(
                                                    experiment, variant, question.prompt()),
                                            RandomnessSource.of(
                                                    new KeyedRandomStreams(
                                                            experiment.seed(), question.index())),
                                            DecodeListener.none()))
                            .toList();
            var found = new BatchDecoder(variant.decoder(), experiment.batch()).decode(items, stop);
            var lines = new ArrayList<ObjectNode>();
            long tokens = 0;
            for (int i = 0; i < questions.size(); i++) {
                var generation =
                        found.get(i).filter(each -> each.reason() != FinishReason.CANCELLED);
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
                        throw new OutriderException(
                                ErrorCode.DATA_INVALID,
                                "a record is plain text, which asks nothing",
                                "Give records with 'messages', 'conversations', or 'prompt' and 'completion'.");
            };
        }

        private String written(List<ChatMessage> messages) {
            return template.orElseThrow(() ->
                            new OutriderException(
                                    ErrorCode.DATA_INVALID,
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

        /// The answers so far, a JSON object a line, each with the `index` of its question. What a killed run wrote in part is cut off
        /// when the file is opened. Confined; the caller closes it.
        static final class AnswerFile implements AutoCloseable {
            private static final ObjectMapper JSON = new ObjectMapper();
            private static final int CHUNK = 1 << 16;

            /// Bytes of the longest line that is read back.
            private static final int LONGEST = 1 << 26;

            private final Path file;
            private final FileChannel channel;
            private long next;

            private AnswerFile(Path file, FileChannel channel) {
                this.file = file;
                this.channel = channel;
            }

            /// @throws OutriderException `DATA_INVALID` if the file is something else
            static AnswerFile open(Path file) throws IOException {
                var opened =
                        new AnswerFile(
                                file,
                                FileChannel.open(
                                        file,
                                        StandardOpenOption.CREATE,
                                        StandardOpenOption.READ,
                                        StandardOpenOption.WRITE));
                try {
                    opened.cutToLastLine();
                } catch (IOException | RuntimeException e) {
                    opened.close();
                    throw e;
                }
                return opened;
            }

            /// Index of the first question that may have no answer.
            long next() {
                return next;
            }

            /// Adds answers, in the order of their questions; they are on the disk when this returns.
            void append(List<ObjectNode> answers) throws IOException {
                if (answers.isEmpty()) {
                    return;
                }
                var text = new StringBuilder();
                answers.forEach(answer -> text.append(answer).append('\n'));
                var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(false);
                next = answers.getLast().path("index").longValue() + 1;
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }

            private void cutToLastLine() throws IOException {
                long end = newlineBefore(channel.size());
                channel.truncate(end + 1);
                channel.position(end + 1);
                if (end >= 0) {
                    next = index(newlineBefore(end) + 1, end) + 1;
                }
            }

            /// Returns the position of the last newline before a position, or -1.
            private long newlineBefore(long place) throws IOException {
                for (long end = place; end > 0; ) {
                    int length = (int) Math.min(CHUNK, end);
                    var bytes = read(end - length, length);
                    for (int i = length - 1; i >= 0; i--) {
                        if (bytes[i] == '\n') {
                            return end - length + i;
                        }
                    }
                    end -= length;
                }
                return -1;
            }

            private long index(long from, long to) throws IOException {
                if (to - from <= LONGEST) {
                    try {
                        var index = JSON.readTree(read(from, (int) (to - from))).path("index");
                        if (index.isIntegralNumber() && index.canConvertToLong()) {
                            return index.longValue();
                        }
                    } catch (JsonProcessingException _) {
                        // said below
                    }
                }
                throw new OutriderException(
                        ErrorCode.DATA_INVALID,
                        "the last line of '%s' is no answer with an 'index'".formatted(file),
                        "Choose another folder with --out, or remove the file.");
            }

            private byte[] read(long from, int length) throws IOException {
                var bytes = ByteBuffer.allocate(length);
                while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) > 0) {
                    continue;
                }
                return bytes.array();
            }
        }
    }
}
