package dev.outrider.experiment.costs;

/// What tokens cost, part by part, in nanoseconds.
///
/// @param tokens emitted
/// @param draft  of drafts
/// @param pass   of the target's passes
/// @param engine of everything else
record Parts(long tokens, double draft, double pass, double engine) {
    static final Parts NONE = new Parts(0, 0, 0, 0);

    Parts plus(Parts other) {
        return new Parts(
                tokens + other.tokens,
                draft + other.draft,
                pass + other.pass,
                engine + other.engine);
    }

    double total() {
        return draft + pass + engine;
    }

    /// The parts of a token in units of something.
    Parts perToken(double unit) {
        double by = tokens * unit;
        return new Parts(1, draft / by, pass / by, engine / by);
    }
}
