package dev.outrider.cli;

import dev.outrider.experiment.report.MeasuredDrafts;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.bench.NamedShapes;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.treeverify.CudaGraphs;
import dev.outrider.treeverify.WeightFormat;
import dev.outrider.treeverify.bench.DeviceBench;
import dev.outrider.treeverify.bench.DeviceBenchRequest;
import dev.outrider.treeverify.sdk.SdkRequirement;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider bench-model`: how long a target pass takes against what the memory allows.
@Command(
        name = "bench-model",
        description = {
            "Times target passes against the bound of the memory.",
            "",
            "Runs passes of several numbers of rows over random weights of a named shape, and reads memory between"
                    + " them. A pass cannot be faster than its bytes over the bandwidth; the table says how close it"
                    + " comes, and what verifying n rows costs against one. On a device, in 32-bit floats, the bandwidth is"
                    + " that of a kernel that copies, and the time that no kernel runs is shown too."
        },
        footer = {
            "  outrider bench-model --shape tinyllama-1.1b --threads 2",
            "  outrider bench-model --shape stories15m --precision f32 --json",
            "  outrider bench-model --shape tinyllama-1.1b --drafts-of results/lookahead-sweep",
            "  outrider bench-model --backend tornado --shape llama-7b --context 128,1024,8192 --rows 1,8,16,32,64"
        })
final class BenchModelCommand implements Callable<Integer> {
    private final Console console;
    private final Interruption interruption;

    /// What runs the passes.
    enum Backend {
        DJL,
        TORNADO
    }

    /// Number formats of the weights.
    enum Precision {
        F32,
        BF16,
        F16
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--shape",
            defaultValue = "stories15m",
            description = "Name of a shape (default: ${DEFAULT-VALUE}); a wrong one lists them.")
    private String shape = "";

    @Option(
            names = "--precision",
            description =
                    "f32 or bf16 on the processor, f32 or f16 on a device (default: bf16 and f32).")
    private Optional<Precision> precision = Optional.empty();

    @Option(
            names = "--threads",
            defaultValue = "2",
            description = "Threads of one operation (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--context",
            split = ",",
            defaultValue = "128",
            paramLabel = "N",
            description =
                    "Rows already in the cache (default: ${DEFAULT-VALUE}); several for a device.")
    private List<Integer> contexts = List.of();

    @Option(
            names = "--backend",
            defaultValue = "djl",
            description =
                    "${COMPLETION-CANDIDATES}: the processor, or a device through TornadoVM (default: ${DEFAULT-VALUE}).")
    private Backend backend = Backend.DJL;

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

    @Inject
    BenchModelCommand(Console console, Interruption interruption) {
        this.console = console;
        this.interruption = interruption;
    }

    @Override
    public Integer call() {
        return switch (backend) {
            case DJL -> onTheProcessor();
            case TORNADO -> onADevice();
        };
    }

    private int onADevice() {
        var steps = 3L + (long) contexts.size() * (rows.size() + 1);
        try (var progress = new Progress(console, "bench-model", steps)) {
            var request =
                    new DeviceBenchRequest(
                            shape.toLowerCase(Locale.ROOT),
                            shape(),
                            device,
                            onDevice(precision.orElse(Precision.F32)),
                            cudaGraphs,
                            contexts,
                            rows,
                            turns * repeats);
            var done = new AtomicLong();
            var report =
                    SdkRequirement.ofThisProcess()
                            .service(DeviceBench.class)
                            .run(
                                    request,
                                    what -> {
                                        stopIfAsked();
                                        progress.at(done.incrementAndGet(), what);
                                    },
                                    System::nanoTime);
            progress.close();
            console.out().print(report.toTable());
            return ExitCode.OK;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } catch (CancellationException e) {
            return interrupted();
        }
    }

    private int onTheProcessor() {
        var drafts = draftsOf.map(folder -> new DraftsAtShape(MeasuredDrafts.read(folder)));
        var request = request(drafts.map(DraftsAtShape::rows).orElse(rows));
        try (var progress = new Progress(console, "bench-model", turns + 1L)) {
            var report =
                    ModelBench.run(
                            request,
                            (done, _, what) -> {
                                stopIfAsked();
                                progress.at(done, what);
                            },
                            System::nanoTime);
            progress.close();
            console.out().print(json ? report.toJson() + "\n" : report.toTable());
            if (!json && drafts.isPresent()) {
                console.out().print(drafts.get().table(report));
            }
        } catch (CancellationException e) {
            return interrupted();
        }
        return ExitCode.OK;
    }

    private int interrupted() {
        console.err().println("Interrupted; times need every turn, so there are none to show.");
        return ExitCode.INTERRUPTED;
    }

    // Between turns no native operation runs, so the process may end there.
    private void stopIfAsked() {
        if (interruption.requested()) {
            throw new CancellationException();
        }
    }

    private ModelBench.Request request(List<Integer> counts) {
        if (contexts.size() != 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--context is %s, expected one number unless --backend is tornado"
                            .formatted(contexts));
        }
        try {
            return new ModelBench.Request(
                    shape.toLowerCase(Locale.ROOT),
                    shape(),
                    onProcessor(precision.orElse(Precision.BF16)),
                    threads,
                    contexts.getFirst(),
                    counts,
                    turns,
                    repeats);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private WeightFormat onDevice(Precision wanted) {
        return switch (wanted) {
            case F32 -> WeightFormat.F32;
            case F16 -> WeightFormat.F16;
            case BF16 -> throw wrongPrecision("bf16", "f32 or f16 on a device");
        };
    }

    private ElementType onProcessor(Precision wanted) {
        return switch (wanted) {
            case F32 -> ElementType.F32;
            case BF16 -> ElementType.BF16;
            case F16 -> throw wrongPrecision("f16", "f32 or bf16 on the processor");
        };
    }

    private ParameterException wrongPrecision(String given, String expected) {
        return new ParameterException(
                spec.commandLine(), "--precision is %s, expected %s".formatted(given, expected));
    }

    private DecoderConfig shape() {
        var shapes = NamedShapes.all();
        var found = shapes.get(shape.toLowerCase(Locale.ROOT));
        if (found == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--shape is %s, expected one of %s"
                            .formatted(shape, String.join(", ", shapes.keySet())));
        }
        return found;
    }
}
