package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ErrorsDocumentTest {
    private static final Pattern ROW =
            Pattern.compile("\\| `([A-Z_]+)` \\| .+ \\| .+ \\| ([012]) \\|");

    @Test
    void listsEveryCodeInOrderWithItsExitCode() throws IOException {
        var file =
                Path.of(System.getProperty("outrider.root", "../.."), "docs/reference/errors.md");
        List<String> documented = new ArrayList<>();
        for (var line : Files.readAllLines(file)) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                documented.add(row.group(1) + " " + row.group(2));
            }
        }

        assertThat(documented)
                .isEqualTo(
                        ErrorCode.standard().stream()
                                .map(code -> code + " " + ExitCode.of(code))
                                .toList());
    }
}
