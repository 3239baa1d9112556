package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.treeverify.DeviceCode;
import dev.outrider.treeverify.DeviceCode.DeviceInfo;
import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.sdk.SdkRequirement;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider kernels`: lists the devices, and checks the results of their kernels.
@Command(name = "kernels")
final class KernelsCommand extends Subcommand {
    private static final double GIBIBYTE = 1 << 30;

    @Option(names = "--device", defaultValue = "0", paramLabel = "N")
    private int device;

    @Override
    public Integer call() {
        var code = SdkRequirement.ofThisProcess().service(DeviceCode.class);
        code.devices().stream().map(KernelsCommand::describe).forEach(out()::println);
        var checks = code.test(device);
        out().print(table(checks));
        long failed = checks.stream().filter(check -> !check.passed()).count();
        out().println(
                        failed == 0
                                ? "all %d stages agree with the processor's"
                                        .formatted(checks.size())
                                : "%d of %d stages FAIL".formatted(failed, checks.size()));
        return failed == 0 ? ExitCode.OK : ExitCode.FAILURE;
    }

    private static String describe(DeviceInfo info) {
        return "device %d: %s, %s through %s, %s, %.1f GiB, arrays up to %.1f GiB, %d units"
                .formatted(
                        info.index(),
                        info.name(),
                        info.type(),
                        info.backend(),
                        info.platform(),
                        info.memoryBytes() / GIBIBYTE,
                        info.maxArrayBytes() / GIBIBYTE,
                        info.computeUnits());
    }

    private static String table(List<KernelCheck> checks) {
        var table = Columns.of("stage", "difference", "allowed", "");
        for (var check : checks) {
            table.row(
                    check.kernel(),
                    check.failure().isEmpty() ? "%.1e".formatted(check.difference()) : "-",
                    "%.0e".formatted(check.tolerance()),
                    check.passed() ? "ok" : "FAILS " + check.failure());
        }
        return table.text();
    }
}
