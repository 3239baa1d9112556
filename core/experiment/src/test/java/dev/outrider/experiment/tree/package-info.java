@NullMarked
package dev.outrider.experiment.tree;

import org.jspecify.annotations.NullMarked;
