/// Plans of sweeps on Apache Spark. These classes know the command `outrider run-cell` and nothing else of Outrider.
@NullMarked
package dev.outrider.sweep.spark;

import org.jspecify.annotations.NullMarked;
