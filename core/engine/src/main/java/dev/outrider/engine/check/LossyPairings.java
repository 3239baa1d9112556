package dev.outrider.engine.check;

/// Whether a pairing may run whose output is not the target's.
///
/// @param allowed whether it may
/// @param remedy  what allows it, as a refusal says it: `set allowLossy: true`
public record LossyPairings(boolean allowed, String remedy) {
    /// As a configuration file says it.
    public static LossyPairings inFile(boolean allowed) {
        return new LossyPairings(allowed, "set allowLossy: true");
    }

    /// As a program says it.
    public static LossyPairings inProgram(boolean allowed) {
        return new LossyPairings(allowed, "call allowLossy()");
    }
}
