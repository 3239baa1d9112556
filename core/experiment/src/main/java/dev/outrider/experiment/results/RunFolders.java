package dev.outrider.experiment.results;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The runs of an experiment: a folder each, named by the moment it began, and the link `latest` to the newest.
///
/// @param experiment their parent, `results/<name>`
public record RunFolders(Path experiment) {
    private static final String LATEST = "latest";
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern ID = Pattern.compile("[0-9]{8}T[0-9]{6}Z(-[0-9]{1,4})?");
    private static final int MAX_A_SECOND = 1000;
    private static final Comparator<Path> AGE =
            Comparator.comparing(RunFolders::moment).thenComparing(RunFolders::number);

    /// Makes a folder for a run that begins now. If the clock has gone back, its name follows that of the newest run.
    ///
    /// @throws OutriderException RESULTS_NOT_WRITABLE
    public Path fresh(Instant now) {
        try {
            Files.createDirectories(experiment);
            String moment = latestOf(MOMENT.format(now));
            for (int number = 1; number <= MAX_A_SECOND; number++) {
                Path run = experiment.resolve(number == 1 ? moment : moment + "-" + number);
                try {
                    return Files.createDirectory(run);
                } catch (FileAlreadyExistsException e) {
                    // Another run began in this second.
                }
            }
            throw new IOException("%d runs began in one second".formatted(MAX_A_SECOND));
        } catch (IOException e) {
            throw ResultFolder.notWritable(experiment, e);
        }
    }

    private String latestOf(String now) throws IOException {
        try (Stream<Path> entries = Files.list(experiment)) {
            return Stream.concat(
                            entries.filter(RunFolders::isRun).map(RunFolders::moment),
                            Stream.of(now))
                    .max(Comparator.naturalOrder())
                    .orElse(now);
        }
    }

    /// The newest run that has results.
    ///
    /// @throws OutriderException IO_FAILED if the folder cannot be listed
    public Optional<Path> newest() {
        return runs().stream().filter(RunFolders::finished).max(AGE);
    }

    /// Returns the newest run, if it has no results: it is still running, or it was interrupted.
    ///
    /// @throws OutriderException IO_FAILED if the folder cannot be listed
    public Optional<Path> unfinished() {
        return runs().stream().max(AGE).filter(run -> !finished(run));
    }

    private List<Path> runs() {
        return in(experiment).stream().filter(RunFolders::isRun).toList();
    }

    /// Returns the folders in a folder; none if it does not exist.
    ///
    /// @throws OutriderException IO_FAILED if it cannot be listed
    public static List<Path> in(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory).toList();
        } catch (IOException e) {
            throw ErrorCode.IO_FAILED.error(
                    "'%s' cannot be listed: %s".formatted(folder, e),
                    "Check that the folder can be read.",
                    e);
        }
    }

    /// Lets `latest` point at a run. Readers of results look for the newest run themselves.
    ///
    /// @return whether the link was made; some file systems have no links
    public boolean link(Path run) {
        Path link = experiment.resolve(LATEST);
        Path made = experiment.resolve("." + LATEST + "-" + run.getFileName());
        try {
            Files.deleteIfExists(made);
            Files.createSymbolicLink(made, Optional.ofNullable(run.getFileName()).orElse(run));
            Files.move(made, link, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return made.toFile().delete() && false;
        }
    }

    /// Returns whether the name of a folder is that of a run.
    public static boolean isRun(Path folder) {
        return ID.matcher(name(folder)).matches() && Files.isDirectory(folder);
    }

    private static boolean finished(Path run) {
        return Files.exists(run.resolve(ResultFolder.SUMMARY));
    }

    private static String moment(Path run) {
        return name(run).split("-", 2)[0];
    }

    private static int number(Path run) {
        String[] parts = name(run).split("-", 2);
        return parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
    }

    private static String name(Path folder) {
        return String.valueOf(folder.getFileName());
    }
}
