package dev.outrider.demo.corpus;

import java.util.List;
import java.util.stream.Stream;

/// The words of the texts.
final class Lexicon {
    static final List<Person> PEOPLE =
            Stream.concat(
                            words(
                                            """
                                            Ada Alma Anna Bella Berta Carla Celia Clara Cora Dana Dora Edith Ella Elsa Emma
                                            Erin Eva Fay Flora Freya Gina Greta Hanna Hazel Helen Ida Ines Iris Ivy Jana
                                            Jean Joan June Kate Kira Lara Lena Lily Lisa Lola Lucy Luna Mara Maya Mia Mina
                                            Nadia Nell Nina Nora Olga Olive Paula Pia Rita Rosa Ruby Ruth Sara Selma Tess
                                            Thea Tilda Uma Vera Wilma Zara Zoe\
                                            """)
                                    .stream()
                                    .map(Person::woman),
                            words(
                                            """
                                            Abel Adam Alan Albert Anton Arlo Ben Boris Bruno Carl Cole Dan David Dean Eli
                                            Emil Erik Ernest Evan Felix Finn Frank Fred George Gus Hans Henry Hugo Ian Igor
                                            Ivan Jack Jacob James Jon Karl Kurt Lars Leo Liam Louis Luke Marco Mark Max
                                            Milo Nate Ned Nick Noah Oscar Otto Owen Paul Peter Ralph Ray Rex Robin Rolf
                                            Sam Simon Sven Theo Tim Toby Tom Victor Walter Will\
                                            """)
                                    .stream()
                                    .map(Person::man))
                    .toList();

    /// Places one can walk to, all used with `the`.
    static final List<String> PLACES =
            phrases(
                    """
                    barn, bakery, bridge, castle, cave, cellar, chapel, church, cottage, dock, farm, field, forest, garden,
                    garage, hall, harbor, hill, hut, inn, kitchen, lake, library, lighthouse, market, meadow, mill, mine,
                    museum, office, orchard, park, pond, port, river, school, shop, stable, station, study, square, temple,
                    tower, tunnel, valley, village, well, windmill, workshop, yard, attic, beach, canal, courtyard, factory,
                    gate, greenhouse, island, quarry, theater\
                    """);

    /// Things one can carry.
    static final List<String> OBJECTS =
            phrases(
                    """
                    apple, axe, bag, ball, basket, bell, blanket, book, boot, bottle, bowl, box, bracelet, brush, bucket,
                    button, candle, cap, chain, clock, coat, coin, compass, crown, cup, doll, drum, feather, flag, flute,
                    fork, glove, hammer, hat, helmet, horn, jar, jug, kettle, key, kite, knife, ladder, lamp, lantern,
                    letter, lock, map, mask, medal, mirror, mug, needle, net, notebook, oar, paddle, pan, parcel, pearl,
                    pen, pencil, picture, pillow, pipe, plate, pot, puzzle, ribbon, ring, rope, saddle, scarf, shell,
                    shield, shovel, spoon, stone, sword, telescope, ticket, torch, towel, toy, trumpet, umbrella, vase,
                    violin, wallet, watch, wheel, whistle\
                    """);

    static final List<String> ADJECTIVES =
            phrases(
                    """
                    old, new, small, large, tiny, huge, bright, dark, red, blue, green, yellow, white, black, brown, gray,
                    golden, silver, wooden, broken, shiny, dusty, heavy, light, soft, round, square, strange, plain,
                    beautiful, ugly, cheap, precious, rusty, clean, dirty, warm, cold, wet, dry, thin, thick, purple,
                    orange, pink, copper, painted, simple, rare, odd\
                    """);

    static final List<String> TRAITS =
            phrases(
                    """
                    kind, brave, clever, quiet, cheerful, patient, careful, curious, honest, gentle, proud, stubborn,
                    lonely, friendly, generous, shy, wise, busy, lazy, bold\
                    """);

    static final List<String> JOBS =
            phrases(
                    """
                    baker, farmer, teacher, sailor, doctor, painter, carpenter, miller, gardener, fisher, tailor, blacksmith,
                    driver, cook, guard, librarian, musician, nurse, shepherd, weaver, potter, hunter, builder, dancer,
                    singer, writer, judge, pilot, clerk, mason\
                    """);

    static final List<String> ANIMALS =
            phrases(
                    """
                    cat, dog, fox, owl, horse, goat, sheep, rabbit, duck, goose, mouse, crow, pony, donkey, bear, wolf,
                    deer, hen, pig, swan, turtle, frog, hedgehog, badger, otter, squirrel, parrot, sparrow, falcon, beaver\
                    """);

    /// Countable goods: singular/plural.
    static final List<Noun> GOODS =
            phrases(
                            """
                            apple/apples, pear/pears, plum/plums, egg/eggs, nut/nuts, cake/cakes, coin/coins, book/books,
                            marble/marbles, pencil/pencils, stamp/stamps, button/buttons, card/cards, shell/shells,
                            stone/stones, candle/candles, flower/flowers, ticket/tickets, cookie/cookies, lemon/lemons,
                            orange/oranges, potato/potatoes, carrot/carrots, bottle/bottles, box/boxes, ball/balls\
                            """)
                    .stream()
                    .map(pair -> new Noun(pair.split("/")[0], pair.split("/")[1]))
                    .toList();

    static final List<String> TOWNS =
            phrases(
                    """
                    Alden, Arbor, Bergen, Brook, Calder, Corvin, Dalton, Dorset, Eldham, Elmwood, Fairview, Farley, Garton,
                    Glenville, Halden, Harrow, Ilford, Kendal, Kingsport, Lakeside, Linden, Marlow, Milton, Norwick, Oakham,
                    Oldbury, Pinehill, Ravenna, Redford, Rivers, Salem, Seaton, Stanton, Sutton, Thornby, Upton, Vernon,
                    Walden, Weston, Wexford, Winton, York\
                    """);

    static final List<String> COLORS =
            phrases(
                    "red, blue, green, yellow, white, black, brown, gray, purple, orange, pink, silver");

    static final List<String> SEASONS = List.of("spring", "summer", "autumn", "winter");

    static final List<String> DAYS =
            List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");

    /// A countable noun.
    record Noun(String singular, String plural) {}

    private Lexicon() {}

    private static List<String> words(String block) {
        return List.of(block.strip().split("\\s+"));
    }

    private static List<String> phrases(String block) {
        return List.of(block.strip().split(",\\s+"));
    }
}
