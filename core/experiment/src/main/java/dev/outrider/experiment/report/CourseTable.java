package dev.outrider.experiment.report;

import dev.outrider.common.Columns;
import dev.outrider.experiment.stats.Course;
import dev.outrider.experiment.stats.SideResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How variants did from the first prompts to the last, where one of them learns.
public final class CourseTable {
    private CourseTable() {}

    /// The table as a person reads it; nothing where no drafter learns.
    static String of(Report report) {
        var rows = rows(report.sides());
        return rows.isEmpty()
                ? ""
                : "\nover the course of the run, prompts in thirds\n" + Columns.aligned(rows);
    }

    /// A heading and a line for each variant; nothing where no drafter learns.
    public static List<List<String>> rows(List<SideResult> sides) {
        List<List<String>> rows = new ArrayList<>();
        for (SideResult side : sides) {
            side.course().ifPresent(course -> rows.add(row(side.name(), course)));
        }
        if (!rows.isEmpty()) {
            rows.addFirst(
                    List.of(
                            "variant",
                            "tok/round 1st",
                            "2nd",
                            "last",
                            "a 1st",
                            "2nd",
                            "last",
                            "learning"));
        }
        return rows;
    }

    private static List<String> row(String variant, Course course) {
        var row = new ArrayList<String>();
        row.add(variant);
        course.tokensPerRound().forEach(each -> row.add(decimal("%.3f", each)));
        course.alpha().forEach(each -> row.add(decimal("%.3f", each)));
        row.add(course.learns() ? decimal("%.1f%%", 100 * course.learnShare()) : "-");
        return row;
    }

    private static String decimal(String format, double number) {
        return String.format(Locale.ROOT, format, number);
    }
}
