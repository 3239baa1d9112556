package dev.outrider.drafter.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.torch.TorchNetwork;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that the drafters compute the same as [NaiveBlock], for every layout, head and anchor, and from every tensor of a file.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForwardTest {
    private static final double CLOSE = 2e-4;
    private static final int ROOT = 7;
    private static final int WINDOW = 3;
    private static final List<OptionalInt> ALL = List.of(OptionalInt.empty(), OptionalInt.empty());

    @TempDir private Path directory = Path.of("");
    private final TargetModel target = TinyTarget.DEEP.open();
    private int written;

    @AfterAll
    void close() {
        target.close();
    }

    /// A file and its meaning.
    record Case(
            String name,
            Files files,
            boolean fromAnchor,
            String markov,
            List<OptionalInt> windows,
            boolean mutual) {
        NaiveBlock naive() {
            return new NaiveBlock(
                    files.tensors,
                    windows,
                    mutual,
                    Files.BLOCK,
                    fromAnchor ? 0 : 1,
                    Files.MASK,
                    markov);
        }

        boolean spark() {
            return !markov.isEmpty();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        var cases = new ArrayList<Case>();
        cases.add(new Case("authors' DFlash", Files.nested(), false, "", ALL, false));
        cases.add(new Case("speculators' DFlash", Files.speculators(), false, "", ALL, false));
        var anchored = Files.speculators();
        anchored.config.put("sample_from_anchor", "true");
        cases.add(new Case("speculators' DFlash from the anchor", anchored, true, "", ALL, false));
        for (var type : HeadForm.Type.values()) {
            var name = type.name().toLowerCase(Locale.ROOT);
            cases.add(
                    new Case(
                            "SpecForge's DSpark, " + name,
                            Files.nestedSpark(type),
                            true,
                            name,
                            ALL,
                            false));
            cases.add(new Case("DeepSpec, " + name, Files.deepSpec(type), true, name, ALL, false));
            cases.add(
                    new Case(
                            "speculators' DSpark, " + name,
                            Files.speculatorsSpark(type),
                            true,
                            name,
                            ALL,
                            false));
            var after = Files.speculatorsSpark(type);
            after.config.put("sample_from_anchor", "false");
            cases.add(
                    new Case(
                            "speculators' DSpark after the anchor, " + name,
                            after,
                            false,
                            name,
                            ALL,
                            false));
        }
        var one = List.of(OptionalInt.of(WINDOW), OptionalInt.empty());
        cases.add(new Case("a window in one layer", windowed(false), false, "", one, false));
        cases.add(new Case("a window that is no order", windowed(true), false, "", one, true));
        return cases.stream();
    }

    /// Returns a file of every layout and of every head.
    static Stream<Case> layouts() {
        var names =
                List.of(
                        "authors' DFlash",
                        "SpecForge's DSpark, gated",
                        "DeepSpec, vanilla",
                        "speculators' DSpark after the anchor, rnn");
        return cases().filter(each -> names.contains(each.name()));
    }

    private static Files windowed(boolean mutual) {
        var files = Files.speculators();
        var layers = files.config.getOrDefault("transformer_layer_config", "");
        files.config.put(
                "transformer_layer_config",
                layers.substring(0, layers.length() - 1)
                        + ", \"sliding_window\": %d, \"use_sliding_window\": true".formatted(WINDOW)
                        + ", \"layer_types\": [\"sliding_attention\", \"full_attention\"]}");
        files.config.put("sliding_window_non_causal", "" + mutual);
        return files;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void guessesAreTheReferences(Case one) {
        assertSame(one, context(6));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aTextOfOneTokenHasNoContext(Case one) {
        assertSame(one, List.of());
    }

    /// Twelve positions in two feeds, with as many blocks, are a context of twelve: a block leaves no rows in the context.
    @Test
    void aBlockLeavesTheCacheAsItWas() {
        var one = cases().findFirst().orElseThrow();
        var context = context(12);
        try (var drafter = open(one)) {
            var draft = drafter;
            try (var cache = draft.backbone().newCache(40)) {
                keep(draft, cache, context.subList(0, 5));
                stepper(draft, cache, 3, 4).root();
                keep(draft, cache, context.subList(5, 12));
                var row = stepper(draft, cache, ROOT, 4).root().row(0);

                assertClose(row, one.naive().logits(context, ROOT));
            }
        }
    }

    /// Without this test, a tensor that is read from the wrong place, or not at all, could remain undetected.
    @ParameterizedTest
    @MethodSource("layouts")
    void everyTensorOfTheFileCounts(Case one) {
        var context = context(2);
        var before = one.naive().logits(context, ROOT, 1, 2);
        var confidence = one.spark() ? one.naive().confidence(context, ROOT, 1) : 0;
        for (var name : List.copyOf(one.files().tensors.keySet())) {
            var original = one.files().tensors.get(name);
            if (original == null || !original.type().isFloat()) {
                continue;
            }
            one.files().put(changed(original));
            var after = one.naive().logits(context, ROOT, 1, 2);
            boolean moved = distance(before, after) > 10 * CLOSE;
            boolean doubted =
                    one.spark()
                            && Math.abs(confidence - one.naive().confidence(context, ROOT, 1))
                                    > 10 * CLOSE;
            assertThat(moved || doubted).as("%s counts", name).isTrue();
            assertSame(one, context);
            one.files().put(original);
        }
    }

    @Test
    void readsTheEmbeddingAndHeadOfATargetOnTorch() {
        var one = cases().findFirst().orElseThrow();
        var context = context(5);
        var tiny = TinyTarget.DEEP;
        var network = new TorchNetwork(tiny.config(), tiny.weights(), Precision.F32);
        try (var other = tiny.open(network);
                var drafter =
                        Opened.dflash(
                                other,
                                one.files().write(directory.resolve("" + written++)),
                                new TreePlan.Chain(3))) {
            var draft = drafter;
            try (var cache = draft.backbone().newCache(40)) {
                keep(draft, cache, context);
                var row = stepper(draft, cache, ROOT, 3).root().row(0);

                assertClose(row, one.naive().logits(context, ROOT));
            }
        }
    }

    private void assertSame(Case one, List<float[]> context) {
        try (var drafter = open(one)) {
            var draft = drafter;
            int guesses = draft.slots().guesses();
            assertThat(guesses).isEqualTo(Files.BLOCK - (one.fromAnchor() ? 0 : 1));
            try (var cache = draft.backbone().newCache(40)) {
                keep(draft, cache, context);
                var stepper = stepper(draft, cache, ROOT, guesses);
                assertClose(stepper.root().row(0), one.naive().logits(context, ROOT));
                int[] path = {1, 9, 30, 5};
                for (int depth = 1; depth < guesses; depth++) {
                    // A second node with another token. Its parent is the root or the first node of
                    // the level before.
                    var parent = depth == 1 ? StepInput.ROOT : 2 * (depth - 2);
                    var nodes =
                            List.of(
                                    new StepInput(path[depth - 1], parent, depth),
                                    new StepInput(20, parent, depth));
                    var rows = stepper.step(nodes);
                    int[] own = Arrays.copyOf(path, depth);
                    int[] other = own.clone();
                    other[depth - 1] = 20;
                    assertClose(rows.row(0), one.naive().logits(context, ROOT, own));
                    assertClose(rows.row(1), one.naive().logits(context, ROOT, other));
                }
            }
            draft.confidence()
                    .ifPresent(head -> {
                        try (var cache = draft.backbone().newCache(40)) {
                            keep(draft, cache, context);
                            var states =
                                    draft.backbone()
                                            .states(
                                                    cache,
                                                    Optional.empty(),
                                                    draft.slots().tokens(ROOT),
                                                    0,
                                                    new float[0]);
                            int slot = draft.slots().first() + 1;
                            assertThat(
                                            head.acceptance(
                                                    states,
                                                    slot,
                                                    TinyTarget.HIDDEN,
                                                    draft.markov(),
                                                    1))
                                    .isCloseTo(
                                            one.naive().confidence(context, ROOT, 1),
                                            within(CLOSE));
                        }
                    });
        }
    }

    private static BlockStepper stepper(BlockDrafter draft, KvCache cache, int root, int depth) {
        return new BlockStepper(draft, cache, Optional.empty(), root, depth);
    }

    private BlockDrafter open(Case one) {
        var path = one.files().write(directory.resolve("" + written++));
        var plan = new TreePlan.Chain(4);
        return one.spark()
                ? Opened.dspark(target, path, plan)
                : Opened.dflash(target, path, Drafting.of(plan), BlockOverrides.NONE);
    }

    private static void keep(BlockDrafter draft, KvCache cache, List<float[]> context) {
        if (context.isEmpty()) {
            return;
        }
        try (var arena = Arena.ofConfined()) {
            int width = context.getFirst().length;
            var memory = arena.allocate(ValueLayout.JAVA_FLOAT, (long) width * context.size());
            for (int row = 0; row < context.size(); row++) {
                MemorySegment.copy(
                        context.get(row),
                        0,
                        memory,
                        ValueLayout.JAVA_FLOAT,
                        (long) row * width * Float.BYTES,
                        width);
            }
            draft.backbone()
                    .keep(
                            cache,
                            new FeatureRows(memory, context.size(), FeatureRows.Source.TARGET));
        }
    }

    private static List<float[]> context(int positions) {
        var random = new Random(3);
        var rows = new ArrayList<float[]>();
        for (int position = 0; position < positions; position++) {
            var row = new float[3 * TinyTarget.HIDDEN];
            for (int index = 0; index < row.length; index++) {
                row[index] = (float) random.nextGaussian();
            }
            rows.add(row);
        }
        return rows;
    }

    private static StoredTensor changed(StoredTensor tensor) {
        float[] numbers = tensor.toFloats();
        var random = new Random(17);
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] += (float) (0.5 * random.nextGaussian());
        }
        return StoredTensor.ofFloats(
                tensor.name(),
                numbers,
                tensor.shape().stream().mapToLong(Long::longValue).toArray());
    }

    private static double distance(double[] one, double[] other) {
        double largest = 0;
        for (int index = 0; index < one.length; index++) {
            largest = Math.max(largest, Math.abs(one[index] - other[index]));
        }
        return largest;
    }

    private static void assertClose(MemorySegment row, double[] expected) {
        float[] numbers = row.toArray(ValueLayout.JAVA_FLOAT);
        assertThat(numbers).hasSize(expected.length);
        for (int index = 0; index < expected.length; index++) {
            assertThat((double) numbers[index])
                    .as("logit %d", index)
                    .isCloseTo(expected[index], within(CLOSE));
        }
    }
}
