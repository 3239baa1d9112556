/// Tests whether the output of a server follows the distribution of given weights, and names the fault if it does not.
@NullMarked
package dev.outrider.audit;

import org.jspecify.annotations.NullMarked;
