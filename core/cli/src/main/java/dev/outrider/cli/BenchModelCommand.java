package dev.outrider.cli;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.bench.BenchReport;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.shape.NamedShapes;
import dev.outrider.treeverify.DeviceBenchReport.DeviceBenchRequest;
import dev.outrider.treeverify.DeviceBenchReport.Line;
import dev.outrider.treeverify.DeviceCode;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.pass.DeviceSheet;
import dev.outrider.treeverify.pass.ExpectedPasses;
import dev.outrider.treeverify.sdk.SdkRequirement;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider bench-model`: compares the time of a target pass with the limit of the memory.
@Command(name = "bench-model")
final class BenchModelCommand extends Subcommand {
    /// The implementation that runs the passes.
    enum Backend {
        VECTOR,
        TORNADO
    }

    @Option(names = "--shape", defaultValue = "stories15m")
    private String shape = "";

    @Option(names = "--model", paramLabel = "PATH")
    private Optional<Path> model = Optional.empty();

    @Option(names = "--threads", defaultValue = "2")
    private int threads;

    @Option(names = "--precision")
    private Optional<Precision> precision = Optional.empty();

    @Option(names = "--row-precision", defaultValue = "int8")
    private RowPrecision rowPrecision = RowPrecision.INT8;

    @Option(names = "--cache-precision", defaultValue = "f32")
    private CachePrecision cachePrecision = CachePrecision.F32;

    @Option(names = "--context", split = ",", defaultValue = "128", paramLabel = "N")
    private List<Integer> contexts = List.of();

    @Option(names = "--sequences", defaultValue = "1", paramLabel = "N")
    private int sequences;

    @Option(names = "--backend", defaultValue = "vector")
    private Backend backend = Backend.VECTOR;

    @Option(names = "--device", defaultValue = "0", paramLabel = "N")
    private int device;

    @Option(names = "--cuda-graphs", defaultValue = "auto")
    private CudaGraphs cudaGraphs = CudaGraphs.AUTO;

    @Option(names = "--expect", paramLabel = "DEVICE")
    private Optional<String> expect = Optional.empty();

    @Option(names = "--rows", split = ",", defaultValue = "1,2,4,8,16", paramLabel = "N")
    private List<Integer> rows = List.of();

    @Option(names = "--prefill", defaultValue = "0", paramLabel = "N")
    private int prefill;

    @Option(names = "--turns", defaultValue = "5")
    private int turns;

    @Option(names = "--repeats", defaultValue = "5")
    private int repeats;

    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() {
        return switch (backend) {
            case VECTOR -> expect.isPresent() ? withoutADevice() : onTheProcessor();
            case TORNADO -> onADevice();
        };
    }

    private int withoutADevice() {
        out().print(expected(deviceRequest(), List.of()));
        return ExitCode.OK;
    }

    private DeviceBenchRequest deviceRequest() {
        if (model.isPresent()) {
            throw wrong("--model is for --backend vector; a device takes --shape");
        }
        if (prefill > 0) {
            throw wrong("--prefill is for --backend vector");
        }
        var decoder = decoder();
        TornadoTargetConfig.requireForm(Path.of(shapeName()), decoder);
        return valid(() ->
                new DeviceBenchRequest(
                        shapeName(),
                        decoder,
                        device,
                        onDevice(precision.orElse(Precision.F32)),
                        cudaGraphs,
                        contexts,
                        rows,
                        turns * repeats));
    }

    /// Returns the table of the device that `--expect` names; empty without the option.
    private String expected(DeviceBenchRequest request, List<Line> measured) {
        return expect.map(name -> new ExpectedPasses(request, sheet(name)).table(measured))
                .orElse("");
    }

    private DeviceSheet sheet(String name) {
        var known = DeviceSheet.known();
        var names = known.stream().map(DeviceSheet::name).collect(Collectors.joining(", "));
        return known.stream()
                .filter(sheet -> sheet.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(
                        () -> wrong("--expect is %s, expected one of %s".formatted(name, names)));
    }

    private int onADevice() {
        var request = deviceRequest();
        expect.ifPresent(this::sheet);
        var code = SdkRequirement.ofThisProcess().service(DeviceCode.class);
        return new Measurement(context())
                .print(
                        "bench-model",
                        watch -> {
                            watch.begin(3L + (long) contexts.size() * (rows.size() + 1));
                            var done = new AtomicLong();
                            var report =
                                    code.bench(
                                            request,
                                            what -> watch.at(done.incrementAndGet(), what),
                                            System::nanoTime);
                            return report.toTable() + expected(request, report.lines());
                        });
    }

    private int onTheProcessor() {
        if (model.isEmpty()) {
            var request = request(shapeName(), decoder(), precision.orElse(Precision.BF16));
            return print(progress -> ModelBench.run(request, progress, System::nanoTime));
        }
        var checkpoint = ModelPaths.open(model.get());
        var config = ModelConfig.read(checkpoint);
        if (config.encoder().isPresent()) {
            throw wrong("--model is an encoder-decoder, expected a decoder");
        }
        try (var tensors = checkpoint.openTensors()) {
            var file = CheckpointWeights.of(config.decoder(), tensors, config.quantisation());
            var request =
                    request(
                            checkpoint.name(),
                            config.decoder(),
                            precision.orElseGet(file::precision));
            if (request.shape().form().positions() instanceof Positions.Learned
                    && !request.shape().equals(config.decoder())) {
                throw wrong(
                        "--context and --rows, or --prefill, are more than the %d positions of the model"
                                .formatted(config.decoder().maxPositions()));
            }
            var weights = precision.isEmpty() && file.inBlocks() ? new BlockWeights(file) : file;
            return print(progress -> ModelBench.run(request, weights, progress, System::nanoTime));
        }
    }

    private int print(Function<ModelBench.Progress, BenchReport> bench) {
        return new Measurement(context())
                .print(
                        "bench-model",
                        watch -> {
                            watch.begin(turns + 1L);
                            var report = bench.apply((done, _, what) -> watch.at(done, what));
                            return json ? report.toJson() + "\n" : report.toTable();
                        });
    }

    private ModelBench.Request request(String name, DecoderConfig decoder, Precision kept) {
        if (contexts.size() != 1) {
            throw wrong(
                    "--context is %s, expected one number unless --backend is tornado"
                            .formatted(contexts));
        }
        return valid(() ->
                new ModelBench.Request(
                        name,
                        decoder,
                        kept,
                        rowPrecision,
                        cachePrecision,
                        threads,
                        contexts.getFirst(),
                        sequences,
                        rows,
                        prefill,
                        turns,
                        repeats));
    }

    private WeightFormat onDevice(Precision wanted) {
        return switch (wanted) {
            case F32 -> WeightFormat.F32;
            case F16 -> WeightFormat.F16;
            case INT8 -> WeightFormat.INT8;
            case INT4 -> WeightFormat.INT4;
            case BF16, W8A8 ->
                    throw wrong(
                            "--precision is %s, expected f32, f16, int8 or int4 on a device"
                                    .formatted(wanted.name().toLowerCase(Locale.ROOT)));
        };
    }

    private String shapeName() {
        return shape.toLowerCase(Locale.ROOT);
    }

    private DecoderConfig decoder() {
        var shapes = NamedShapes.all();
        var found = shapes.get(shapeName());
        if (found == null) {
            throw wrong(
                    "--shape is %s, expected one of %s"
                            .formatted(shape, String.join(", ", shapes.keySet())));
        }
        return found;
    }

    /// Returns a request; refuses invalid numbers.
    private <T> T valid(Supplier<T> request) {
        try {
            return request.get();
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /// Prints the result of a measurement, unless the user interrupts it.
    record Measurement(CommandContext context) {
        /// Measures, prints and returns the exit code.
        ///
        /// @param task    name of the progress bar
        /// @param measure returns the text, and reports every turn
        int print(String task, Function<Watch, String> measure) {
            String text;
            try (var watch = new Watch(task)) {
                text = measure.apply(watch);
            } catch (CancellationException e) {
                context.err()
                        .println("Interrupted; times need every turn, so there are none to show.");
                return ExitCode.INTERRUPTED;
            }
            context.out().print(text);
            return ExitCode.OK;
        }

        /// The clock and the progress bar of a measurement. Between turns no native operation runs, so the measurement can stop
        /// there: every turn throws [CancellationException] if the user has interrupted.
        final class Watch implements AutoCloseable {
            private final String task;
            private final ConsoleProgress bar;

            private Watch(String task) {
                this.task = task;
                bar = new ConsoleProgress(context.console(), task);
            }

            /// Begins a bar with a number of turns.
            void begin(long count) {
                bar.begin(task, count);
            }

            /// Begins a turn; `done` turns are finished.
            void at(long done, String what) {
                if (context.interruption().requested()) {
                    throw new CancellationException();
                }
                bar.at(done, what);
            }

            @Override
            public void close() {
                bar.close();
            }
        }
    }
}
