package dev.outrider.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Test;

/// Checks that every public type declares how stable it is.
class StatusTest {
    @Test
    void everyPublicTypeHasOne() throws IOException, URISyntaxException, ClassNotFoundException {
        var types = publicTypes();

        assertThat(types).hasSizeBetween(30, 45);
        assertThat(types)
                .allSatisfy(type -> {
                    var status = type.getAnnotation(API.class);
                    assertThat(status).as(type.getName()).isNotNull();
                    assertThat(Integer.parseInt(status.since()))
                            .as("version %s came with", type.getName())
                            .isBetween(2, OutriderPlugin.SPI_VERSION);
                });
    }

    private static List<? extends Class<?>> publicTypes()
            throws IOException, URISyntaxException, ClassNotFoundException {
        var root =
                Path.of(
                        Objects.requireNonNull(OutriderPlugin.class.getProtectionDomain())
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        try (var files = Files.walk(root)) {
            var types = new java.util.ArrayList<Class<?>>();
            for (var file : files.map(root::relativize).map(Path::toString).sorted().toList()) {
                if (file.endsWith(".class")
                        && !file.contains("$")
                        && !file.endsWith("package-info.class")) {
                    var type =
                            Class.forName(
                                    file.replace(".class", "")
                                            .replace('/', '.')
                                            .replace('\\', '.'));
                    if (Modifier.isPublic(type.getModifiers())) {
                        types.add(type);
                    }
                }
            }
            return types;
        }
    }
}
