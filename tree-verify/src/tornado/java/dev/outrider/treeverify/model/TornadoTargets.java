package dev.outrider.treeverify.model;

import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.WatchedWeights;
import dev.outrider.nn.target.CheckpointTokenizer;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.treeverify.DeviceForms;
import dev.outrider.treeverify.DeviceMemory;
import dev.outrider.treeverify.DeviceTargets;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.model.PassGraph.LayerParts;
import dev.outrider.treeverify.pass.DeviceNetwork;
import dev.outrider.treeverify.pass.ProgramMemory;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Loads checkpoints onto a device. Thread-safe.
public final class TornadoTargets implements DeviceTargets {
    private static final System.Logger LOG = System.getLogger(TornadoTargets.class.getName());

    /// Cache rows where the configuration does not say.
    private static final int USUAL_CACHE_ROWS = 8192;

    /// Bytes whose loading is worth a word now and then.
    private static final long LONG_LOAD = 1L << 28;

    @Override
    public TargetModel open(TornadoTargetConfig config) {
        var loaded = load(config);
        var decoder = loaded.config();
        var description =
                new TargetDescription(
                        loaded.name(),
                        "tornado/%s/%s"
                                .formatted(
                                        Devices.at(config.device()).info().backend(),
                                        config.precision().name().toLowerCase(Locale.ROOT)),
                        decoder.vocabularySize(),
                        decoder.hiddenSize(),
                        decoder.layers(),
                        decoder.maxPositions(),
                        loaded.parameters(),
                        loaded.endOfSequence(),
                        loaded.digest());
        return new NetworkTarget(
                description, loaded.tokenizer(), loaded.network(), 0, () -> 0);
    }

    @Override
    public LoadedDecoder load(TornadoTargetConfig config) {
        var directory = ModelPaths.open(config.path());
        var model = ModelConfig.read(directory);
        var name =
                config.name()
                        .orElseGet(directory::name);
        var tokenizer = CheckpointTokenizer.load(directory, model);
        try (var tensors = directory.openTensors()) {
            // The files bound the sizes of the configuration; memory is computed from these.
            var checked =
                    CheckpointWeights.of(model.decoder(), tensors, model.quantisation());
            var shape = shape(config, model.decoder());
            var device = Devices.at(config.device());
            var memory = ProgramMemory.of(shape);
            requireFits(name, memory, device);
            LOG.log(
                    System.Logger.Level.INFO,
                    "model '%s': %d MiB and %d kernels for %s"
                            .formatted(
                                    name,
                                    mebibytes(memory.bytes()),
                                    LayerParts.tasks(shape),
                                    device.info().name()));
            var decoder = shape.config();
            var source =
                    new WatchedWeights(
                            checked,
                            decoder,
                            done -> LOG.log(
                                    memory.bytes() < LONG_LOAD
                                            ? System.Logger.Level.DEBUG
                                            : System.Logger.Level.INFO,
                                    "model '%s': %d %% of the weights are loaded"
                                            .formatted(name, done)));
            var weights = new WeightLoader(shape, source);
            return new LoadedDecoder(
                    name,
                    decoder,
                    network(shape, weights, device, config.cudaGraphs()),
                    tokenizer,
                    Set.copyOf(model.endOfSequence()),
                    tensors.digest(),
                    2L * decoder.layers() * decoder.keyValueHeads() * decoder.headSize() * Float.BYTES,
                    Optional.empty());
        }
    }

    /// A decoder on a device.
    ///
    /// @throws OutriderException `KERNEL_FAILED` if a kernel does not compile
    public static DeviceNetwork network(
            ProgramShape shape, WeightLoader weights, Devices.Found device, CudaGraphs graphs) {
        if (graphs.ignoredOn(device.info())) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "CUDA graphs were asked for, but device %d runs %s, which has none: passes are not replayed"
                            .formatted(device.info().index(), device.info().backend()));
        }
        boolean replayed = graphs.replayOn(device.info());
        return new DeviceNetwork(
                shape,
                new TornadoProgram(
                        shape, weights, device.device(), LayerParts.NO_LIMIT, replayed));
    }

    private static ProgramShape shape(TornadoTargetConfig config, DecoderConfig decoder) {
        DeviceForms.require(config.path(), decoder);
        var limited = config.maxPositions().map(decoder::limitedTo).orElse(decoder);
        int usual = (int) Math.min(2L * limited.maxPositions(), USUAL_CACHE_ROWS);
        int cacheRows = config.cacheRows().orElse(usual);
        // A sequence is no longer than the cache it has to fit into.
        return new ProgramShape(
                limited.limitedTo(cacheRows),
                config.rows(),
                ProgramShape.USUAL_MASK_WORDS,
                cacheRows,
                ProgramShape.USUAL_MOVES,
                config.precision());
    }

    private static void requireFits(String name, DeviceMemory memory, Devices.Found device) {
        memory.requireOn(device.info());
        long limit = device.device().getMemoryProvider().getHeapSize();
        if (memory.bytes() > limit) {
            throw new OutriderException(
                    ErrorCode.OUT_OF_MEMORY,
                    "target '%s' takes %d MiB of the device's memory, but TornadoVM was started to take at most %d MiB"
                            .formatted(name, mebibytes(memory.bytes()), mebibytes(limit)),
                    "Start the JVM with a larger limit, such as -Dtornado.device.memory=%dGB."
                            .formatted(memory.bytes() / (1L << 30) + 1));
        }
    }

    private static long mebibytes(long bytes) {
        return Math.ceilDiv(bytes, 1L << 20);
    }
}
