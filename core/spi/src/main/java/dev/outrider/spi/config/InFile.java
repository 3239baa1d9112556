package dev.outrider.spi.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API.Status;
import org.apiguardian.api.API;

/// Values of this configuration type may stand in a file of their own: `tree: {file: trees/my-tree.yaml}` means the tree
/// in that file. The file binds to a record with exactly one component of the annotated type, and is checked like the
/// configuration itself; it cannot name a further file for that component.
///
/// A relative path is relative to the file that names it. The effective configuration, and so its hash, has the value
/// itself.
@API(status = Status.EXPERIMENTAL, since = "2")
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface InFile {
    /// {@return the record that such a file binds to}
    Class<? extends Record> value();
}
