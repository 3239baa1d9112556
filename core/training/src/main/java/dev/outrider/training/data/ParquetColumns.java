package dev.outrider.training.data;

import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.schema.ColumnSchema;
import dev.hardwood.schema.FileSchema;
import dev.hardwood.schema.SchemaNode;
import dev.outrider.training.data.DataSourceConfig.RecordKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The columns of a file that make records: strings, a boolean `truncated`, and lists of structures of strings.
///
/// @param leaves in the order of the file
record ParquetColumns(List<Leaf> leaves) {
    private static final Set<String> MEMBERS = Set.of("role", "content", "from", "value");

    /// A column.
    ///
    /// @param index  among all columns of the file
    /// @param field  of the record
    /// @param member of a message, if the field is a list of messages
    /// @param type   of its values
    record Leaf(int index, String field, Optional<String> member, PhysicalType type) {}

    ParquetColumns {
        leaves = List.copyOf(leaves);
    }

    /// @param kind of records; if absent, any
    /// @throws IOException if the library would read another column
    static ParquetColumns of(FileSchema schema, Optional<RecordKind> kind) throws IOException {
        var leaves = new ArrayList<Leaf>();
        for (var column : schema.getColumns()) {
            leaf(schema, column).filter(leaf -> isWanted(leaf, kind)).ifPresent(leaves::add);
        }
        for (var leaf : leaves) {
            requireFound(schema, leaf);
        }
        return new ParquetColumns(leaves);
    }

    /// Refuses ambiguous names: Hardwood reads a column without groups as the first of all columns with that last name.
    private static void requireFound(FileSchema schema, Leaf leaf) throws IOException {
        for (var column : schema.getColumns().subList(0, leaf.index())) {
            if (leaf.member().isEmpty() && column.name().equals(leaf.field())) {
                throw new IOException(
                        "its column '%s' cannot be told from '%s' before it; write one under another name"
                                .formatted(leaf.field(), column.fieldPath()));
            }
        }
    }

    /// Returns whether the columns make records.
    boolean makeRecords() {
        return leaves.stream()
                .anyMatch(leaf ->
                        leaf.member().isPresent()
                                || leaf.field().equals("prompt")
                                || leaf.field().equals("text"));
    }

    /// Describes the first columns of a file and their types.
    static String described(FileSchema schema) {
        return schema.getColumns().stream()
                .limit(8)
                .map(column -> column.fieldPath() + " " + column.type())
                .collect(Collectors.joining(", "));
    }

    private static boolean isWanted(Leaf leaf, Optional<RecordKind> kind) {
        return kind.map(wanted ->
                        switch (wanted) {
                            case TEXT -> leaf.field().equals("text");
                            case COMPLETION ->
                                    leaf.member().isEmpty() && !leaf.field().equals("text");
                            case CHAT ->
                                    leaf.member().isPresent() || leaf.field().equals("truncated");
                        })
                .orElse(true);
    }

    private static Optional<Leaf> leaf(FileSchema schema, ColumnSchema column) {
        var names = column.fieldPath().elements();
        var field = names.getFirst();
        if (names.size() == 1 && column.maxRepetitionLevel() == 0) {
            boolean wanted =
                    switch (field) {
                        case "text", "prompt", "completion" ->
                                column.type() == PhysicalType.BYTE_ARRAY;
                        case "truncated" -> column.type() == PhysicalType.BOOLEAN;
                        default -> false;
                    };
            return wanted
                    ? Optional.of(
                            new Leaf(column.columnIndex(), field, Optional.empty(), column.type()))
                    : Optional.empty();
        }
        boolean messages =
                (field.equals("messages") || field.equals("conversations"))
                        && column.type() == PhysicalType.BYTE_ARRAY
                        && column.maxRepetitionLevel() == 1
                        && MEMBERS.contains(names.getLast())
                        && isMember(schema.getField(field), names.getLast());
        return messages
                ? Optional.of(
                        new Leaf(
                                column.columnIndex(),
                                field,
                                Optional.of(names.getLast()),
                                column.type()))
                : Optional.empty();
    }

    /// Returns whether a field is a list of structures with that member.
    private static boolean isMember(SchemaNode field, String member) {
        return field instanceof SchemaNode.GroupNode list
                && list.isList()
                && list.getListElement() instanceof SchemaNode.GroupNode struct
                && struct.children().stream()
                        .anyMatch(child ->
                                child.name().equals(member)
                                        && child instanceof SchemaNode.PrimitiveNode);
    }
}
