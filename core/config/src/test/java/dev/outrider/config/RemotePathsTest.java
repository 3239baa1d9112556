package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RemotePathsTest {
    private static final Path CACHED = Path.of("/cache/here");
    private static final Path AWAY = Path.of("/cache/away");

    record Model(@Doc("A model.") Path path, @Doc("Where to write.") Optional<Path> out) {}

    @Test
    void aNameIsBoundToWhereItsFilesAre() {
        var loaded = parse("path: hf:here");

        assertThat(loaded.config().path()).isEqualTo(CACHED);
        assertThat(loaded.effective().remoteNames())
                .containsExactly(new EffectiveConfig.RemoteName("hf:here", Optional.of("commit")));
    }

    @Test
    void aNameWhoseFilesAreNotHereIsBoundToWhereTheyWouldBe() {
        var loaded = parse("path: hf:away");

        assertThat(loaded.config().path()).isEqualTo(AWAY);
        assertThat(loaded.effective().remoteNames())
                .containsExactly(new EffectiveConfig.RemoteName("hf:away", Optional.empty()));
    }

    @Test
    void aNameStaysAsItWasWrittenWhereverTheTextIsSaved() {
        var effective = parse("path: hf:here").effective();

        assertThat(effective.toYaml(Path.of("/elsewhere"))).startsWith("path: \"hf:here\"");
        assertThat(effective.toJson(Path.of("/elsewhere"))).isEqualTo(effective.toJson());
    }

    @Test
    void pathsAreAsEver() {
        var loaded = parse("path: here");

        assertThat(loaded.config().path()).isEqualTo(Path.of("/configs/here"));
        assertThat(loaded.effective().remoteNames()).isEmpty();
    }

    @Test
    void aMalformedNameIsAProblemAtItsPlace() {
        assertThatThrownBy(() -> parse("path: hf:wrong"))
                .hasMessageContaining("demo.yaml:1:7: path: expected a good name, got hf:wrong");
    }

    @Test
    void nothingIsWrittenToAName() {
        assertThatThrownBy(() -> parse("{path: here, out: hf:here}"))
                .hasMessageContaining("out: expected a path on this machine, got hf:here");
    }

    private static Loaded<Model> parse(String yaml) {
        return new ConfigLoader(ComponentRegistry.empty(), Path.of("/here"), RemotePathsTest::place)
                .parse(yaml, "demo.yaml", Path.of("/configs"), Model.class, List.of());
    }

    private static Optional<RemotePaths.Place> place(String text) {
        return switch (text) {
            case "hf:here" -> Optional.of(new RemotePaths.Place(CACHED, Optional.of("commit")));
            case "hf:away" -> Optional.of(new RemotePaths.Place(AWAY, Optional.empty()));
            case "hf:wrong" -> throw new IllegalArgumentException("a good name");
            default -> Optional.empty();
        };
    }
}
