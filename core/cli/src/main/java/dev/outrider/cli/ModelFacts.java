package dev.outrider.cli;

import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.torch.DjlTarget;
import dev.outrider.treeverify.DeviceForms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a checkpoint is and takes, told from its files' headers.
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

    /// All that is known.
    ///
    /// @param bandwidth of this machine in bytes a second, if it was measured
    /// @throws OutriderException if files are missing, broken or of a family that is not implemented
    static List<Fact> of(Checkpoint directory, OptionalDouble bandwidth) {
        var model = ModelConfig.read(directory);
        try (var tensors = directory.openTensors()) {
            var collected = new ModelFacts(directory, model, tensors);
            collected.architecture();
            collected.files();
            collected.facts.addAll(TextFacts.of(directory, model));
            collected.runs(bandwidth);
            return collected.facts;
        }
    }

    private void architecture() {
        var decoder = model.decoder();
        facts.add(Fact.of("name", directory.name()));
        facts.add(Fact.of("family", model.family().modelType()));
        facts.add(Fact.of("part", model.encoder().isPresent() ? "encoder-decoder" : "decoder"));
        model.encoder()
                .map(EncoderConfig::stack)
                .ifPresent(encoder -> facts.add(Shape.of("encoder", encoder)));
        facts.add(Shape.of("decoder", decoder));
        facts.add(new Fact("positions", decoder.maxPositions(), positions(decoder)));
        long parameters =
                Weight.parameters(decoder)
                        + model.encoder()
                                .map(EncoderConfig::stack)
                                .map(Weight::parameters)
                                .orElse(0L);
        facts.add(new Fact("parameters", parameters, format("%.1f M", parameters / MEGABYTE)));
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
            return new Fact(key, shape, shape.words());
        }

        private String words() {
            return "%d layers, hidden size %d, feed-forward %d, %d heads of %d (%d of keys), vocabulary %d"
                    .formatted(
                            layers,
                            hidden,
                            feedForward,
                            heads,
                            headSize,
                            keyValueHeads,
                            vocabulary);
        }
    }

    private static String positions(DecoderConfig decoder) {
        var kind =
                switch (decoder.form().positions()) {
                    case Positions.Rotary() -> "rotary";
                    case Positions.Learned _ -> "learned";
                    case Positions.Sinusoidal() -> "sinusoidal";
                    case Positions.Relative _ -> "relative";
                };
        var window =
                decoder.slidingWindow().isPresent()
                        ? ", some layers see %d".formatted(decoder.slidingWindow().getAsInt())
                        : "";
        return "%d, %s%s".formatted(decoder.maxPositions(), kind, window);
    }

    private void files() {
        var bytes = new TreeMap<String, Long>();
        for (var name : tensors.names()) {
            var tensor = tensors.tensor(name);
            bytes.merge(
                    tensor.type().name().toLowerCase(Locale.ROOT),
                    tensor.data().byteSize(),
                    Long::sum);
        }
        facts.add(
                new Fact(
                        "bytesByFormat",
                        bytes,
                        bytes.entrySet().stream()
                                .map(each ->
                                        format(
                                                "%s %.1f MB",
                                                each.getKey(), each.getValue() / MEGABYTE))
                                .collect(Collectors.joining(", "))));
        facts.add(Fact.of("tensors", tensors.names().size()));
    }

    private void runs(OptionalDouble bandwidth) {
        var checked = new LinkedHashMap<String, String>();
        checked.put(
                "vector",
                Answer.of(
                        RUNS,
                        () -> {
                            VectorMachine.require();
                            requireWeights();
                        }));
        checked.put(
                "djl",
                Answer.of(
                        RUNS,
                        () -> {
                            DjlTarget.require(directory, model);
                            requireWeights();
                        }));
        checked.put(
                "tornado",
                Answer.of(
                        RUNS,
                        () -> {
                            requireWeights();
                            DeviceForms.require(directory.path(), model.decoder());
                        }));
        facts.add(
                new Fact(
                        "backEnds",
                        checked,
                        checked.entrySet().stream()
                                .map(each -> each.getKey() + ": " + each.getValue())
                                .collect(Collectors.joining("\n"))));
        if (checked.containsValue(RUNS)) {
            facts.addAll(new MemoryFacts(model, weights(model.decoder()), bandwidth).all());
        }
    }

    /// Every tensor is there with its shape, and none besides.
    private void requireWeights() {
        weights(model.decoder());
        model.encoder().map(EncoderConfig::stack).ifPresent(this::weights);
    }

    private CheckpointWeights weights(DecoderConfig stack) {
        return CheckpointWeights.of(stack, tensors, model.quantisation());
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
