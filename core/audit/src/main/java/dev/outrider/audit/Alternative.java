package dev.outrider.audit;

/// Another distribution of the server's output, which may depend on the text so far.
interface Alternative {
    /// Returns its name in reports.
    String name();

    /// Begins a new text.
    ///
    /// @param prompt number of its prompt
    default void begin(int prompt) {}

    /// The probability of the token that was written.
    ///
    /// @param place place of the token
    /// @param p     the distribution of plain decoding there
    double density(Oracle.Place place, double[] p);

    /// Takes the token that was written; after [#density] at the same place.
    default void observe(Oracle.Place place, double[] p) {}

    /// An alternative that states a distribution over all tokens: a fault that has a name.
    interface Hypothesis extends Alternative {
        /// The distribution at a place, shape `[V]`. Shared: valid until the next call.
        double[] predict(Oracle.Place place);

        @Override
        default double density(Oracle.Place place, double[] p) {
            return predict(place)[place.token()];
        }
    }

    /// A fault in how distributions are made.
    record Made(String name, Setting setting) implements Hypothesis {
        @Override
        public double[] predict(Oracle.Place place) {
            return place.distribution(setting);
        }
    }
}
