package dev.outrider.treeverify.model;

import dev.outrider.common.Ticker;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.DeviceBenchReport;
import dev.outrider.treeverify.DeviceBenchReport.DeviceBenchRequest;
import dev.outrider.treeverify.DeviceCode;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.pass.DeviceNetwork;
import dev.outrider.treeverify.pass.GraphParts;
import dev.outrider.treeverify.pass.ProgramMemory;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightForms;
import dev.outrider.treeverify.pass.WeightLoader;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Device code through TornadoVM. Thread-safe.
public final class TornadoCode implements DeviceCode {
    private static final System.Logger LOG = System.getLogger(TornadoCode.class.getName());

    @Override
    public List<DeviceInfo> devices() {
        return Devices.all().stream().map(Devices.Found::info).toList();
    }

    @Override
    public List<KernelCheck> test(int device) {
        return PassSelfTest.run(Devices.at(device));
    }

    @Override
    public DeviceBenchReport bench(
            DeviceBenchRequest request, Consumer<String> progress, Ticker ticker) {
        return TornadoDeviceBench.run(request, progress, ticker);
    }

    @Override
    public LoadedDecoder load(TornadoTargetConfig config, int guesses) {
        // A sequence must fit the cache.
        int longest =
                Math.min(
                        config.maxPositions().orElse(Integer.MAX_VALUE),
                        config.cacheRows().orElse(TornadoTargetConfig.USUAL_CACHE_ROWS));
        return LoadedDecoder.load(
                new Checkpoint(config.path()),
                Optional.of(longest),
                () -> 0,
                (decoder, _) -> plan(config, guesses, decoder.config(), decoder.weights()));
    }

    @Override
    public BlockNetwork loadLayer(
            String name,
            DecoderConfig config,
            WeightSource weights,
            WeightFormat precision,
            int block) {
        TornadoTargetConfig.requireForm(name, config);
        int parts = Math.ceilDiv(block, TornadoTargetConfig.LAYER_ROWS);
        int rows = parts * TornadoTargetConfig.LAYER_ROWS;
        if (rows > TornadoTargetConfig.MAX_ROWS) {
            throw TornadoTargetConfig.unsupported(
                    name, "blocks of more than %d rows".formatted(TornadoTargetConfig.MAX_ROWS));
        }
        var layer = config.limitedTo(TornadoTargetConfig.USUAL_CACHE_ROWS);
        var shape =
                new ProgramShape(
                        layer,
                        rows,
                        ProgramShape.USUAL_MASK_WORDS,
                        TornadoTargetConfig.usualCacheRows(
                                layer.maxPositions(), TornadoTargetConfig.GUESSES),
                        ProgramShape.USUAL_MOVES,
                        precision);
        var device = Devices.at(0);
        requireFits(shape, device);
        return network(shape, new WeightLoader(shape, weights), device, CudaGraphs.AUTO);
    }

    @Override
    public HeadPart loadHead(String name, HeadPart.Weights weights, WeightFormat precision) {
        int blocks = weights.blocks().size();
        if (blocks > HeadProgram.MAX_BLOCKS) {
            throw TornadoTargetConfig.unsupported(
                    name, "more blocks of a head than " + HeadProgram.MAX_BLOCKS);
        }
        var device = Devices.at(0);
        requireFits(HeadProgram.memory(weights, precision), 2 * blocks + 1, device);
        return new HeadProgram(
                weights, precision, device.device(), CudaGraphs.AUTO.replayOn(device.info()));
    }

    private static LoadedDecoder.Plan plan(
            TornadoTargetConfig config,
            int guesses,
            DecoderConfig decoder,
            CheckpointWeights weights) {
        TornadoTargetConfig.requireForm(config.path(), decoder);
        int usual = TornadoTargetConfig.usualCacheRows(decoder.maxPositions(), guesses);
        boolean asItIs = config.precision() == WeightFormat.FILE;
        var file = new BlockWeights(weights);
        var source = asItIs ? file : weights;
        var uniform =
                new ProgramShape(
                        decoder,
                        config.rows(),
                        ProgramShape.USUAL_MASK_WORDS,
                        config.cacheRows().orElse(usual),
                        ProgramShape.USUAL_MOVES,
                        config.precision());
        var device = Devices.at(config.device());
        var shape = asItIs ? uniform.withForms(WeightForms.ofFile(file)) : uniform;
        requireFits(shape, device);
        return new LoadedDecoder.Plan(
                new DecoderMemory(0, 0),
                () -> network(shape, new WeightLoader(shape, source), device, config.cudaGraphs()),
                0);
    }

    private static void requireFits(ProgramShape shape, Devices.Found device) {
        requireFits(ProgramMemory.of(shape), GraphParts.kernels(shape), device);
    }

    private static void requireFits(ProgramMemory memory, int kernels, Devices.Found device) {
        memory.requireOn(device.info());
        long limit = device.device().getMemoryProvider().getHeapSize();
        if (memory.bytes() > limit) {
            throw new OutriderException(
                    ErrorCode.OUT_OF_MEMORY,
                    "the model takes %d MiB of the device's memory, but TornadoVM was started to take at most %d MiB"
                            .formatted(mebibytes(memory.bytes()), mebibytes(limit)),
                    "Start the JVM with a larger limit, such as -Dtornado.device.memory=%dGB."
                            .formatted(memory.bytes() / (1L << 30) + 1));
        }
        LOG.log(
                System.Logger.Level.INFO,
                "%d MiB and %d kernels for %s"
                        .formatted(
                                mebibytes(memory.bytes()),
                                kernels,
                                device.info().name()));
    }

    private static long mebibytes(long bytes) {
        return Math.ceilDiv(bytes, 1L << 20);
    }

    /// Returns a decoder or a draft layer on a device.
    ///
    /// @throws OutriderException `KERNEL_FAILED` if a kernel does not compile
    static DeviceNetwork network(
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
                new TornadoProgram(shape, weights, device.device(), GraphParts.NO_LIMIT, replayed));
    }
}
