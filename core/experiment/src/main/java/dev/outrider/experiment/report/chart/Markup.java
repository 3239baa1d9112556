package dev.outrider.experiment.report.chart;

/// A piece of a page or of a drawing. Immutable.
public sealed interface Markup permits Element, Markup.Text, Markup.Code {
    /// Characters, escaped when written.
    ///
    /// @param text anything; characters that XML cannot hold are written as U+FFFD
    record Text(String text) implements Markup {}

    /// A style sheet or a script of our own, written as it is. It is read by an XML and by an HTML parser alike, so it has
    /// none of the characters that they read differently.
    ///
    /// @param source without `<` and `&`
    record Code(String source) implements Markup {
        public Code {
            if (source.indexOf('<') >= 0 || source.indexOf('&') >= 0) {
                throw new IllegalArgumentException("code of a page must do without < and &");
            }
        }
    }
}
