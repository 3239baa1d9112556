package dev.outrider.treeverify.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task3;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Faults that are known of TornadoVM's back ends are absent, or what kernels write instead is right. Small kernels are compared
/// with Java. What no kernel may contain is in `KernelOperatorsTest`.
@RequiresDevice
@Tag("quick")
class BackEndFaultsTest {
    private static final String GRAPH = "faults";

    /// A number for each bit that a shift can move by.
    private static final int[] INTEGERS = {
        0, 1, 2, 3, -1, -2, -3, 127, 128, 255, 256, -127, -128, -129, -255, -256, 65535, -65536,
        1 << 30, -(1 << 30), Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1,
        0x12345678, 0x87654321, 0xF0F0F0F0, 0x0F0F0F0F, -7, 7, -100, 100, 31
    };

    private static final int ITEMS = INTEGERS.length;
    private static final float NAN = Float.NaN;
    private static final float[] FLOATS =
            Arrays.copyOf(
                    new float[] {NAN, 0, -0f, 1, -1, 79, 80, 81, -1e30f, 1e30f, NAN}, ITEMS);

    private final KernelContext context = new KernelContext();

    static void leftByMost(KernelContext context, IntArray from, IntArray to) {
        to.set(context.globalIdx, from.get(context.globalIdx) << 31);
    }

    static void leftByItem(KernelContext context, IntArray from, IntArray to) {
        to.set(context.globalIdx, from.get(context.globalIdx) << context.globalIdx);
    }

    static void rightByThree(KernelContext context, IntArray from, IntArray to) {
        to.set(context.globalIdx, from.get(context.globalIdx) >> 3);
    }

    static void rightByItem(KernelContext context, IntArray from, IntArray to) {
        to.set(context.globalIdx, from.get(context.globalIdx) >> context.globalIdx);
    }

    @Test
    void shiftsOfNegativeIntegersAreJavas() {
        assertAsInJava(BackEndFaultsTest::leftByMost, (number, _) -> number << 31);
        assertAsInJava(BackEndFaultsTest::leftByItem, (number, item) -> number << item);
        assertAsInJava(BackEndFaultsTest::rightByThree, (number, _) -> number >> 3);
        assertAsInJava(BackEndFaultsTest::rightByItem, (number, item) -> number >> item);
    }

    static void magnitudeByItem(KernelContext context, IntArray from, IntArray to) {
        int item = context.globalIdx;
        to.set(item, (from.get(item) & Integer.MAX_VALUE) >>> item);
    }

    static void bitOfItem(KernelContext context, IntArray from, IntArray to) {
        int item = context.globalIdx;
        to.set(item, (from.get(item) & (1L << item)) != 0 ? 1 : 0);
    }

    /// OpenCL C from TornadoVM 5.2.0 keeps the sign in `>>>`. Kernels test a bit, or shift what is not negative.
    @Test
    void bitsAreFoundWithoutUnsignedShifts() {
        assertAsInJava(
                BackEndFaultsTest::magnitudeByItem,
                (number, item) -> (number & Integer.MAX_VALUE) >>> item);
        assertAsInJava(BackEndFaultsTest::bitOfItem, (number, item) -> number >>> item & 1);
    }

    static void levelOfNibble(KernelContext context, IntArray from, FloatArray to) {
        int item = context.globalIdx;
        to.set(item, ((from.get(item) & 255) >> 4 & 15) - 8);
    }

    /// CUDA C calls masked integers unsigned: a difference below zero becomes a large float.
    @Test
    void differencesOfMaskedIntegersAreNegativeFloats() {
        var from = IntArray.fromArray(INTEGERS);
        var to = new FloatArray(ITEMS);
        run(BackEndFaultsTest::levelOfNibble, from, to);

        for (int item = 0; item < ITEMS; item++) {
            assertThat(to.get(item)).isEqualTo(((INTEGERS[item] & 255) >> 4 & 15) - 8);
        }
    }

    static void atLeast(KernelContext context, FloatArray from, FloatArray to) {
        to.set(context.globalIdx, TornadoMath.max(from.get(context.globalIdx), 0f));
    }

    static void atMost(KernelContext context, FloatArray from, FloatArray to) {
        to.set(context.globalIdx, TornadoMath.min(from.get(context.globalIdx), 80f));
    }

    static void logistic(KernelContext context, FloatArray from, FloatArray to) {
        float x = from.get(context.globalIdx);
        to.set(context.globalIdx, x / (1f + TornadoMath.exp(TornadoMath.min(-x, 80f))));
    }

    /// Of NaN and a number, OpenCL takes the number. Kernels keep NaN by a factor that is not bounded.
    @Test
    void boundsOfNumbersAreJavasAndAFactorKeepsNan() {
        float[] least = floats(BackEndFaultsTest::atLeast);
        float[] most = floats(BackEndFaultsTest::atMost);
        float[] logistic = floats(BackEndFaultsTest::logistic);

        for (int item = 0; item < ITEMS; item++) {
            float x = FLOATS[item];
            if (Float.isNaN(x)) {
                assertThat(logistic[item]).isNaN();
            } else {
                assertThat(least[item] == Math.max(x, 0f)).describedAs("%s", x).isTrue();
                assertThat(most[item] == Math.min(x, 80f)).describedAs("%s", x).isTrue();
            }
        }
    }

    private float[] floats(Task3<KernelContext, FloatArray, FloatArray> kernel) {
        var from = FloatArray.fromArray(FLOATS);
        var to = new FloatArray(ITEMS);
        run(kernel, from, to);
        return to.toHeapArray();
    }

    /// A second plan of the same kernel does not use the first one's arrays, nor a third one those that were freed.
    @Test
    void aKernelReadsTheArraysOfItsPlan() {
        for (int plan = 0; plan < 3; plan++) {
            int added = plan;
            int[] numbers = Arrays.stream(INTEGERS).map(each -> each + added).toArray();
            var from = IntArray.fromArray(numbers);
            var to = new IntArray(ITEMS);
            execute(graph -> shift(graph, from, to), 1);
            for (int item = 0; item < ITEMS; item++) {
                assertThat(to.get(item)).isEqualTo(INTEGERS[item] + added >> 3);
            }
        }
    }

    /// As passes do, whose arrays stay the same while their numbers change.
    @Test
    void anExecutionReadsTheNumbersOfItsTime() throws TornadoExecutionPlanException {
        var from = new IntArray(ITEMS);
        var to = new IntArray(ITEMS);
        var graph = new TaskGraph(GRAPH);
        shift(graph, from, to);
        try (var plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(grids(1)).withDevice(Devices.at(0).device());
            for (int execution = 0; execution < 5; execution++) {
                for (int item = 0; item < ITEMS; item++) {
                    from.set(item, INTEGERS[item] ^ execution * 0x1234567);
                }
                plan.execute();
                for (int item = 0; item < ITEMS; item++) {
                    assertThat(to.get(item))
                            .isEqualTo((INTEGERS[item] ^ execution * 0x1234567) >> 3);
                }
            }
        }
    }

    private void shift(TaskGraph graph, IntArray from, IntArray to) {
        graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, from)
                .task("0", BackEndFaultsTest::rightByThree, context, from, to)
                .transferToHost(DataTransferMode.EVERY_EXECUTION, to);
    }

    static void next(KernelContext context, IntArray numbers) {
        numbers.set(context.globalIdx, numbers.get(context.globalIdx) + 1);
    }

    /// With TornadoVM's default of 4096 bytes, and bailout on, long graphs lose their last tasks without an error.
    @Test
    void aGraphOfTheMostTasksRunsAllAndALongerOneIsRefused() {
        assertThat(count(200)).isEqualTo(200);
        assertThatThrownBy(() -> count(300)).isNotNull();
    }

    private int count(int tasks) {
        var numbers = IntArray.fromArray(new int[ITEMS]);
        execute(
                graph -> {
                    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, numbers);
                    for (int task = 0; task < tasks; task++) {
                        graph.task("" + task, BackEndFaultsTest::next, context, numbers);
                    }
                    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, numbers);
                },
                tasks);
        return numbers.get(ITEMS - 1);
    }

    private void assertAsInJava(
            Task3<KernelContext, IntArray, IntArray> kernel, IntBinaryOperator java) {
        var from = IntArray.fromArray(INTEGERS);
        var to = new IntArray(ITEMS);
        run(kernel, from, to);
        int[] expected =
                IntStream.range(0, ITEMS)
                        .map(item -> java.applyAsInt(INTEGERS[item], item))
                        .toArray();
        assertThat(to.toHeapArray()).containsExactly(expected);
    }

    private <F, T> void run(Task3<KernelContext, F, T> kernel, F from, T to) {
        execute(
                graph ->
                        graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, from)
                                .task("0", kernel, context, from, to)
                                .transferToHost(DataTransferMode.EVERY_EXECUTION, to),
                1);
    }

    private static void execute(Consumer<TaskGraph> tasks, int count) {
        var graph = new TaskGraph(GRAPH);
        tasks.accept(graph);
        try (var plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(grids(count)).withDevice(Devices.at(0).device()).execute();
        } catch (TornadoExecutionPlanException e) {
            throw new IllegalStateException(e);
        }
    }

    private static GridScheduler grids(int tasks) {
        var grids = new GridScheduler();
        for (int task = 0; task < tasks; task++) {
            var grid = new WorkerGrid1D(ITEMS);
            grid.setLocalWork(ITEMS, 1, 1);
            grids.addWorkerGrid(GRAPH + "." + task, grid);
        }
        return grids;
    }
}
