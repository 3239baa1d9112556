/// Parquet files: tables of one's own, written and read back, and the bounds of what a file of strangers may ask for
/// (docs/decisions/0069 and 0079).
@NullMarked
package dev.outrider.parquet;

import org.jspecify.annotations.NullMarked;
