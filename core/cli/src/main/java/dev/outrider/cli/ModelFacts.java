package dev.outrider.cli;

import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.chat.ChatTemplate;
import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.target.CheckpointTokenizer;
import dev.outrider.nn.target.LoadedDecoder.Stack;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.torch.DjlTarget;
import dev.outrider.treeverify.TornadoTargetConfig;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Facts of a checkpoint, from the headers of its files: architecture, formats, tokenizer, back ends, memory.
final class ModelFacts {
    private static final String RUNS = "runs";
    private static final double MEGABYTE = 1e6;

    private final Checkpoint directory;
    private final ModelConfig model;
    private final CheckpointTensors tensors;
    private final List<Fact> facts = new ArrayList<>();

    private ModelFacts(Checkpoint directory, ModelConfig model, CheckpointTensors tensors) {
        this.directory = directory;
        this.model = model;
        this.tensors = tensors;
    }

    /// Returns the facts.
    ///
    /// @param bandwidth of this machine in bytes a second, if it was measured
    /// @param drafters  the answers of drafters, if they were requested
    /// @throws OutriderException if files are missing, broken or of a family that is not implemented
    static List<Fact> of(Checkpoint directory, OptionalDouble bandwidth, Optional<Fact> drafters) {
        var model = ModelConfig.read(directory);
        try (var tensors = directory.openTensors()) {
            var collected = new ModelFacts(directory, model, tensors);
            collected.architecture();
            collected.files();
            collected.facts.add(tokenizer(directory, model));
            collected.facts.add(chat(directory));
            var memory = collected.runs(bandwidth);
            drafters.ifPresent(collected.facts::add);
            memory.map(MemoryFacts::advice)
                    .ifPresent(advice -> collected.facts.add(Fact.of("advice", advice.line())));
            return collected.facts;
        }
    }

    private void add(String key, Object value, String words) {
        facts.add(new Fact(key, value, words));
    }

    private void architecture() {
        var decoder = model.decoder();
        var encoder = model.encoder().map(EncoderConfig::stack);
        facts.add(Fact.of("name", directory.name()));
        facts.add(Fact.of("family", model.family().modelType()));
        facts.add(Fact.of("part", encoder.isPresent() ? "encoder-decoder" : "decoder"));
        encoder.ifPresent(stack -> facts.add(Shape.of("encoder", stack)));
        facts.add(Shape.of("decoder", decoder));
        add("positions", decoder.maxPositions(), positions(decoder));
        long parameters = Weight.parameters(decoder) + encoder.map(Weight::parameters).orElse(0L);
        add("parameters", parameters, Console.format("%.1f M", parameters / MEGABYTE));
    }

    /// Sizes of a stack.
    record Shape(
            int layers,
            int hidden,
            int feedForward,
            int heads,
            int keyValueHeads,
            int headSize,
            int vocabulary) {
        static Fact of(String key, DecoderConfig stack) {
            var shape =
                    new Shape(
                            stack.layers(),
                            stack.hiddenSize(),
                            stack.intermediateSize(),
                            stack.heads(),
                            stack.keyValueHeads(),
                            stack.headSize(),
                            stack.vocabularySize());
            var words =
                    "%d layers, hidden size %d, feed-forward %d, %d heads of %d (%d of keys), vocabulary %d";
            return new Fact(
                    key,
                    shape,
                    words.formatted(
                            shape.layers,
                            shape.hidden,
                            shape.feedForward,
                            shape.heads,
                            shape.headSize,
                            shape.keyValueHeads,
                            shape.vocabulary));
        }
    }

    private static String positions(DecoderConfig decoder) {
        var kind = decoder.form().positions().getClass().getSimpleName().toLowerCase(Locale.ROOT);
        var window = decoder.slidingWindow();
        return "%d, %s%s"
                .formatted(
                        decoder.maxPositions(),
                        kind,
                        window.isPresent() ? ", some layers see " + window.getAsInt() : "");
    }

    private void files() {
        var bytes = new TreeMap<String, Long>();
        for (var name : tensors.names()) {
            var tensor = tensors.tensor(name);
            var format = tensor.type().name().toLowerCase(Locale.ROOT);
            bytes.merge(format, tensor.data().byteSize(), Long::sum);
        }
        add(
                "bytesByFormat",
                bytes,
                joined(
                        bytes,
                        ", ",
                        (format, size) -> Console.format("%s %.1f MB", format, size / MEGABYTE)));
        facts.add(Fact.of("tensors", tensors.names().size()));
    }

    /// @return the memory, if the back end 'vector' runs the model
    private Optional<MemoryFacts> runs(OptionalDouble bandwidth) {
        var checked = new LinkedHashMap<String, String>();
        checked.put("vector", runs(VectorMachine::require));
        checked.put("djl", runs(() -> DjlTarget.require(directory, model)));
        checked.put(
                "tornado",
                runs(() -> TornadoTargetConfig.requireForm(directory.path(), model.decoder())));
        add("backEnds", checked, lines(checked));
        if (!checked.containsValue(RUNS)) {
            return Optional.empty();
        }
        var encoder =
                model.encoder()
                        .map(EncoderConfig::stack)
                        .map(stack -> new Stack(stack, weights(stack)));
        var memory = new MemoryFacts(model, weights(model.decoder()), encoder, bandwidth);
        facts.addAll(memory.all());
        return Optional.of(memory).filter(_ -> RUNS.equals(checked.get("vector")));
    }

    private String runs(Runnable check) {
        return answer(
                RUNS,
                () -> {
                    check.run();
                    requireWeights();
                });
    }

    private static <V> String joined(
            Map<String, V> values, String between, BiFunction<String, V, String> words) {
        return values.entrySet().stream()
                .map(each -> words.apply(each.getKey(), each.getValue()))
                .collect(Collectors.joining(between));
    }

    /// Returns a line for each answer.
    static String lines(Map<String, String> answers) {
        return joined(answers, "\n", (name, answer) -> name + ": " + answer);
    }

    /// Fails unless exactly the expected tensors are present, each with its shape.
    private void requireWeights() {
        weights(model.decoder());
        model.encoder().map(EncoderConfig::stack).ifPresent(this::weights);
    }

    private CheckpointWeights weights(DecoderConfig stack) {
        return CheckpointWeights.of(stack, tensors, model.quantisation());
    }

    /// A fact of a model.
    ///
    /// @param key   its name, in JSON and for people
    /// @param value in JSON
    /// @param words for people
    record Fact(String key, Object value, String words) {
        static Fact of(String key, Object value) {
            return new Fact(key, value, String.valueOf(value));
        }
    }

    /// Returns `yes` if a check passes, and the reason if it refuses the model.
    static String answer(String yes, Runnable check) {
        try {
            check.run();
            return yes;
        } catch (OutriderException e) {
            return refused(e);
        }
    }

    private static String refused(OutriderException cause) {
        return "refused, %s: %s".formatted(cause.code(), cause.problem());
    }

    private static Fact tokenizer(Checkpoint directory, ModelConfig model) {
        try (var tokenizer = CheckpointTokenizer.load(directory, model)) {
            var begin = pieces(tokenizer, model.beginOfSequence());
            var end = pieces(tokenizer, model.endOfSequence());
            var facts = new LinkedHashMap<String, Object>();
            facts.put("kind", tokenizer.kind());
            facts.put("pieces", tokenizer.pieces());
            facts.put("added", added(tokenizer));
            facts.put("begin", begin);
            facts.put("end", end);
            return new Fact(
                    "tokenizer",
                    facts,
                    "%s, %d pieces, %d of them added; begins with %s, ends with %s"
                            .formatted(
                                    tokenizer.kind(),
                                    tokenizer.pieces(),
                                    added(tokenizer),
                                    words(begin),
                                    words(end)));
        } catch (OutriderException e) {
            return Fact.of("tokenizer", refused(e));
        }
    }

    private static long added(HfTokenizer tokenizer) {
        return IntStream.range(0, tokenizer.vocabularySize())
                .filter(id -> tokenizer.isPiece(id) && tokenizer.isAdded(id))
                .count();
    }

    private static List<String> pieces(HfTokenizer tokenizer, List<Integer> ids) {
        return ids.stream()
                .map(id -> tokenizer.isPiece(id) ? tokenizer.piece(id) : String.valueOf(id))
                .toList();
    }

    private static String words(List<String> pieces) {
        return pieces.isEmpty()
                ? "nothing"
                : pieces.stream().collect(Collectors.joining("' or '", "'", "'"));
    }

    private static Fact chat(Checkpoint directory) {
        var words =
                ChatTemplate.load(
                                directory.path(),
                                InstantSource.fixed(Instant.EPOCH),
                                ZoneOffset.UTC)
                        .map(template ->
                                "%s; with a system message %s"
                                        .formatted(
                                                writes(template, "user"),
                                                writes(template, "system", "user")))
                        .orElse("none: prompts are plain text");
        return Fact.of("chatTemplate", words);
    }

    private static String writes(ChatTemplate template, String... roles) {
        var messages =
                Stream.of(roles)
                        .map(role -> new ChatMessage(role, "Hello"))
                        .toArray(ChatMessage[]::new);
        return answer("written", () -> template.render(ChatRequest.of(messages)));
    }

    /// Memory of a model on the processor for each precision, and the least time of a pass: the bytes that it reads over the bandwidth.
    ///
    /// @param weights   of the decoder
    /// @param encoder   of the model, if it has one
    /// @param bandwidth in bytes a second, if it was measured
    record MemoryFacts(
            ModelConfig model,
            CheckpointWeights weights,
            Optional<Stack> encoder,
            OptionalDouble bandwidth) {
        private static final double GIGABYTE = 1e9;
        private static final double MILLIS = 1e3;

        /// A precision.
        ///
        /// @param asInTheFiles whether it is the files' precision
        /// @param bytes        of the weights
        /// @param bytesPerPass of them that a pass reads
        /// @param boundSeconds lower bound of a pass's time, if the bandwidth was measured
        record Line(
                String precision,
                boolean asInTheFiles,
                long bytes,
                long bytesPerPass,
                Optional<Double> boundSeconds) {
            String words() {
                return Console.format(
                        "%s: %.1f MB%s%s",
                        precision,
                        bytes / MEGABYTE,
                        boundSeconds
                                .map(seconds ->
                                        Console.format(", no pass under %.2f ms", seconds * MILLIS))
                                .orElse(""),
                        asInTheFiles ? " (as in the files)" : "");
            }
        }

        List<Fact> all() {
            var facts = new ArrayList<Fact>();
            long row = VectorNetwork.cacheBytesPerRow(model.decoder());
            long positions = model.decoder().maxPositions();
            var cache =
                    Console.format(
                            "%.1f kB, %.1f MB for all %d positions",
                            row / 1e3, row * positions / MEGABYTE, positions);
            facts.add(new Fact("cacheBytesPerToken", row, cache));
            long available = NativeMemory.availableBytes();
            facts.add(
                    new Fact(
                            "availableBytes",
                            available,
                            Console.format("%.1f GB", available / GIGABYTE)));
            bandwidth.ifPresent(speed -> {
                var words = Console.format("%.1f GB/s, measured now", speed / GIGABYTE);
                facts.add(new Fact("bandwidth", speed, words));
            });
            var lines = new ArrayList<Line>();
            if (weights.inBlocks()) {
                lines.add(inBlocks());
            }
            new TreeSet<>(List.of(weights.precision(), Precision.INT8, Precision.INT4))
                    .forEach(precision -> lines.add(line(precision)));
            var words = lines.stream().map(Line::words).collect(Collectors.joining("\n"));
            facts.add(new Fact("precisions", lines, words));
            return facts;
        }

        ModelAdvice advice() {
            return new ModelAdvice(
                    weights.inBlocks() ? inBlocks() : line(weights.precision()),
                    Stream.of(Precision.BF16, Precision.INT8, Precision.W8A8, Precision.INT4)
                            .map(this::line)
                            .toList(),
                    NativeMemory.availableBytes(),
                    Machine.cacheBytes(),
                    VectorMachine::fastIntegers);
        }

        private Line line(Precision precision) {
            long read = ModelBench.bytesPerPass(model.decoder(), precision.bits(), 0, 0);
            return new Line(
                    precision.name().toLowerCase(Locale.ROOT),
                    precision == weights.precision() && !weights.inBlocks(),
                    demand(precision).weights(),
                    read,
                    bound(read));
        }

        /// Returns the numbers for matrices in the files' own formats. A pass reads all of them, but only some rows of the
        /// embedding.
        private Line inBlocks() {
            var config = model.decoder();
            var blocks = new BlockWeights(weights);
            long bytes = DecoderMemory.of(config, blocks, VectorNetwork::bits).weights();
            double table =
                    config.tiedHead()
                            ? 0
                            : blocks.stored(Weight.EMBEDDING, 0, Precision.F32)
                                    .map(VectorNetwork::bits)
                                    .map(bits ->
                                            bits / Byte.SIZE * Weight.EMBEDDING.elements(config, 0))
                                    .orElse(0.0);
            long read = (long) (bytes - table);
            return new Line(blocks.formats(weights.precision()), true, bytes, read, bound(read));
        }

        private Optional<Double> bound(long bytes) {
            return bandwidth.isPresent()
                    ? Optional.of(bytes / bandwidth.getAsDouble())
                    : Optional.empty();
        }

        private DecoderMemory demand(Precision precision) {
            var own = DecoderMemory.of(model.decoder(), weights, precision);
            return encoder.map(each ->
                            own.and(DecoderMemory.of(each.config(), each.weights(), precision)))
                    .orElse(own);
        }
    }
}
