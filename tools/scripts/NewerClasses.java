import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Copies a jar and converts its classes to the form of Java 8, with stack maps. Class archives leave out classes in a form
/// before Java 6, and the JVM verifies such classes slowly.
///
///     java NewerClasses.java FROM TO
void main(String[] arguments) throws Exception {
    var from = Path.of(arguments[0]);
    try (var loader = new URLClassLoader(new URL[] {from.toUri().toURL()});
            var in = new ZipFile(from.toFile());
            var out = new ZipOutputStream(Files.newOutputStream(Path.of(arguments[1])))) {
        var classes =
                ClassFile.of(
                        StackMapsOption.GENERATE_STACK_MAPS,
                        ClassHierarchyResolverOption.of(
                                ClassHierarchyResolver.ofResourceParsing(loader)));
        for (var entry : Collections.list(in.entries())) {
            var bytes = in.getInputStream(entry).readAllBytes();
            var name = entry.getName();
            if (name.endsWith(".class") && !name.endsWith("module-info.class")) {
                var old = classes.parse(bytes);
                bytes =
                        classes.build(
                                old.thisClass().asSymbol(),
                                made -> {
                                    old.elementStream()
                                            .filter(part -> !(part instanceof ClassFileVersion))
                                            .forEach(made);
                                    made.withVersion(ClassFile.JAVA_8_VERSION, 0);
                                });
            }
            out.putNextEntry(new ZipEntry(name));
            out.write(bytes);
        }
    }
}
