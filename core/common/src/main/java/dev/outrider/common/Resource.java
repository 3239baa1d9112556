package dev.outrider.common;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Files that are part of the program.
public final class Resource {
    private Resource() {}

    /// Returns the bytes of a file.
    ///
    /// @param beside a class in the package that the file belongs to
    /// @throws IllegalStateException if the program lacks it
    public static byte[] bytes(Class<?> beside, String name) {
        try (var in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(
                        "there is no resource '%s' beside %s".formatted(name, beside.getName()));
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the text of a file.
    ///
    /// @param beside as of the other method
    /// @throws IllegalStateException the same
    public static String text(Class<?> beside, String name) {
        return new String(bytes(beside, name), StandardCharsets.UTF_8);
    }
}
