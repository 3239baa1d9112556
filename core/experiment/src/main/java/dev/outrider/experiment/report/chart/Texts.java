package dev.outrider.experiment.report.chart;

import java.util.Locale;
import java.util.ResourceBundle;

/// The texts of figures and sections, as `texts.properties` has them.
public final class Texts {
    private static final ResourceBundle ALL =
            ResourceBundle.getBundle("dev.outrider.experiment.report.chart.texts", Locale.ROOT);

    private Texts() {}

    /// Returns a text.
    ///
    /// @throws java.util.MissingResourceException if there is none of the name
    public static String of(String name) {
        return ALL.getString(name);
    }
}
