/// Tests whether the output of a server follows the distribution of given weights, and names what differs.
@NullMarked
package dev.outrider.audit;

import org.jspecify.annotations.NullMarked;
