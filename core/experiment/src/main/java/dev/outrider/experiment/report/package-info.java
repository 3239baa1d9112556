/// Reports on results: an HTML page, Markdown, CSV and SVG files.
@NullMarked
package dev.outrider.experiment.report;

import org.jspecify.annotations.NullMarked;
