import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/// Reads the Surefire reports of a build, and prints the number of tests, the number of skipped tests for each reason, and the
/// slowest classes. Fails if a skipped test has no reason.
///
/// Arguments: the root of the checkout, and the start of the build (ISO 8601); older reports are ignored.
final class TestSummary {
    private static final int SLOWEST = 8;
    private static final String NO_REASON = "(no reason given)";

    private record Suite(String name, int tests, double seconds) {}

    public static void main(String[] arguments) throws Exception {
        var skipped = new TreeMap<String, Integer>();
        var suites = new ArrayList<Suite>();
        for (Path report : reports(Path.of(arguments[0]), Instant.parse(arguments[1]))) {
            Element suite =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile()).getDocumentElement();
            suites.add(
                    new Suite(
                            suite.getAttribute("name").replaceFirst(".*\\.", ""),
                            Integer.parseInt(suite.getAttribute("tests")),
                            Double.parseDouble(suite.getAttribute("time").replace(",", ""))));
            var found = suite.getElementsByTagName("skipped");
            for (int i = 0; i < found.getLength(); i++) {
                var element = (Element) found.item(i);
                var message = element.getAttribute("message");
                skipped.merge(
                        reason(message.isEmpty() ? element.getTextContent() : message), 1, Integer::sum);
            }
        }
        int count = skipped.values().stream().mapToInt(Integer::intValue).sum();
        System.out.printf(
                "%d tests in %d classes, %d skipped%n",
                suites.stream().mapToInt(Suite::tests).sum(), suites.size(), count);
        skipped.forEach((reason, number) -> System.out.printf("  %4d skipped: %s%n", number, reason));
        System.out.println(
                suites.stream()
                        .sorted(Comparator.comparingDouble(Suite::seconds).reversed())
                        .limit(SLOWEST)
                        .map(suite -> "%s %.0f s".formatted(suite.name(), suite.seconds()))
                        .collect(Collectors.joining(", ", "slowest: ", "")));
        if (skipped.containsKey(NO_REASON)) {
            System.err.println("A test was skipped without a reason; give one to the assumption or the annotation.");
            System.exit(1);
        }
    }

    private static List<Path> reports(Path root, Instant start) throws IOException {
        try (var files =
                Files.find(
                        root,
                        6,
                        (file, attributes) ->
                                attributes.isRegularFile()
                                        && file.toString().matches(".*/target/surefire-reports/TEST-[^/]*\\.xml")
                                        && !attributes.lastModifiedTime().toInstant().isBefore(start))) {
            return files.sorted().toList();
        }
    }

    private static String reason(String message) {
        var text =
                message.strip()
                        .replaceFirst("^org\\.opentest4j\\.TestAbortedException:?\\s*", "")
                        .replaceFirst("^Assumption failed:?\\s*", "")
                        .lines()
                        .findFirst()
                        .orElse("")
                        .strip();
        return text.isEmpty() || text.startsWith("assumption is not") ? NO_REASON : text;
    }
}
