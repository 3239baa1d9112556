package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.config.Default;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A program's components pass the checks of files, and messages name its calls.
class ProgramComponentTest {
    interface Maker {}

    private static final Maker MAKER = new Maker() {};

    enum Colour {
        DARK_RED,
        BLUE
    }

    record Inner(double share, @Default("[]") List<Integer> widths) {}

    record Settings(
            Path path,
            @Default("3") int length,
            @Default("blue") Colour colour,
            @Default("true") boolean kept,
            Optional<String> name,
            Optional<Inner> inner) {}

    record All(Component<Maker> first, Optional<Component<Maker>> second) {}

    @Test
    void everyKindOfValueIsBound() {
        var settings =
                Map.of(
                        "path",
                        Path.of("models/x"),
                        "length",
                        5L,
                        "colour",
                        Colour.DARK_RED,
                        "kept",
                        false,
                        "name",
                        "true",
                        "inner",
                        Map.of("share", 0.5, "widths", List.of(3, 1)));

        assertThat(bound(given("first", settings)).first())
                .isEqualTo(
                        new Component<>(
                                "made",
                                MAKER,
                                new Settings(
                                        Path.of("/here/models/x"),
                                        5,
                                        Colour.DARK_RED,
                                        false,
                                        Optional.of("true"),
                                        Optional.of(new Inner(0.5, List.of(3, 1))))));
    }

    @Test
    void aTextMayNameAPathOrAChoice() {
        var config =
                (Settings)
                        bound(given("first", Map.of("path", "/abs", "colour", "dark-red")))
                                .first()
                                .config();

        assertThat(config.path()).isEqualTo(Path.of("/abs"));
        assertThat(config.colour()).isEqualTo(Colour.DARK_RED);
    }

    @Test
    void everyProblemIsNamedByItsCall() {
        assertThatThrownBy(() ->
                        bound(
                                given("first", Map.of("path", "x", "lenght", 4, "length", "5")),
                                new ProgramComponent("second", "mad", Map.of())))
                .hasMessage(
                        """
                        CONFIG_INVALID: the program has 3 problems:
                          first("made"): first.lenght: unknown key; did you mean 'length'? (valid keys: use, path, length, colour, kept, name, inner)
                          first("made"): first.length: expected an integer, got text "5"
                          second("mad"): second: unknown maker 'mad'; did you mean 'made'? (known: made; plugins in 'plugins' add others)
                          Correct the places named; each line says what was expected there.\
                        """);
    }

    @Test
    void aComponentThatIsMissingIsTheProgramsFault() {
        assertThatThrownBy(() -> bound(given("second", Map.of("path", "x"))))
                .hasMessageContaining("the program: missing key 'first'");
    }

    @Test
    void aSecondUseAndAKeyWithoutAValueAreProblems() {
        assertThatThrownBy(() -> bound(given("first", Map.of("path", "x", "use", "made"))))
                .hasMessageContaining("first.use: given twice");
        Map<String, Object> nothing = new HashMap<>();
        nothing.put("path", null);
        assertThatThrownBy(() -> bound(given("first", nothing)))
                .hasMessageContaining("first(\"made\"): first.path: expected a path, got nothing");
    }

    @Test
    void aValueThatNoFileCouldHoldIsAProblem() {
        assertThatThrownBy(() -> bound(given("first", Map.of("path", Optional.of("x")))))
                .hasMessageContaining(
                        "the program has 1 problem:\n"
                                + "  first(\"made\"): first.path: expected a text, a number, a truth value, a path, an enum constant, a list or a map,"
                                + " got a java.util.Optional\n");
    }

    private static ProgramComponent given(String key, Map<String, ?> settings) {
        return new ProgramComponent(key, "made", settings);
    }

    private static All bound(ProgramComponent... given) {
        var registry =
                FakeComponents.of(
                        Maker.class,
                        "maker",
                        Map.of("made", new FakeComponents.Made(MAKER, Settings.class)));
        return new ConfigLoader(registry, Path.of("/here"))
                .components(List.of(given), "the program", All.class)
                .config();
    }
}
