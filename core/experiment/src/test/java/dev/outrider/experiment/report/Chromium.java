package dev.outrider.experiment.report;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A browser without a window, if one is installed.
///
/// @param program its executable
record Chromium(Path program) {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final int PATIENCE_SECONDS = 120;

    /// Returns the first browser on the path.
    static Optional<Chromium> installed() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Chromium::new);
    }

    /// Returns the page after its scripts have run, as HTML.
    ///
    /// @param work a folder for the browser's own files
    String dump(Path page, Path work) throws IOException, InterruptedException {
        return run(work, "--dump-dom", page.toUri().toString());
    }

    /// A picture of the page as PNG.
    Path picture(Path page, Path work, int width, int height)
            throws IOException, InterruptedException {
        Path picture = work.resolve("page.png");
        run(
                work,
                "--hide-scrollbars",
                "--window-size=%d,%d".formatted(width, height),
                "--screenshot=" + picture,
                page.toUri().toString());
        return picture;
    }

    private String run(Path work, String... arguments) throws IOException, InterruptedException {
        var command =
                new ArrayList<>(
                        List.of(
                                program.toString(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--no-first-run",
                                "--disable-extensions",
                                "--user-data-dir=" + work.resolve("profile")));
        command.addAll(List.of(arguments));
        Path output = work.resolve("output.html");
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("the browser did not end in " + PATIENCE_SECONDS + " s");
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }
}
