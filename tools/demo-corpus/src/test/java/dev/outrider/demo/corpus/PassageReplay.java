package dev.outrider.demo.corpus;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads a passage sentence by sentence, and checks an answer against the state at the end. Uses
/// only the text.
final class PassageReplay {
    private static final Pattern LIES =
            Pattern.compile(
                    "(?:The (\\w+) was|There was an? (\\w+)|Somebody had left an? (\\w+)) at the (\\w+)");
    private static final Pattern MOVES =
            Pattern.compile("(?:Then |After that )?(\\w+) (?:went|walked|came|ran) to the (\\w+)");
    private static final Pattern TAKES =
            Pattern.compile("(\\w+) (?:picked up|took|found) the (\\w+)");
    private static final Pattern DROPS =
            Pattern.compile("(\\w+) (?:left|put down) the (\\w+) at the (\\w+)");
    private static final Pattern GIVES =
            Pattern.compile("(\\w+) (?:gave|handed) the (\\w+) to (\\w+)");
    private static final Pattern GETS = Pattern.compile("(\\w+) got the (\\w+) from (\\w+)");

    private final Map<String, String> placeOf = new HashMap<>();
    private final Map<String, String> lyingAt = new HashMap<>();
    private final Map<String, String> holder = new HashMap<>();

    static PassageReplay of(String prompt) {
        var replay = new PassageReplay();
        var passage = prompt.substring("Passage: ".length(), prompt.indexOf("\nQuestion:"));
        for (var sentence : passage.split("(?<=\\.) ")) {
            replay.apply(sentence.replace(".", ""));
        }
        return replay;
    }

    boolean agreesWith(String answer) {
        var sentences = answer.strip().split("(?<=\\.) ");
        var nobody =
                Pattern.compile("Nobody has the (\\w+)\\. It is at the (\\w+)\\.")
                        .matcher(answer.strip());
        if (nobody.matches()) {
            return nobody.group(2).equals(lyingAt.get(nobody.group(1)));
        }
        var lies =
                Pattern.compile("The (\\w+) is at the (\\w+)\\. Nobody has it\\.")
                        .matcher(answer.strip());
        if (lies.matches()) {
            return lies.group(2).equals(lyingAt.get(lies.group(1)));
        }
        var because =
                Pattern.compile(
                                "The (\\w+) is at the (\\w+), because (\\w+) has it and (?:he|she) is there\\.")
                        .matcher(answer.strip());
        if (because.matches()) {
            return has(because.group(3), because.group(1))
                    && because.group(2).equals(placeOf.get(because.group(3)));
        }
        var has =
                Pattern.compile("(\\w+) has the (\\w+)\\. (?:He|She) is at the (\\w+) now\\.")
                        .matcher(answer.strip());
        if (has.matches()) {
            return has(has.group(1), has.group(2))
                    && has.group(3).equals(placeOf.get(has.group(1)));
        }
        var is = Pattern.compile("(\\w+) is at the (\\w+)\\.").matcher(sentences[0]);
        return is.matches()
                && is.group(2).equals(placeOf.get(is.group(1)))
                && carries(is.group(1), sentences[1]);
    }

    private boolean carries(String person, String sentence) {
        var held =
                holder.entrySet().stream()
                        .filter(entry -> entry.getValue().equals(person))
                        .map(Map.Entry::getKey)
                        .toList();
        return held.isEmpty()
                ? sentence.contains("has nothing")
                : List.of(sentence.replaceAll("[.,]", "").split(" ")).containsAll(held);
    }

    private boolean has(String person, String thing) {
        return person.equals(holder.get(thing));
    }

    private void apply(String sentence) {
        Matcher match;
        if ((match = LIES.matcher(sentence)).matches()) {
            var thing =
                    match.group(1) != null
                            ? match.group(1)
                            : match.group(2) != null ? match.group(2) : match.group(3);
            lyingAt.put(thing, match.group(4));
        } else if ((match = MOVES.matcher(sentence)).matches()) {
            placeOf.put(match.group(1), match.group(2));
        } else if ((match = DROPS.matcher(sentence)).matches()) {
            holder.remove(match.group(2));
            lyingAt.put(match.group(2), match.group(3));
        } else if ((match = GIVES.matcher(sentence)).matches()) {
            holder.put(match.group(2), match.group(3));
        } else if ((match = GETS.matcher(sentence)).matches()) {
            holder.put(match.group(2), match.group(1));
        } else if ((match = TAKES.matcher(sentence)).lookingAt()) {
            lyingAt.remove(match.group(2));
            holder.put(match.group(2), match.group(1));
        } else {
            throw new AssertionError("not understood: " + sentence);
        }
    }
}
