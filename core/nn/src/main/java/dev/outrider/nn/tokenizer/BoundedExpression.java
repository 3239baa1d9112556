package dev.outrider.nn.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A regular expression of a tokenizer that is matched in a bounded time, for every text. The
/// library's matcher backtracks, and too much backtracking ends the process. Which text causes it
/// cannot be predicted, so the form of the expression decides.
///
/// Accepted are alternatives of characters, classes and groups. One whose unbounded repetitions
/// nothing follows that can fail to match takes a time linear in the text. So do alternatives of
/// published tokenizers that backtrack, but over text that another alternative then takes. If one
/// unbounded repetition may step back, the time grows with the square of the text, whose length is
/// then bounded; if two may, the expression is refused.
///
/// @param source      the expression for the library: an equivalent of a published expression that is matched in linear time, or
///                    the expression itself
/// @param leastLength characters of the shortest match
/// @param stepsBack   whether it may backtrack once for every character
/// @param squareSteps the matcher's steps are at most this times the square of a text's length; 0 if
///     they are linear
record BoundedExpression(String source, int leastLength, boolean stepsBack, int squareSteps) {
    private static final String UPPER = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]";
    private static final String LOWER = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]";
    private static final String WORD = "[^\\r\\n\\p{L}\\p{N}]?" + UPPER;
    private static final String SHORT = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?";

    /// Alternatives that backtrack, each with the one that takes the text it passed.
    private static final Map<String, String> PUBLISHED =
            Map.ofEntries(
                    Map.entry("\\s+(?!\\S)", "\\s+"),
                    Map.entry("\\s*[\\r\\n]+", "\\s+"),
                    Map.entry("\\s*[\\r\\n]", "\\s+"),
                    Map.entry(WORD + "*" + LOWER + "+", WORD + "+" + LOWER + "*"),
                    Map.entry(WORD + "*" + LOWER + "+" + SHORT, WORD + "+" + LOWER + "*" + SHORT));

    /// DeepSeek LLM's spaces at the end. A match always begins at the first space.
    private static final Map<String, String> EQUIVALENT = Map.of("\\s+$", "(?<!\\s)\\s+$");

    private static final int LONGEST = 16_384;
    private static final int MAX_ALTERNATIVES = 64;
    private static final int MAX_WAYS = 256;
    private static final int MAX_TIMES = 64;
    private static final int DEEPEST = 16;

    /// The reason why an expression is not accepted; the message is the end of a sentence about it.
    static final class Unsafe extends Exception {
        private static final long serialVersionUID = 1L;

        Unsafe(String reason) {
            super(reason);
        }
    }

    /// @throws Unsafe if it could take longer, or uses syntax that is not analysed
    static BoundedExpression of(String source) throws Unsafe {
        var equivalent = EQUIVALENT.get(source);
        if (equivalent != null) {
            return new BoundedExpression(equivalent, 1, true, 0);
        }
        if (source.isEmpty() || source.length() > LONGEST) {
            throw new Unsafe(
                    "has %d characters; expected 1 to %d".formatted(source.length(), LONGEST));
        }
        var reader = new Reader(source);
        var alternatives = reader.split();
        if (alternatives.size() > MAX_ALTERNATIVES) {
            throw new Unsafe(
                    "has %d alternatives; expected at most %d"
                            .formatted(alternatives.size(), MAX_ALTERNATIVES));
        }
        int least = Integer.MAX_VALUE;
        boolean stepsBack = false;
        int squareSteps = 0;
        for (var alternative : alternatives) {
            var taker = PUBLISHED.get(escaped(alternative));
            if (taker != null && alternatives.contains(taker)) {
                stepsBack = true;
                least = Math.min(least, 1);
            } else {
                var one = new Reader(alternative);
                var match = one.sequence(false);
                one.requireEnd();
                least = Math.min(least, match.least());
                squareSteps += match.stepsBack() ? match.ways() * match.most() : 0;
            }
        }
        return new BoundedExpression(source, least, stepsBack || squareSteps > 0, squareSteps);
    }

    /// DeepSeek V3 has the line ends themselves in its expressions.
    private static String escaped(String alternative) {
        return alternative.replace("\r", "\\r").replace("\n", "\\n");
    }

    /// Bounds of a part of an expression.
    ///
    /// @param least     minimum number of characters
    /// @param most      maximum number of characters, without those of unbounded repetitions
    /// @param ways      an upper bound of the number of ways to match at one position, without the
    ///     lengths of unbounded repetitions
    /// @param stepsBack whether an unbounded repetition may step back
    private record Match(int least, int most, int ways, boolean stepsBack) {
        static final Match NOTHING = new Match(0, 1, 1, false);
        static final Match ONE = new Match(1, 1, 1, false);
    }

    private static final class Reader {
        private final String source;
        private int at;
        private int depth;

        Reader(String source) {
            this.source = source;
        }

        /// Returns the outermost alternatives.
        List<String> split() throws Unsafe {
            var alternatives = new ArrayList<String>();
            int begin = 0;
            int open = 0;
            while (at < source.length()) {
                switch (source.charAt(at)) {
                    case '\\' -> at += 2;
                    case '[' -> skipClass();
                    case '(' -> {
                        open++;
                        at++;
                    }
                    case ')' -> {
                        open--;
                        at++;
                    }
                    case '|' -> {
                        if (open == 0) {
                            alternatives.add(source.substring(begin, at));
                            begin = at + 1;
                        }
                        at++;
                    }
                    default -> at++;
                }
            }
            alternatives.add(source.substring(begin));
            return alternatives;
        }

        void requireEnd() throws Unsafe {
            if (at < source.length()) {
                throw new Unsafe("has a ')' too many");
            }
        }

        /// Reads items up to the end of the alternative.
        ///
        /// @param grouped whether they are in a group, where no unbounded repetition is allowed
        Match sequence(boolean grouped) throws Unsafe {
            int least = 0;
            int most = 0;
            int ways = 1;
            int unbounded = 0;
            boolean stepsBack = false;
            while (at < source.length() && source.charAt(at) != '|' && source.charAt(at) != ')') {
                int begin = at;
                boolean group = source.charAt(at) == '(';
                var item = item();
                var times = times();
                stepsBack |= unbounded > 0 && times.least > 0;
                if (unbounded > 1 && times.least > 0) {
                    throw new Unsafe(
                            "has '%s' after several repetitions without bound, which then would step back"
                                    .formatted(source.substring(begin, at)));
                }
                if (group && times.most > 1) {
                    throw new Unsafe(
                            "repeats the group '%s'".formatted(source.substring(begin, at)));
                }
                boolean open = times.most > MAX_TIMES;
                if (open && grouped) {
                    throw new Unsafe(
                            "repeats without bound in the group or lookaround that has '%s'"
                                    .formatted(source.substring(begin, at)));
                }
                unbounded += open ? 1 : 0;
                least += item.least() * Math.min(times.least, MAX_TIMES);
                most += item.most() * (open ? 1 + times.least : times.most);
                ways *= group ? item.ways() + 1 : open ? 1 : times.most - times.least + 1;
                if (ways > MAX_WAYS) {
                    throw new Unsafe(
                            "has more than %d ways to match up to '%s'"
                                    .formatted(MAX_WAYS, source.substring(begin, at)));
                }
            }
            return new Match(least, most, ways, stepsBack);
        }

        private Match item() throws Unsafe {
            char first = source.charAt(at);
            switch (first) {
                case '(' -> {
                    return group();
                }
                case '[' -> {
                    skipClass();
                    return Match.ONE;
                }
                case '\\' -> {
                    return escape() ? Match.NOTHING : Match.ONE;
                }
                case '^', '$' -> {
                    at++;
                    return Match.NOTHING;
                }
                case '*', '+', '?', '{', '}', ']' ->
                        throw new Unsafe("has a '%s' that cannot be judged there".formatted(first));
                default -> {
                    at += Character.charCount(source.codePointAt(at));
                    return Match.ONE;
                }
            }
        }

        private Match group() throws Unsafe {
            if (++depth > DEEPEST) {
                throw new Unsafe("nests groups more than %d deep".formatted(DEEPEST));
            }
            boolean looks = false;
            boolean folds = source.startsWith("?i:", at + 1);
            int begin = at++;
            if (source.startsWith("?:", at)) {
                at += 2;
            } else if (source.startsWith("?i:", at)) {
                at += 3;
            } else if (source.startsWith("?!", at) || source.startsWith("?=", at)) {
                looks = true;
                at += 2;
            } else if (source.startsWith("?<!", at) || source.startsWith("?<=", at)) {
                looks = true;
                at += 3;
            } else if (source.startsWith("?", at)) {
                throw new Unsafe("has a group of a kind that cannot be judged");
            }
            int least = Integer.MAX_VALUE;
            int most = 0;
            int ways = 0;
            while (true) {
                var alternative = sequence(true);
                least = Math.min(least, alternative.least());
                most += alternative.most();
                ways += alternative.ways();
                if (at >= source.length()) {
                    throw new Unsafe("has an open group '%s'".formatted(source.substring(begin)));
                }
                if (source.charAt(at++) == ')') {
                    depth--;
                    // If case is ignored, one character can match several, as the German sharp s
                    // matches two.
                    return new Match(
                            looks ? 0 : folds ? Math.min(least, 1) : least, most, ways, false);
                }
            }
        }

        /// Reads a repetition; a repetition of a repetition is refused.
        private Times times() throws Unsafe {
            if (at >= source.length()) {
                return Times.ONCE;
            }
            Times times;
            switch (source.charAt(at)) {
                case '?' -> times = new Times(0, 1);
                case '*' -> times = new Times(0, Integer.MAX_VALUE);
                case '+' -> times = new Times(1, Integer.MAX_VALUE);
                case '{' -> {
                    return interval();
                }
                default -> {
                    return Times.ONCE;
                }
            }
            at++;
            if (at < source.length() && "?+".indexOf(source.charAt(at)) >= 0) {
                at++;
            }
            return times;
        }

        private Times interval() throws Unsafe {
            int end = source.indexOf('}', at);
            var text = end < 0 ? "" : source.substring(at + 1, end);
            var bounds = text.split(",", -1);
            if (!text.matches("\\d{1,4}(,\\d{0,4})?")) {
                throw new Unsafe("has a '{' that cannot be judged");
            }
            at = end + 1;
            int least = Integer.parseInt(bounds[0]);
            int most =
                    bounds.length == 1
                            ? least
                            : bounds[1].isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(bounds[1]);
            if (most < least || least > MAX_TIMES) {
                throw new Unsafe(
                        "repeats {%s}; expected at least 0 to %d times, at most as often or more"
                                .formatted(text, MAX_TIMES));
            }
            return new Times(least, most);
        }

        /// @return whether it matches no character
        private boolean escape() throws Unsafe {
            if (at + 1 >= source.length()) {
                throw new Unsafe("ends in a backslash");
            }
            char kind = source.charAt(at + 1);
            at += 2;
            if ("sSdDwWhHrntfv".indexOf(kind) >= 0) {
                return false;
            }
            if ("bBAzZ".indexOf(kind) >= 0) {
                return true;
            }
            switch (kind) {
                case 'p', 'P' -> skipProperty();
                case 'x' -> skipDigits(2);
                case 'u' -> skipDigits(4);
                default -> {
                    if (kind > '~' || Character.isLetterOrDigit(kind)) {
                        throw new Unsafe("has '\\%s', which cannot be judged".formatted(kind));
                    }
                }
            }
            return false;
        }

        private void skipProperty() throws Unsafe {
            int end = source.indexOf('}', at);
            if (end < 0 || !source.substring(at, end).matches("\\{\\^?[A-Za-z_ ]+")) {
                throw new Unsafe("has a property that is not a name in braces");
            }
            at = end + 1;
        }

        private void skipDigits(int count) throws Unsafe {
            int end = Math.min(at + count, source.length());
            if (count == 2 && at < source.length() && source.charAt(at) == '{') {
                end = source.indexOf('}', at) + 1;
            }
            if (!source.substring(at, Math.max(at, end))
                    .matches("[0-9A-Fa-f]{2,4}|\\{[0-9A-Fa-f]{1,8}\\}")) {
                throw new Unsafe("has an incomplete number of a character");
            }
            at = end;
        }

        private void skipClass() throws Unsafe {
            int begin = at;
            int open = 0;
            while (at < source.length()) {
                char here = source.charAt(at);
                if (here == '\\') {
                    escape();
                    continue;
                }
                at++;
                if (here == '[') {
                    if (++open > DEEPEST) {
                        throw new Unsafe("nests classes more than %d deep".formatted(DEEPEST));
                    }
                    if (source.startsWith("^", at)) {
                        at++;
                    }
                    if (source.startsWith("]", at)) {
                        throw new Unsafe("has a class that begins with ']'");
                    }
                } else if (here == ']' && --open == 0) {
                    return;
                }
            }
            throw new Unsafe("has an open class '%s'".formatted(source.substring(begin)));
        }
    }

    private record Times(int least, int most) {
        static final Times ONCE = new Times(1, 1);
    }
}
