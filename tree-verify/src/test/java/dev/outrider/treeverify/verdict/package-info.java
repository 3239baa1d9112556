@NullMarked
package dev.outrider.treeverify.verdict;

import org.jspecify.annotations.NullMarked;
