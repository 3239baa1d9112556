package dev.outrider.audit;

import dev.outrider.audit.Audit.Explanation;
import dev.outrider.audit.Audit.Note;
import dev.outrider.audit.Audit.Outcome;
import dev.outrider.audit.Audit.Plan;
import dev.outrider.audit.Audit.Planned;
import dev.outrider.audit.Audit.Verdict;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.Columns;
import dev.outrider.common.FailureReason;
import dev.outrider.experiment.report.Html;
import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.results.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// An audit in words: for the terminal, as JSON, and as a page.
///
/// @param subject the server or the file
/// @param target  name of the target
/// @param hash    of the configuration
public record AuditReport(
        String subject,
        String target,
        String sampling,
        String hash,
        String version,
        Plan plan,
        Optional<Outcome> outcome) {
    private static final int MAX_PLANNED = 14;
    private static final int MAX_NAMES = 4;
    private static final String FILE = "audit";

    /// The same report with a result.
    public AuditReport with(Optional<Outcome> found) {
        return new AuditReport(subject, target, sampling, hash, version, plan, found);
    }

    /// Returns the text that is printed before the audit starts: the faults that can be found.
    public String before() {
        var text = new StringBuilder();
        text.append("%s against %s, %s.%n".formatted(subject, target, sampling));
        text.append(
                "False alarms: %.0e, whenever it stops. At most %d requests of about %.0f tokens.%n"
                        .formatted(plan.alpha(), plan.requests(), plan.tokens()));
        if (!plan.faults().isEmpty()) {
            text.append(Columns.aligned(planned(MAX_PLANNED)));
            long missed = plan.faults().stream().filter(this::missed).count();
            text.append(
                    "%d faults are in the table; %d need more requests than %d.%n"
                            .formatted(plan.faults().size(), missed, plan.requests()));
        }
        return text.toString();
    }

    private boolean missed(Planned fault) {
        return fault.requests() > plan.requests();
    }

    private List<List<String>> planned(int most) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("fault", "nats/token", "tokens", "requests"));
        plan.faults().stream()
                .limit(most)
                .forEach(each -> {
                    var requests = each.requests() + (missed(each) ? " (too many)" : "");
                    rows.add(
                            List.of(
                                    each.name(),
                                    number(each.nats()),
                                    Long.toString(each.tokens()),
                                    requests));
                });
        return rows;
    }

    private static String number(double value) {
        return value == 0 || value >= 1e-3 && value < 1e4
                ? String.format(Locale.ROOT, "%.4g", value)
                : String.format(Locale.ROOT, "%.1e", value);
    }

    /// The verdict with its evidence.
    public String after() {
        return outcome.map(found -> String.join("\n", lines(found)) + "\n").orElse("");
    }

    private static List<String> lines(Outcome found) {
        var said = new Lines(new ArrayList<>());
        var name = name(found.verdict());
        said.add(
                "%s: %s (%d answers, %d tokens).",
                name, found.reason(), found.answers(), found.tokens());
        var evidence = found.evidence();
        var detectable = number(evidence.detectable());
        boolean greedy = found.greedy().isPresent();
        found.greedy()
                .ifPresent(tokens -> {
                    said.add(
                            "Largest gap to the best logit: %s; ties: %d, at most %s;",
                            number(tokens.gap()), tokens.ties(), number(tokens.largest()));
                    said.add(
                            "a fault in %s of all tokens or more is expected to show.", detectable);
                });
        if (!greedy) {
            said.add(
                    "Evidence: e^%.1f, where e^%.1f decides.",
                    evidence.log(), -Math.log(evidence.alpha()));
        }
        if (!greedy && evidence.detectable() > 0) {
            said.add("A deviation of %s nats a token or more is expected to show.", detectable);
        }
        if (evidence.impossible() + evidence.edges() > 0) {
            said.add(
                    "%d tokens are impossible in plain decoding; %d more are at the edge of a truncation and do not count.",
                    evidence.impossible(), evidence.edges());
        }
        if (found.verdict() == Verdict.DIFFERENT && !greedy) {
            var named = found.explanations().stream().filter(Explanation::named);
            boolean best = named.mapToDouble(Explanation::share).sum() >= .5;
            said.add(
                    best
                            ? "Best explanations:"
                            : "None of the faults in the table explains it best; what does:");
            found.explanations()
                    .forEach(each ->
                            said.add(
                                    "  %5.1f %%  %s%s",
                                    100 * each.share(),
                                    each.name(),
                                    each.named() ? "" : " (no named fault)"));
        }
        for (var each : found.verdict() == Verdict.CONSISTENT ? List.<Note>of() : found.notes()) {
            var gain = "p = %s, evidence e^%.1f".formatted(number(each.p()), each.gain());
            said.add(
                    "  prompt %s, answer %d, token %d '%s': %s",
                    each.prompt(),
                    each.answer(),
                    each.position(),
                    each.token(),
                    greedy ? "gap " + number(each.gain()) : gain);
        }
        said.names("Refuted: ", found.excluded());
        said.names("Not refuted: ", found.open());
        found.findings().forEach(each -> said.add("Note: %s", each));
        return said.all();
    }

    private record Lines(List<String> all) {
        void add(String format, Object... values) {
            all.add(format.formatted(values));
        }

        void names(String title, List<String> names) {
            var few = String.join("; ", names.stream().limit(MAX_NAMES).toList());
            int more = names.size() - MAX_NAMES;
            if (!names.isEmpty()) {
                add("%s%s%s", title, few, more > 0 ? "; and %d more.".formatted(more) : ".");
            }
        }
    }

    private static String name(Verdict verdict) {
        return verdict.name().replace('_', ' ');
    }

    /// Writes `audit.json` and `audit.html`.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `RESULTS_NOT_WRITABLE`
    public void write(Path folder) {
        FailureReason.writing(
                "the audit",
                folder,
                () -> {
                    AtomicFile.write(folder.resolve(FILE + ".json"), Json.pretty(this));
                    AtomicFile.write(folder.resolve(FILE + ".html"), html());
                });
    }

    private String html() {
        var sections = new ArrayList<Element>();
        outcome.ifPresent(found -> {
            var said = lines(found).stream().map(each -> Html.paragraph(each.strip())).toList();
            sections.add(Html.section("verdict", name(found.verdict()), said));
            if (!found.explanations().isEmpty()) {
                sections.add(Html.section("explanations", "Explanations", tables(found)));
            }
        });
        if (!plan.faults().isEmpty()) {
            var table = Html.table(planned(Integer.MAX_VALUE));
            sections.add(Html.section("plan", "What can be found", List.of(table)));
        }
        return Html.Document.of(
                "Audit of " + subject,
                "Does it write what %s would write, %s?".formatted(target, sampling),
                outcome.map(Outcome::findings).orElse(List.of()),
                sections);
    }

    private static List<Element> tables(Outcome found) {
        var shares = new ArrayList<List<String>>();
        shares.add(List.of("explanation", "share of the evidence", "log likelihood ratio"));
        found.explanations()
                .forEach(each ->
                        shares.add(List.of(each.name(), number(each.share()), number(each.log()))));
        var faults = new ArrayList<List<String>>();
        faults.add(List.of("fault", "refuted"));
        found.excluded().forEach(each -> faults.add(List.of(each, "yes")));
        found.open().forEach(each -> faults.add(List.of(each, "no")));
        return List.of(Html.table(shares), Html.table(faults));
    }
}
