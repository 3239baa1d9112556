/// Configuration: YAML text to immutable records, with every problem of a file reported at once.
///
/// [ConfigLoader] reads a file and `--set` overrides into a positioned tree, then binds that tree
/// to a record type by reflection in one pass. Unknown, missing, duplicate, mistyped and
/// out-of-range values are collected, not thrown, so a user sees all of them, each as
/// `file:line:column` with the nearest valid name. The result, [Loaded], has the record and the
/// effective configuration with the origin of each value (docs/decisions/0035).
@NullMarked
package dev.outrider.config;

import org.jspecify.annotations.NullMarked;
