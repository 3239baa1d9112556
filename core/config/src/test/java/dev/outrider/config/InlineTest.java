package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Keys of an inlined record are among those of the record that contains it.
class InlineTest {
    record Outer(String name, @Inline Shared shared, @Default("1") int last) {}

    record Shared(Optional<Integer> length, @Doc("Wide.") @Default("2") int width) {
        Shared {
            if (width < 1) {
                throw new IllegalArgumentException("'width' must be at least 1, got " + width);
            }
        }
    }

    record Twice(int width, @Inline Shared shared) {}

    record NotARecord(@Inline int width) {}

    @Test
    void theKeysStandAmongTheOthers() {
        var loaded = parse("name: x\nlength: 5\nlast: 3\n");

        assertThat(loaded.config()).isEqualTo(new Outer("x", new Shared(Optional.of(5), 2), 3));
        assertThat(loaded.effective().toYaml())
                .contains("name: x", "\nlength: 5", "\nwidth: 2", "\nlast: 3");
    }

    @Test
    void overridesNameThemWithoutTheRecord() {
        assertThat(parse("name: x\n", "width=7").config().shared().width()).isEqualTo(7);
    }

    @Test
    void problemsAreAtTheKey() {
        assertThatThrownBy(() -> parse("name: x\nwidth: 0\n"))
                .hasMessageContaining("demo.yaml:2:8: width: 'width' must be at least 1, got 0");
        assertThatThrownBy(() -> parse("name: x\nwdth: 3\n"))
                .hasMessageContaining("unknown key; did you mean 'width'?");
        assertThatThrownBy(() -> parse("name: x\nshared: {width: 3}\n"))
                .hasMessageContaining("demo.yaml:2:1: shared: unknown key");
    }

    @Test
    void descriptionsListThemInPlace() {
        assertThat(KeyDescription.of(Outer.class))
                .extracting(KeyDescription::name)
                .containsExactly("name", "length", "width", "last");
    }

    @Test
    void whatCannotBeInlinedIsRefused() {
        assertThatThrownBy(() -> KeyDescription.of(Twice.class))
                .hasMessageContaining("PLUGIN_INVALID")
                .hasMessageContaining("has two keys 'width'");
        assertThatThrownBy(() -> KeyDescription.of(NotARecord.class))
                .hasMessageContaining("PLUGIN_INVALID")
                .hasMessageContaining("is not a record");
    }

    private static Loaded<Outer> parse(String yaml, String... overrides) {
        return new ConfigLoader(ComponentRegistry.empty(), Path.of("/here"))
                .parse(yaml, "demo.yaml", Path.of("/configs"), Outer.class, List.of(overrides));
    }
}
