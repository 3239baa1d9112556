/// Speculative decoding inside a program of your own.
///
/// [Outrider] is the entry: it takes the names of a target, a drafter and a rule with the settings that a YAML file would give
/// them, and opens a [Generator]. Names and settings are those of `docs/reference/configuration.md`.
@NullMarked
package dev.outrider.embedding;

import org.jspecify.annotations.NullMarked;
