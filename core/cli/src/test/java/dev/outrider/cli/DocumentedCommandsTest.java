package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class DocumentedCommandsTest {
    private static final CommandLine PROGRAM = Application.commandLine(Run.context());
    private static final Pattern FENCE = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CALL = Pattern.compile("(?:^ *|\\| *)\\./outrider +(.*)$");
    private static final String EXAMPLE = "  outrider ";
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    static List<String> commands() throws IOException {
        List<String> commands = new ArrayList<>();
        for (var file : documents()) {
            var fences = FENCE.matcher(Files.readString(file));
            while (fences.find()) {
                fences.group(1).replace("\\\n", " ").lines().forEach(line -> add(line, commands));
            }
        }
        addExamples(PROGRAM, commands);
        return commands;
    }

    /// Adds the examples of a command's help and of its subcommands'; behind several spaces an example is explained.
    private static void addExamples(CommandLine command, List<String> commands) {
        for (var line : command.getCommandSpec().usageMessage().footer()) {
            if (line.startsWith(EXAMPLE)) {
                commands.add(line.substring(EXAMPLE.length()).split(" {2,}| > ", 2)[0]);
            }
        }
        command.getSubcommands().values().forEach(each -> addExamples(each, commands));
    }

    @Test
    void theReadmeShowsTheTwoCommandsThatDoEverything() throws IOException {
        assertThat(commands()).contains("bench configs/quickstart.yaml");
        assertThat(ROOT.resolve("README.md")).content().contains("mvn verify\n");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isUnderstoodByTheProgram(String command) {
        assertThatCode(() -> PROGRAM.parseArgs(words(command).toArray(String[]::new)))
                .as(command)
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void namesConfigurationsThatAreThere(String command) {
        assertThat(words(command))
                .filteredOn(word -> word.startsWith("configs/"))
                .allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
    }

    @Test
    void theExamplesOfHelpAreAmongThem() throws IOException {
        assertThat(commands()).contains("data show configs/training/chat.yaml");
    }

    @Test
    void theReferenceExplainsEveryCommand() throws IOException {
        var page = Files.readString(ROOT.resolve("docs/reference/commands.md"));

        assertThat(PROGRAM.getSubcommands().keySet())
                .allSatisfy(name -> assertThat(page).contains("./outrider " + name + " "));
    }

    private static List<String> words(String command) {
        return WORD.matcher(command).results().map(DocumentedCommandsTest::text).toList();
    }

    private static String text(MatchResult word) {
        return Stream.of(1, 2, 3)
                .map(group -> Optional.ofNullable(word.group(group)))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow();
    }

    private static void add(String line, List<String> commands) {
        var call = CALL.matcher(line.replaceAll(" +#.*$", ""));
        if (call.find()) {
            commands.add(call.group(1).split(" > ", 2)[0].strip());
        }
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        documents.add(ROOT.resolve("README.md"));
        documents.add(ROOT.resolve("configs/README.md"));
        documents.add(ROOT.resolve("models/README.md"));
        for (var folder : List.of("docs", "examples")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        return documents;
    }
}
