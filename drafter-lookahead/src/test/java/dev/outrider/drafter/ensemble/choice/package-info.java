/// Choices between drafters, and every way to choose on a machine whose clock is simulated.
@org.jspecify.annotations.NullMarked
package dev.outrider.drafter.ensemble.choice;
