package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `core/drafting/api.txt` lists everything of the drafting kit that plugins may use.
class SurfaceTest {
    private static final Path WRITTEN =
            Path.of(System.getProperty("outrider.root", "../.."), "core/drafting/api.txt");

    @Test
    void isWhatIsWrittenDown() throws IOException, URISyntaxException {
        var surface = String.join("\n", surface()) + "\n";

        assertThat(surface)
                .as("%s; if the change is meant, write what is shown as actual there", WRITTEN)
                .isEqualTo(Files.readString(WRITTEN));
    }

    private static List<String> surface() throws IOException, URISyntaxException {
        var lines = new ArrayList<String>();
        for (var type : types()) {
            lines.add(type.toGenericString());
            Stream.of(
                            members(type.getDeclaredConstructors()),
                            members(type.getDeclaredFields()),
                            members(type.getDeclaredMethods()))
                    .flatMap(members -> members)
                    .filter(member -> seen(type, member))
                    .map(SurfaceTest::line)
                    .sorted()
                    .forEach(lines::add);
        }
        return lines;
    }

    private static Stream<Member> members(Member[] members) {
        return Stream.of(members);
    }

    /// Every record has its own `equals`, `hashCode` and `toString`, and every enum its own list.
    private static boolean seen(Class<?> type, Member member) {
        boolean usual =
                List.of("equals", "hashCode", "toString").contains(member.getName())
                        || (type.isEnum()
                                && List.of("values", "valueOf").contains(member.getName()));
        return !usual
                && !member.isSynthetic()
                && (Modifier.isPublic(member.getModifiers())
                        || Modifier.isProtected(member.getModifiers()));
    }

    private static String line(Member member) {
        return "    "
                + switch (member) {
                    case Constructor<?> constructor -> constructor.toGenericString();
                    case Method method -> method.toGenericString();
                    case Field field -> field.toGenericString();
                    default -> throw new IllegalStateException(member.toString());
                };
    }

    private static List<Class<?>> types() throws IOException, URISyntaxException {
        var classes =
                Path.of(
                        DraftStepper.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        try (Stream<Path> files = Files.walk(classes.resolve("dev/outrider/drafting"))) {
            List<Class<?>> types = new ArrayList<>();
            files.map(file -> classes.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("package-info"))
                    .map(name -> name.replace(".class", "").replace('/', '.'))
                    .sorted()
                    .map(SurfaceTest::load)
                    .filter(SurfaceTest::visible)
                    .forEach(types::add);
            return types;
        }
    }

    private static boolean visible(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getDeclaringClass() == null || visible(type.getDeclaringClass()));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, SurfaceTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
