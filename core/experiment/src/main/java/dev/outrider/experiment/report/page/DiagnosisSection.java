package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.markup.Markup;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.experiment.stats.Diagnosis;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// From the formula's speedup to the measured one, reason by reason.
final class DiagnosisSection {
    private DiagnosisSection() {}

    static Element of(Results results) {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (Results.Variant variant : results.variants()) {
            variant.side()
                    .diagnosis()
                    .ifPresent(found ->
                            found.reasons()
                                    .forEach(each -> reasons.put(each.name(), each.meaning())));
        }
        if (reasons.isEmpty()) {
            return Html.section(
                    "diagnosis",
                    "Why measured is not predicted",
                    List.of(
                            Html.missing(
                                    "These results have no diagnosis: nothing drafted, or an older version wrote them.")));
        }
        var rows = new ArrayList<List<String>>();
        var head = new ArrayList<>(List.of("variant", "by alpha, K, c"));
        reasons.keySet().forEach(name -> head.add("\u00D7 " + name));
        head.add("= measured");
        rows.add(head);
        for (Results.Variant variant : results.variants()) {
            variant.side()
                    .diagnosis()
                    .ifPresent(found -> rows.add(row(variant.label(), found, reasons)));
        }
        var list = Element.of("dl");
        for (var reason : reasons.entrySet()) {
            list =
                    list.add(
                            Element.of("dt").text(reason.getKey()),
                            Element.of("dd").text(reason.getValue()));
        }
        List<Markup> content =
                List.of(
                        Html.paragraph(
                                "The formula takes guesses to be accepted independently, a pass of n rows to cost what a pass of one does,"
                                        + " and everything else to be free. Each factor is what one of these assumptions is worth; together"
                                        + " they lead from the formula to the measurement."),
                        Html.table(rows),
                        Html.folded("What the factors compare", list));
        return Html.section("diagnosis", "Why measured is not predicted", content);
    }

    private static List<String> row(
            String label, Diagnosis diagnosis, Map<String, String> reasons) {
        var row = new ArrayList<>(List.of(label, number(diagnosis.predictedByAlphaAndCost())));
        for (String name : reasons.keySet()) {
            Optional<Diagnosis.Reason> reason =
                    diagnosis.reasons().stream()
                            .filter(each -> each.name().equals(name))
                            .findFirst();
            row.add(reason.map(each -> number(each.factor())).orElse(""));
        }
        row.add(number(diagnosis.measured()));
        return row;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
