package dev.outrider.treeverify.pass;

import dev.outrider.common.Columns;
import dev.outrider.treeverify.DeviceBenchReport.DeviceBenchRequest;
import dev.outrider.treeverify.DeviceBenchReport.Line;
import dev.outrider.treeverify.pass.PassCost.Data;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The expected times of passes on a device, and their parts.
///
/// @param request the passes; its device and its CUDA graphs have no effect
/// @param sheet   the device
public record ExpectedPasses(DeviceBenchRequest request, DeviceSheet sheet) {
    private static final double MEGA = 1e6;

    /// Returns a table with a line for each context and number of rows.
    ///
    /// @param measured the measured times on a device, in the same order; empty if there are none
    public String table(List<Line> measured) {
        var shape = ProgramShape.of(request);
        var table = Columns.of(cells(measured, List.of("best ms", "of expected"), heading()));
        int line = 0;
        for (int context : request.contexts()) {
            for (int rows : request.rows()) {
                var cost = PassCost.of(shape, context, rows);
                var expected = sheet.expect(cost);
                double best = measured.isEmpty() ? 0 : measured.get(line++).bestSeconds();
                table.row(
                        cells(
                                measured,
                                List.of(
                                        format("%.2f", best * 1e3),
                                        format("%.2f", best / expected.seconds())),
                                numbers(context, rows, cost, expected)));
            }
        }
        return format(
                        "expected on %s for %s in %s, %.1f GiB of memory%n",
                        sheet.name(),
                        request.name(),
                        request.format().name().toLowerCase(Locale.ROOT),
                        ProgramMemory.of(shape).bytes() / (double) (1 << 30))
                + format(
                        "of %.0f GB/s %.0f, of %.1f T multiply-adds/s %.1f, %.0f us a launch%n",
                        sheet.bandwidth() / 1e9,
                        sheet.copyBandwidth() / 1e9,
                        sheet.multiplyAdds() / 1e12,
                        sheet.reachedMultiplyAdds() / 1e12,
                        sheet.launchSeconds() * 1e6)
                + table.text();
    }

    private static List<String> heading() {
        var data = Arrays.stream(Data.values()).map(each -> lower(each) + " MB");
        return Stream.of(
                        Stream.of("context", "rows", "expected ms", "binds", "launches", "waits"),
                        data,
                        Stream.of("G multiply-adds"))
                .flatMap(cells -> cells)
                .toList();
    }

    private static List<String> numbers(
            int context, int rows, PassCost cost, DeviceSheet.Expectation expected) {
        var data =
                Arrays.stream(Data.values()).map(each -> format("%.1f", cost.bytes(each) / MEGA));
        return Stream.of(
                        Stream.of(
                                format("%d", context),
                                format("%d", rows),
                                format("%.2f", expected.seconds() * 1e3),
                                lower(expected.binds()),
                                format("%d", cost.launches()),
                                format("%d", cost.graphs())),
                        data,
                        Stream.of(format("%.1f", cost.operations() / 1e9)))
                .flatMap(cells -> cells)
                .toList();
    }

    /// Inserts measured values after the expected time.
    private static String[] cells(List<Line> measured, List<String> beside, List<String> cells) {
        var all = new ArrayList<>(cells);
        if (!measured.isEmpty()) {
            all.addAll(3, beside);
        }
        return all.toArray(String[]::new);
    }

    private static String lower(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format.replace("%n", "\n"), arguments);
    }
}
