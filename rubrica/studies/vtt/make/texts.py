"""What changes in each sequence, and what four made-up systems wrote about it.

`atlas` describes well, `brook` mixes in wrong objects and actions, `cedar` is fluent but repeats
itself or misses the theme, `dune` can hardly form a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sequence:
    scene: str
    topic: str
    category: str
    labels: tuple[str, ...]
    atlas: tuple[str, ...]
    brook: tuple[str, ...]
    cedar: tuple[str, ...]
    dune: tuple[str, ...]


SEQUENCES = (
    Sequence(
        "fry_egg",
        "Fry Egg",
        "Dish",
        (
            "pour oil into the pan",
            "crack the egg into the pan",
            "fry the egg",
            "put the egg on the plate",
        ),
        (
            "pour oil into the pan",
            "crack an egg into the pan",
            "fry the egg until it is white",
            "put the egg on the plate",
        ),
        ("pour oil into the pan", "put the orange into the pan", "fry the egg", "take out the egg"),
        ("heat the pan", "heat the pan", "heat the pan", "put the pan on the stove"),
        (
            "oil the pour pan pan",
            "egg egg in in the crack",
            "the fry fry put",
            "plate the on the the egg",
        ),
    ),
    Sequence(
        "make_tea",
        "Make Tea",
        "Drink and Snack",
        (
            "put the tea bag into the cup",
            "pour hot water into the cup",
            "soak the tea bag",
            "take out the tea bag",
        ),
        (
            "put the tea bag into the cup",
            "pour water into the cup",
            "wait until the tea is dark",
            "take out the tea bag",
        ),
        (
            "put the tea bag into the cup",
            "pour milk into the cup",
            "stir the tea with a spoon",
            "take out the tea bag",
        ),
        ("add coffee", "pour water", "pour water", "pour milk"),
        (
            "put bag tea the the cup in",
            "pour pour hot hot",
            "soak the the tea water tea",
            "the bag out take",
        ),
    ),
    Sequence(
        "wash_dish",
        "Wash Dish",
        "Housework",
        ("scrub the plate with a soapy sponge", "rinse the plate", "put the plate on the rack"),
        (
            "scrub the plate with a soapy sponge",
            "rinse the plate with water",
            "put the plate on the rack",
        ),
        (
            "scrub the plate with a soapy sponge",
            "dry the plate with a towel",
            "put the plate on the rack",
        ),
        ("wash the dish", "wash the dish", "wash the dish"),
        ("the sponge sponge dish a wash", "rinse water plate plate the", "put put dish rack on"),
    ),
    Sequence(
        "make_sandwich",
        "Make Sandwich",
        "Dish",
        (
            "put lettuce on the bread",
            "put cheese on the lettuce",
            "put tomatoes on the cheese",
            "put ham on the tomatoes",
            "cover with the other half",
            "cut the sandwich in two",
        ),
        (
            "put lettuce on the bread",
            "add a slice of cheese",
            "add some tomatoes",
            "add ham",
            "put the other half on top",
            "cut the sandwich in two",
        ),
        (
            "put lettuce on the bread",
            "spread butter on the lettuce",
            "add some tomatoes",
            "add ham",
            "toast the bread",
            "cut the sandwich in two",
        ),
        (
            "add toppings",
            "add toppings",
            "add toppings",
            "add toppings",
            "put the sandwich in the oven",
            "roll the dough",
        ),
        (
            "put lettuce bread bread",
            "cheese the on put",
            "tomato the the slice add",
            "ham add on on",
            "cover the bread the with",
            "cut a sandwich knife the in in",
        ),
    ),
    Sequence(
        "cut_apple",
        "Cut Apple",
        "Pets and Fruit",
        ("cut the apple in half", "cut the halves into slices", "put the slices into the bowl"),
        ("cut the apple in half", "cut the halves into slices", "put the slices into the bowl"),
        ("wash the apple", "cut the apple into slices", "put the slices into the bowl"),
        ("cut the mango", "remove the seed of the mango", "cut the mango", "eat the mango"),
        ("apple half half cut the in", "the slice slice cut apple", "bowl the into into put slices"),
    ),
    Sequence(
        "build_shelf",
        "Build Simple Floating Shelves",
        "Furniture and Decoration",
        (
            "mark the positions on the wall",
            "screw the brackets to the wall",
            "put the board on the brackets",
            "place books and a plant on the shelf",
        ),
        (
            "mark the wall with a pencil",
            "fix the brackets to the wall",
            "lay the board on the brackets",
            "place books and a plant on the shelf",
        ),
        (
            "mark the wall with a pencil",
            "drill holes in the board",
            "put the board on the brackets",
            "paint the shelf",
        ),
        ("install the curtain rod", "install the curtain rod", "hang the curtain", "hang the curtain"),
        (
            "mark wall pencil the the",
            "the screw the screw bracket wall",
            "board board put bracket",
            "book place the plant the shelf",
        ),
    ),
    Sequence(
        "replace_bulb",
        "Replace A Bulb",
        "Electrical Appliance",
        ("take out the old bulb", "screw in the new bulb", "turn on the light"),
        ("take out the old bulb", "screw in the new bulb", "turn on the lamp"),
        ("take out the old bulb", "clean the lamp cover", "turn on the lamp"),
        ("remove the bulb", "remove the bulb", "remove the bulb"),
        (
            "remove the the bulb light the",
            "install a bulb bulb bulb",
            "turn light on on switch the the",
        ),
    ),
    Sequence(
        "wrap_gift",
        "Wrap Gift Box",
        "Science and Craft",
        (
            "put the ball into the box",
            "close the box and tape it",
            "wrap the box with paper",
            "tie a ribbon around the box",
        ),
        (
            "put the ball into the box",
            "close the box with tape",
            "wrap the box with paper",
            "tie a ribbon around the box",
        ),
        (
            "put the apple into the box",
            "close the box with tape",
            "wrap the box with paper",
            "cut the paper",
        ),
        ("fold the paper", "fold the paper", "fold the paper", "tie the ribbon"),
        (
            "the ball box put in the",
            "tape tape box the close",
            "paper wrap wrap",
            "the ribbon ribbon a tie on box",
        ),
    ),
    Sequence(
        "plant_tree",
        "Plant Tree",
        "Pets and Fruit",
        ("dig a hole", "put the tree into the hole", "fill the hole with soil", "water the tree"),
        (
            "dig a hole with the spade",
            "put the tree into the hole",
            "fill the hole with soil",
            "water the tree",
        ),
        (
            "dig a hole with the spade",
            "water the tree",
            "put the tree into the hole",
            "fill the hole with soil",
        ),
        ("water the tree", "water the tree", "water the tree", "water the tree"),
        (
            "hole dig dig the soil",
            "tree hole put the the in in",
            "soil the fill hole with tree tree",
            "water the the",
        ),
    ),
    Sequence(
        "park_car",
        "Park Parallel",
        "Vehicle",
        ("reverse and steer towards the kerb", "back into the gap", "straighten the car"),
        ("reverse the car towards the kerb", "back into the gap", "straighten the car in the gap"),
        (
            "reverse the car towards the kerb",
            "drive forward out of the gap",
            "straighten the car in the gap",
        ),
        ("drive the car", "drive the car", "park the car"),
        ("car reverse the the back", "the gap gap drive in", "car park the park straight the"),
    ),
    Sequence(
        "change_tyre",
        "Change Car Tire",
        "Vehicle",
        ("jack up the car", "take off the flat tire", "put on the spare tire", "lower the car"),
        (
            "jack up the car",
            "take off the flat tire",
            "put on the spare tire",
            "lower the car to the ground",
        ),
        ("jack up the car", "pump up the tire", "put on the spare tire", "wash the car"),
        ("unscrew the screws", "unscrew the screws", "tighten the screws", "tighten the screws"),
        (
            "jack car the jack jack up",
            "remove wheel the screw the the",
            "tire tire put on on",
            "car the the lower jack",
        ),
    ),
    Sequence(
        "weather",
        "Watch The Weather",
        "Leisure and Performance",
        ("clouds cover the sky", "it begins to rain", "the rain stops and a rainbow appears"),
        ("clouds cover the sun", "it begins to rain", "the rain stops and a rainbow appears"),
        ("clouds cover the sun", "it begins to snow", "the rain stops and a rainbow appears"),
        ("pour the water into the pot", "stir the water", "pour the water into the pot"),
        ("cloud cloud sky the the cover", "rain it begin the rain rain", "rainbow the sky a a stop"),
    ),
    Sequence(
        "raise_flag",
        "Raise Flag",
        "Leisure and Performance",
        ("raise the flag", "raise the flag", "raise the flag to the top"),
        ("raise the flag", "raise the flag higher", "raise the flag to the top"),
        ("raise the flag", "take down the flag", "raise the flag to the top"),
        ("salute the flag", "salute the flag", "salute the flag"),
        ("flag flag raise the", "the flag the up up", "raise top the flag top to"),
    ),
    Sequence(
        "build_snowman",
        "Build Snowman",
        "Leisure and Performance",
        (
            "put a second ball on the first",
            "put the head on top",
            "add a face, a hat, a scarf and arms",
        ),
        ("put a smaller ball on top", "put the head on top", "add a face, a hat, a scarf and arms"),
        ("put a smaller ball on top", "throw a snowball", "put a pot on the head"),
        (
            "roll the dough into a ball",
            "roll the dough into a ball",
            "put the dough in the oven",
            "decorate the cake",
        ),
        (
            "snow ball ball put the on",
            "the head a snow the roll roll",
            "hat hat scarf put face the a a",
        ),
    ),
    Sequence(
        "ski_jumps",
        "Practise Skiing Aerials",
        "Sport",
        ("jump up", "land on the slope", "jump up again", "land on the slope"),
        ("the skier jumps up", "the skier lands", "the skier jumps up again", "the skier lands"),
        ("the skier jumps up", "the skier turns around", "the skier lands", "the skier falls down"),
        ("run along the track", "run along the track", "jump into the sand pit", "throw the hammer"),
        (
            "ski jump the the up jump",
            "land land ski slope the",
            "jump jump the again up",
            "land the snow ski ski",
        ),
    ),
)

SYSTEMS = ("atlas", "brook", "cedar", "dune")
"""The names stand in the result files; raters never see them."""
