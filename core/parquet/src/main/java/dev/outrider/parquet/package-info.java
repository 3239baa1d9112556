/// Parquet files: own tables, written and read back, and limits for files of strangers
/// (docs/decisions/0069 and 0079).
@NullMarked
package dev.outrider.parquet;

import org.jspecify.annotations.NullMarked;
