/// Plans of sweeps on Apache Spark. These classes use the command `outrider run-cell` and no class
/// of Outrider (docs/decisions/0030).
@NullMarked
package dev.outrider.sweep.spark;

import org.jspecify.annotations.NullMarked;
