package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A drafter's own configuration may name drafters, to any depth.
final class NestedDraftersTest {
    record Experiment(Component<Drafter.Factory<?>> drafter) {}

    record Leaf(@Default("3") int length) {}

    record Both(List<DrafterChoice> drafters) {}

    private static final Drafter.Factory<Leaf> LEAF =
            new Named<>("leaf", Leaf.class) {
                @Override
                public DrafterTraits traits(Leaf config) {
                    return chain(config.length());
                }
            };

    private static final Drafter.Factory<Both> BOTH =
            new Named<>("both", Both.class) {
                @Override
                public DrafterTraits traits(Both config) {
                    return chain(
                            config.drafters().stream()
                                    .mapToInt(choice -> choice.traits().maxDepth())
                                    .sum());
                }
            };

    private static final FakeComponents COMPONENTS = FakeComponents.drafters(LEAF, BOTH);

    @Test
    void bindsNestedDraftersWithTheirFactories() {
        var drafter =
                parse(
                                "drafter: {use: both, drafters: [leaf, {use: both, drafters: [{use: leaf, length: 5}]}]}")
                        .config()
                        .drafter();

        assertThat(drafter.config())
                .isEqualTo(
                        new Both(
                                List.of(
                                        new DrafterChoice("leaf", LEAF, new Leaf(3)),
                                        new DrafterChoice(
                                                "both",
                                                BOTH,
                                                new Both(
                                                        List.of(
                                                                new DrafterChoice(
                                                                        "leaf",
                                                                        LEAF,
                                                                        new Leaf(5))))))));
        assertThat(BOTH.traits((Both) drafter.config()).maxDepth()).isEqualTo(8);
    }

    @Test
    void printsThemSoThatTheyReadBack() {
        var first = parse("drafter: {use: both, drafters: [leaf, {use: leaf, length: 9}]}");

        assertThat(parse(first.effective().toYaml()).config()).isEqualTo(first.config());
        assertThat(first.effective().toYaml()).contains("use: leaf", "length: 9");
    }

    @Test
    void problemsInsideThemHaveAPlaceAndAGuess() {
        assertThatThrownBy(() ->
                        parse(
                                "drafter:\n  use: both\n  drafters:\n    - {use: laef}\n    - {use: leaf, lenght: 2}\n"))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        CONFIG_INVALID: demo.yaml has 2 problems:
                          demo.yaml:4:13: drafter.drafters[0]: unknown drafter 'laef'; did you mean 'leaf'? (known: both, leaf; plugins in 'plugins' add others)
                          demo.yaml:5:19: drafter.drafters[1].lenght: unknown key; did you mean 'length'? (valid keys: use, length)
                          Correct the places named; each line says what was expected there.\
                        """);
    }

    @Test
    void describesThemAsDraftersNotAsARecord() {
        assertThat(KeyDescription.of(Both.class))
                .singleElement()
                .satisfies(key -> {
                    assertThat(key.type()).isEqualTo("list of drafter, chosen by 'use'");
                    assertThat(key.nested()).isEmpty();
                });
    }

    @Test
    void aRegistryWithoutDraftersIsTheProgramsMistake() {
        var loader = new ConfigLoader(ComponentRegistry.empty(), Path.of("/"));

        assertThatThrownBy(() ->
                        loader.parse(
                                "drafter: leaf",
                                "demo.yaml",
                                Path.of("/"),
                                Experiment.class,
                                List.of()))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "CONTRACT_BROKEN: the registry has no components that a dev.outrider.spi.draft.Drafter.Factory makes\n"
                                + "  Read such a configuration with the registry of plugins.");
    }

    private static Loaded<Experiment> parse(String yaml) {
        return new ConfigLoader(COMPONENTS, Path.of("/"))
                .parse(yaml, "demo.yaml", Path.of("/"), Experiment.class, List.of());
    }

    private static DrafterTraits chain(int length) {
        return DrafterTraits.chain(length);
    }

    private abstract static class Named<C extends Record> implements Drafter.Factory<C> {
        private final String name;
        private final Class<C> configType;

        Named(String name, Class<C> configType) {
            this.name = name;
            this.configType = configType;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Class<C> configType() {
            return configType;
        }

        @Override
        public Drafter create(C config, DrafterContext context) {
            throw new AssertionError("reading a configuration loads nothing");
        }
    }
}
