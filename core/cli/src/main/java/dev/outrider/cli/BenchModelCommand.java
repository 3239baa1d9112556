package dev.outrider.cli;

import dev.outrider.experiment.results.MeasuredDrafts;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.Precision;
import dev.outrider.treeverify.DeviceBenchReport.DeviceBenchRequest;
import dev.outrider.treeverify.DeviceCode;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.sdk.SdkRequirement;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/// The command `outrider bench-model`: how long a target pass takes against what the memory allows.
@Command(
        name = "bench-model",
        description = {
            "Times target passes against the bound of the memory.",
            "",
            "Runs passes of several numbers of rows over random weights of a named shape, and reads memory between"
                    + " them. A pass cannot be faster than its bytes over the bandwidth, nor than its multiplications; the table says how close"
                    + " it comes, and what verifying n rows costs against one. On a device, in 32-bit floats, the bandwidth is"
                    + " that of a kernel that copies, and the time that no kernel runs is shown too."
        },
        footer = {
            "  outrider bench-model --shape tinyllama-1.1b --threads 2",
            "  outrider bench-model --shape stories15m --precision f32 --json",
            "  outrider bench-model --shape tinyllama-1.1b --drafts-of results/lookahead-sweep",
            "  outrider bench-model --backend tornado --shape llama-7b --context 128,1024,8192 --rows 1,8,16,32,64"
        })
final class BenchModelCommand implements Callable<Integer> {
    private final CommandContext context;

    /// The implementation that runs the passes.
    enum Backend {
        VECTOR,
        TORNADO
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private Options.ShapeOptions shape = new Options.ShapeOptions();

    @Option(
            names = "--precision",
            description =
                    "f32, bf16, f16, int8, int4 or w8a8 on the processor, f32 or f16 on a device (default: bf16 on the"
                            + " processor, f32 on a device).")
    private Optional<Precision> precision = Optional.empty();

    @Option(
            names = "--context",
            split = ",",
            defaultValue = "128",
            paramLabel = "N",
            description =
                    "Rows already in the cache (default: ${DEFAULT-VALUE}); several for a device.")
    private List<Integer> contexts = List.of();

    @Option(
            names = "--sequences",
            defaultValue = "1",
            paramLabel = "N",
            description =
                    "Sequences of a pass, each with so many rows; of several the last has the context named, and the others fewer in"
                            + " even steps (default: ${DEFAULT-VALUE}; not for a device).")
    private int sequences;

    @Option(
            names = "--backend",
            defaultValue = "vector",
            description =
                    "${COMPLETION-CANDIDATES}: Java's vector code, or a device through TornadoVM (default: ${DEFAULT-VALUE}).")
    private Backend backend = Backend.VECTOR;

    @Option(
            names = "--device",
            defaultValue = "0",
            paramLabel = "N",
            description =
                    "Which device, as 'outrider kernels' numbers them (default: ${DEFAULT-VALUE}).")
    private int device;

    @Option(
            names = "--cuda-graphs",
            defaultValue = "auto",
            description =
                    "${COMPLETION-CANDIDATES}: whether a device replays passes (default: ${DEFAULT-VALUE}).")
    private CudaGraphs cudaGraphs = CudaGraphs.AUTO;

    @Option(
            names = "--rows",
            split = ",",
            defaultValue = "1,2,4,8,16",
            paramLabel = "N",
            description = "Rows of a pass (default: ${DEFAULT-VALUE}).")
    private List<Integer> rows = List.of();

    @Option(
            names = "--drafts-of",
            paramLabel = "FOLDER",
            description =
                    "Results of a comparison: also says what each variant's drafts would gain at this shape,"
                            + " and times their numbers of rows in place of --rows.")
    private Optional<Path> draftsOf = Optional.empty();

    @Option(
            names = "--turns",
            defaultValue = "5",
            description = "Times each number of rows has its turn (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(
            names = "--repeats",
            defaultValue = "5",
            description = "Passes in a turn (default: ${DEFAULT-VALUE}).")
    private int repeats;

    @Option(names = "--json", description = "Print JSON instead of a table.")
    private boolean json;

    BenchModelCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return switch (backend) {
            case VECTOR -> onTheProcessor();
            case TORNADO -> onADevice();
        };
    }

    private int onADevice() {
        var decoder = shape.decoder(spec);
        var request =
                Options.ShapeOptions.request(
                        spec,
                        () ->
                                new DeviceBenchRequest(
                                        shape.name(),
                                        decoder,
                                        device,
                                        onDevice(precision.orElse(Precision.F32)),
                                        cudaGraphs,
                                        contexts,
                                        rows,
                                        turns * repeats));
        var code = SdkRequirement.ofThisProcess().service(DeviceCode.class);
        return new Measurement(context)
                .print(
                        "bench-model",
                        3L + (long) contexts.size() * (rows.size() + 1),
                        progress -> {
                            var done = new AtomicLong();
                            return code.bench(
                                            request,
                                            what -> progress.at(done.incrementAndGet(), what),
                                            System::nanoTime)
                                    .toTable();
                        });
    }

    private int onTheProcessor() {
        var drafts = draftsOf.map(folder -> new DraftsAtShape(MeasuredDrafts.read(folder)));
        var request = request(drafts.map(DraftsAtShape::rows).orElse(rows));
        return new Measurement(context)
                .print(
                        "bench-model",
                        turns + 1L,
                        progress -> {
                            var report =
                                    ModelBench.run(
                                            request,
                                            (done, _, what) -> progress.at(done, what),
                                            System::nanoTime);
                            return json
                                    ? report.toJson() + "\n"
                                    : report.toTable()
                                            + drafts.map(each -> each.table(report)).orElse("");
                        });
    }

    private ModelBench.Request request(List<Integer> counts) {
        if (contexts.size() != 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--context is %s, expected one number unless --backend is tornado"
                            .formatted(contexts));
        }
        var decoder = shape.decoder(spec);
        return Options.ShapeOptions.request(
                spec,
                () ->
                        new ModelBench.Request(
                                shape.name(),
                                decoder,
                                precision.orElse(Precision.BF16),
                                shape.threads(),
                                contexts.getFirst(),
                                sequences,
                                counts,
                                turns,
                                repeats));
    }

    private WeightFormat onDevice(Precision wanted) {
        return switch (wanted) {
            case F32 -> WeightFormat.F32;
            case F16 -> WeightFormat.F16;
            case BF16, INT8, INT4, W8A8 -> throw wrongPrecision(wanted, "f32 or f16 on a device");
        };
    }

    private ParameterException wrongPrecision(Precision given, String expected) {
        return new ParameterException(
                spec.commandLine(),
                "--precision is %s, expected %s"
                        .formatted(given.name().toLowerCase(Locale.ROOT), expected));
    }
}
