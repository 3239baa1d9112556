package dev.outrider.sweep.spark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/// Runs every cell of a sweep's plan on a Spark cluster: an RDD of the cells' numbers with one
/// element per partition, so that Spark places, repeats and reports every cell as a task.
///
/// Finished cells are skipped and no cell runs twice at a time; `run-cell` ensures that, whichever
/// program starts it. Merge the results with `outrider sweep CONFIG --merge`.
public final class SparkSweep {
    private static final int OK = 0;
    private static final int USAGE = 2;
    private static final int CELLS_FAILED = 4;

    private SparkSweep() {}

    /// Exits with 0 if every cell is finished, 4 if some failed, 2 if the arguments or the plan are
    /// wrong, and 1 if Spark gives up.
    ///
    /// @param words see [Arguments#USAGE]
    public static void main(String... words) {
        Arguments arguments;
        int cells;
        try {
            arguments = Arguments.of(words);
            cells = cells(Path.of(arguments.plan()));
        } catch (IllegalArgumentException e) {
            System.err.printf("outrider-sweep-spark: %s%n%s", e.getMessage(), Arguments.USAGE);
            System.exit(USAGE);
            return;
        }
        int exit = run(arguments, cells);
        if (exit != OK) {
            System.exit(exit);
        }
    }

    private static int run(Arguments arguments, int cells) {
        var task = new CellProcess(arguments.launcher(), arguments.plan(), arguments.options());
        List<CellEnd> ends;
        try (var spark =
                new JavaSparkContext(new SparkConf().setAppName("outrider " + arguments.plan()))) {
            spark.setJobGroup("outrider", arguments.plan(), true);
            List<Integer> numbers = IntStream.range(0, cells).boxed().toList();
            ends = spark.parallelize(numbers, cells).map(task).collect();
        }
        ends.forEach(end -> System.out.printf("[%s] %s%n", end.worker(), end.said()));
        long failed = ends.stream().filter(CellEnd::failed).count();
        System.out.printf("%d cells, %d failed.%n", ends.size(), failed);
        return failed == 0 ? OK : CELLS_FAILED;
    }

    /// Returns the number of cells of a plan.
    ///
    /// @throws IllegalArgumentException if the file is not a plan
    static int cells(Path plan) {
        try {
            JsonNode cells = new ObjectMapper().readTree(plan.toFile()).path("cells");
            if (cells.isArray() && !cells.isEmpty()) {
                return cells.size();
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "'%s' cannot be read: %s".formatted(plan, e.getMessage()), e);
        }
        throw new IllegalArgumentException("'%s' is no plan: it has no cells".formatted(plan));
    }
}
