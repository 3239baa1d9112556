package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The table of types lists all types that can be read: a record with one component of each, in the
/// table's order.
final class ValueTypeTest {
    record EveryType(
            int anInt,
            long aLong,
            short aShort,
            byte aByte,
            double aDouble,
            float aFloat,
            boolean aBoolean,
            String text,
            Path path,
            Duration duration,
            Sample.Precision anEnum,
            Optional<Integer> optional,
            List<Integer> list,
            Map<String, Integer> map,
            Sample.Sampling record,
            Sample.Plan choice,
            TreePlan inFile,
            Component<Sample.Guesser> component,
            DrafterChoice drafter) {}

    record Nothing() {}

    private static final Drafter.Factory<Nothing> DRAFTER =
            new Drafter.Factory<>() {
                @Override
                public String name() {
                    return "nothing";
                }

                @Override
                public Class<Nothing> configType() {
                    return Nothing.class;
                }

                @Override
                public DrafterTraits traits(Nothing config) {
                    throw new AssertionError("reading a configuration asks for no traits");
                }

                @Override
                public Drafter create(Nothing config, DrafterContext context) {
                    throw new AssertionError("reading a configuration loads nothing");
                }
            };

    @Test
    void everyTypeInTheTableIsRead() {
        var registry =
                FakeComponents.drafters(DRAFTER)
                        .and(
                                Sample.Guesser.class,
                                "guesser",
                                Map.of(
                                        "lookup",
                                        new FakeComponents.Made(
                                                Sample.LOOKUP, Sample.Lookup.class)));

        var read =
                new ConfigLoader(registry, Path.of("/"))
                        .parse(
                                """
                                anInt: 10_000
                                aLong: 2
                                aShort: 3
                                aByte: 4
                                aDouble: 1e-3
                                aFloat: .5
                                aBoolean: true
                                text: words
                                path: below
                                duration: 1m30s
                                anEnum: mixed-half
                                optional: 5
                                list: [6]
                                map: {a: 7}
                                record: {temperature: 1}
                                choice: 8
                                inFile: 4
                                component: lookup
                                drafter: nothing
                                """,
                                "types.yaml",
                                Path.of("/dir"),
                                EveryType.class,
                                List.of())
                        .config();

        assertThat(read)
                .isEqualTo(
                        new EveryType(
                                10_000,
                                2,
                                (short) 3,
                                (byte) 4,
                                1e-3,
                                .5f,
                                true,
                                "words",
                                Path.of("/dir/below"),
                                Duration.ofSeconds(90),
                                Sample.Precision.MIXED_HALF,
                                Optional.of(5),
                                List.of(6),
                                Map.of("a", 7),
                                new Sample.Sampling(1, 0),
                                new Sample.Plan.Chain(8),
                                new TreePlan.Chain(4),
                                new Component<>("lookup", Sample.LOOKUP, new Sample.Lookup(3)),
                                new DrafterChoice("nothing", DRAFTER, new Nothing())));
    }

    @Test
    void theTableHasNoTypeThatIsNotRead() {
        var described =
                ValueType.all().stream()
                        .flatMap(type ->
                                type.java().contains("<")
                                        ? List.of(type.java()).stream()
                                        : Arrays.stream(type.java().split(", ")))
                        .toList();

        assertThat(described).hasSize(EveryType.class.getRecordComponents().length);
        assertThat(described)
                .containsSubsequence(
                        "`int`",
                        "`byte`",
                        "`double`",
                        "`boolean`",
                        "`String`",
                        "`Path`",
                        "`Duration`",
                        "an enum")
                .containsSubsequence(
                        "`Optional<T>`", "`Map<String, T>`", "`Component<F>`", "`DrafterChoice`");
    }
}
