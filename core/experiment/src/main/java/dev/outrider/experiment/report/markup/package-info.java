/// A small tree of XML elements and its writer; pages and drawings are made of it, so that text is always escaped.
@NullMarked
package dev.outrider.experiment.report.markup;

import org.jspecify.annotations.NullMarked;
