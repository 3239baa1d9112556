package dev.outrider.nn.target;

import static dev.outrider.nn.network.DecoderMemory.mebibytes;

import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.shape.ShapedCheckpoint;
import dev.outrider.nn.vector.VectorEncoderDecoder;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.Tokenizer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/// A checkpoint ready to run. Drafters that are decoders themselves load theirs here too.
///
/// @param name          its name, see [Checkpoint#name]
/// @param config        its architecture
/// @param network       its layers; the owner of this record closes it
/// @param tokenizer     its tokenizer
/// @param endOfSequence token ids that end a sequence
/// @param digest        digest of its weights
/// @param cacheBytesPerRow bytes that a token takes in a cache
/// @param encoder       its encoder, in an encoder-decoder
public record LoadedDecoder(
        String name,
        DecoderConfig config,
        DecoderNetwork network,
        Tokenizer tokenizer,
        Set<Integer> endOfSequence,
        String digest,
        long cacheBytesPerRow,
        Optional<EncoderConfig> encoder) {
    /// The plan of a back end for a decoder, made before anything is allocated.
    ///
    /// @param memory           memory that it needs
    /// @param network          creates it
    /// @param cacheBytesPerRow bytes that a token takes in a cache
    public record Plan(
            DecoderMemory memory, Supplier<DecoderNetwork> network, long cacheBytesPerRow) {}

    /// A back end that runs decoders.
    @FunctionalInterface
    public interface Planner {
        /// Plans a network.
        ///
        /// @throws OutriderException if the back end does not run such a model
        Plan plan(Stack decoder, Optional<Stack> encoder);
    }

    /// A stack of layers of a checkpoint, and its weights.
    public record Stack(DecoderConfig config, CheckpointWeights weights) {}

    /// Loads a checkpoint for Java's vector code.
    ///
    /// @param precision      number format of matrices; if empty, that of the checkpoint
    /// @param rows           number format of the rows that matrices of integers multiply
    /// @param maxPositions   longest sequence wanted, if shorter than the checkpoint's own limit
    /// @param availableBytes native memory that is still available
    /// @throws OutriderException as [#load], and `BACKEND_UNAVAILABLE` if the process has no such code
    public static LoadedDecoder loadVector(
            Checkpoint directory,
            Optional<Precision> precision,
            RowPrecision rows,
            Optional<Integer> maxPositions,
            LongSupplier availableBytes) {
        VectorMachine.require();
        return load(
                directory,
                maxPositions,
                availableBytes,
                (decoder, encoder) -> {
                    if (precision.isEmpty() && decoder.weights().inBlocks()) {
                        encoder.ifPresent(LoadedDecoder::refuseInFewBits);
                        return inBlocks(decoder, rows);
                    }
                    var kept = precision.orElseGet(decoder.weights()::precision);
                    return new Plan(
                            encoder.map(each -> demand(decoder, kept).and(demand(each, kept)))
                                    .orElseGet(() -> demand(decoder, kept)),
                            () -> vector(decoder, encoder, kept, rows),
                            VectorNetwork.cacheBytesPerRow(decoder.config()));
                });
    }

    /// Returns a decoder whose matrices stay in the format of its file.
    private static Plan inBlocks(Stack decoder, RowPrecision rows) {
        var config = decoder.config();
        var weights = new BlockWeights(decoder.weights());
        return new Plan(
                DecoderMemory.of(config, weights, VectorNetwork::bits),
                () -> new VectorNetwork(config, weights, decoder.weights().precision(), rows),
                VectorNetwork.cacheBytesPerRow(config));
    }

    private static void refuseInFewBits(Stack encoder) {
        throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                "an encoder-decoder of %d layers is kept in few bits; expected plain weights, or those that 'outrider quantise' writes"
                        .formatted(encoder.config().layers()),
                "Set 'precision', which widens them, or use a checkpoint that is not quantised.");
    }

    private static DecoderNetwork vector(
            Stack decoder, Optional<Stack> encoder, Precision precision, RowPrecision rows) {
        return encoder.<DecoderNetwork>map(reader ->
                        new VectorEncoderDecoder(
                                reader.config(),
                                reader.weights(),
                                decoder.config(),
                                decoder.weights(),
                                precision,
                                rows))
                .orElseGet(() ->
                        new VectorNetwork(decoder.config(), decoder.weights(), precision, rows));
    }

    private static DecoderMemory demand(Stack stack, Precision precision) {
        return DecoderMemory.of(stack.config(), stack.weights(), precision);
    }

    /// Loads a checkpoint for a back end.
    ///
    /// @param maxPositions   longest sequence that is wanted, if it is shorter than the checkpoint's own limit
    /// @param availableBytes native memory that is still available
    /// @param planner        the back end
    /// @throws OutriderException if files are missing, broken or unsupported, or memory does not suffice
    public static LoadedDecoder load(
            Checkpoint directory,
            Optional<Integer> maxPositions,
            LongSupplier availableBytes,
            Planner planner) {
        var name = directory.name();
        var model = ModelConfig.read(directory);
        var config = maxPositions.map(model.decoder()::limitedTo).orElse(model.decoder());
        if (!model.endTokensWithRow().containsAll(model.endOfSequence())) {
            LoggerFactory.getLogger(LoadedDecoder.class)
                    .warn(
                            "'{}' names the end tokens {}, but has only {} tokens; no text ends with the others",
                            name,
                            model.endOfSequence(),
                            config.vocabularySize());
        }
        var tokenizer = CheckpointTokenizer.load(directory, model);
        try (var tensors = directory.openTensors()) {
            var decoder =
                    new Stack(config, CheckpointWeights.of(config, tensors, model.quantisation()));
            var reading =
                    model.encoder().map(each -> maxPositions.map(each::limitedTo).orElse(each));
            var encoder =
                    reading.map(EncoderConfig::stack)
                            .map(stack ->
                                    new Stack(
                                            stack,
                                            CheckpointWeights.of(
                                                    stack, tensors, model.quantisation())));
            var plan = planner.plan(decoder, encoder);
            long available = availableBytes.getAsLong();
            plan.memory()
                    .require(
                            "model '%s'".formatted(name),
                            config.maxPositions(),
                            available,
                            () -> otherShape(directory, decoder, planner, available));
            if (ShapedCheckpoint.is(directory) && plan.memory().weights() > 0) {
                LoggerFactory.getLogger(LoadedDecoder.class)
                        .info("{}: {} of memory", name, mebibytes(plan.memory().weights()));
            }
            var made = digested(plan.network(), tensors::digest);
            return new LoadedDecoder(
                    name,
                    config,
                    made.network(),
                    tokenizer,
                    model.endTokensWithRow(),
                    made.digest(),
                    plan.cacheBytesPerRow(),
                    reading);
        }
    }

    /// A network, and the digest of its weights.
    record Digested(DecoderNetwork network, String digest) {}

    /// Makes a network while the digest is computed. Both have ended when this returns or throws.
    ///
    /// @param digest computes it, until it is told to stop
    static Digested digested(
            Supplier<DecoderNetwork> network, Function<BooleanSupplier, String> digest) {
        var stopped = new AtomicBoolean();
        var computed = CompletableFuture.supplyAsync(() -> digest.apply(stopped::get));
        DecoderNetwork made;
        try {
            made = network.get();
        } catch (RuntimeException | Error e) {
            stopped.set(true);
            computed.exceptionally(_ -> "").join(); // It reads files, which the caller closes now.
            throw e;
        }
        try {
            return new Digested(made, computed.join());
        } catch (CompletionException e) {
            made.close();
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /// Names the largest shape that fits, if a shaped checkpoint's model can be set into one.
    private static Optional<String> otherShape(
            Checkpoint directory, Stack decoder, Planner planner, long available) {
        return ShapedCheckpoint.shapes(directory).entrySet().stream()
                .map(each -> {
                    var stack = new Stack(each.getValue(), decoder.weights());
                    var memory = planner.plan(stack, Optional.empty()).memory();
                    return Map.entry(each.getKey(), memory.weights());
                })
                .filter(each -> each.getValue() <= available)
                .max(Map.Entry.comparingByValue())
                .map(each ->
                        "Use @%s, which takes %s, or a precision with fewer bits, or free memory."
                                .formatted(each.getKey(), mebibytes(each.getValue())));
    }

    /// Returns this object with caches in another number format from now on; for a network of Java's vector code.
    public LoadedDecoder withCaches(CachePrecision caches) {
        network.capability(VectorNetwork.class).orElseThrow().keepCachesIn(caches);
        long bytes = VectorNetwork.cacheBytesPerRow(config, caches);
        return new LoadedDecoder(
                name, config, network, tokenizer, endOfSequence, digest, bytes, encoder);
    }

    /// Returns the number of parameters.
    public long parameters() {
        return Weight.parameters(config)
                + encoder.map(EncoderConfig::stack).map(Weight::parameters).orElse(0L);
    }

    /// Returns the way in which its encoder reads, in an encoder-decoder.
    public Optional<SourceReading> sources() {
        return encoder.map(each -> new SourceReading(each.stack().maxPositions(), each.start()));
    }
}
