"""The pictures the dialogues are about: four tasks, three pictures each."""

from __future__ import annotations

from rubrica.studies.vtt.make.paint import Canvas, Colour, arc

WIDTH, HEIGHT = 320, 240


def _chair(canvas: Canvas, x: float, y: float, colour: Colour, faces_right: bool) -> None:
    back = x if faces_right else x + 30
    canvas.rect(back, y - 58, 6, 58, colour).rect(back, y - 58, 6, 26, "#ffffff", 0.2)
    canvas.rect(x, y - 4, 36, 7, colour)
    for leg in (x + 1, x + 31):
        canvas.rect(leg, y, 4, 34, colour)


def _table(canvas: Canvas, x: float, y: float, wide: float, colour: Colour) -> None:
    canvas.rect(x, y, wide, 9, colour)
    for leg in (x + 8, x + wide - 14):
        canvas.rect(leg, y + 9, 6, 54, colour)


def kitchen() -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT, "#f6ead2").rect(0, 176, WIDTH, 64, "#c9c2b4")
    canvas.rect(14, 30, 84, 60, "#7fa3b8").rect(20, 36, 34, 48, "#cfe6f0").rect(
        58, 36, 34, 48, "#cfe6f0"
    )
    canvas.rect(236, 40, 66, 136, "#dfe5e8").rect(236, 98, 66, 3, "#b4bec4").rect(
        244, 66, 5, 24, "#8a949b"
    )
    _table(canvas, 104, 138, 100, "#9b6437")
    _chair(canvas, 72, 164, "#6d4424", faces_right=True)
    _chair(canvas, 200, 164, "#6d4424", faces_right=False)
    canvas.ellipse(154, 134, 22, 9, "#4f86b5").circle(146, 126, 8, "#e08a2b").circle(
        160, 126, 8, "#6aa84f"
    )
    return canvas


def terrace() -> Canvas:
    canvas = (
        Canvas(WIDTH, HEIGHT)
        .fade(0, 0, WIDTH, 150, "#9fd3f4", "#eaf6fa")
        .rect(0, 146, WIDTH, 94, "#d9c3a2")
    )
    canvas.ellipse(50, 150, 90, 40, "#7fb069").ellipse(280, 150, 80, 34, "#6fa35c").rect(
        0, 148, WIDTH, 92, "#d9c3a2"
    )
    canvas.rect(157, 48, 6, 110, "#8a949b").polygon([(90, 60), (230, 60), (160, 22)], "#d8443a")
    canvas.polygon([(125, 60), (160, 60), (160, 22)], "#f3e9dc").polygon(
        [(195, 60), (230, 60), (160, 22)], "#f3e9dc"
    )
    _table(canvas, 112, 142, 96, "#f7f4ee")
    for x, y, right in (
        (64, 168, True),
        (222, 168, False),
        (26, 190, True),
        (262, 190, False),
        (142, 198, True),
    ):
        _chair(canvas, x, y, "#2f7d74", faces_right=right)
    return canvas


def study() -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT, "#dfe3ee").rect(0, 184, WIDTH, 56, "#a5825f")
    canvas.rect(20, 34, 92, 100, "#8a5c36")
    for shelf in range(3):
        canvas.rect(26, 40 + shelf * 32, 80, 26, "#5d3c21")
        for book in range(9):
            colour = ("#c0392b", "#2c7fb8", "#e0a526", "#4d8b57")[(book + shelf) % 4]
            canvas.rect(28 + book * 8.6, 44 + shelf * 32 + book % 3 * 3, 7, 22 - book % 3 * 3, colour)
    _table(canvas, 164, 132, 132, "#7d5530")
    canvas.rect(214, 92, 62, 38, "#2d333b").rect(218, 96, 54, 30, "#7fb6e6").rect(
        240, 128, 10, 6, "#2d333b"
    )
    _chair(canvas, 144, 164, "#39424c", faces_right=True)
    return canvas


def _balloon(canvas: Canvas, x: float, y: float, scale: float, colours: tuple[Colour, Colour]) -> None:
    radius = 34 * scale
    canvas.polygon(
        [
            (x - radius * 0.8, y + radius * 0.6),
            (x + radius * 0.8, y + radius * 0.6),
            (x, y + radius * 1.75),
        ],
        colours[0],
    )
    canvas.circle(x, y, radius, colours[0]).ellipse(x, y, radius * 0.55, radius, colours[1])
    canvas.ellipse(x, y, radius * 0.2, radius, colours[0])
    canvas.rect(x - 8 * scale, y + radius * 1.75, 16 * scale, 13 * scale, "#7a4e26")


def balloon_lake() -> Canvas:
    canvas = (
        Canvas(WIDTH, HEIGHT)
        .fade(0, 0, WIDTH, 150, "#f7c99b", "#fdf0dc")
        .rect(0, 150, WIDTH, 90, "#5f9fc4")
    )
    canvas.polygon([(0, 150), (70, 96), (140, 150)], "#7b8f86").polygon(
        [(100, 150), (200, 110), (320, 150)], "#93a59a"
    )
    _balloon(canvas, 214, 128, 0.75, ("#d8443a", "#f4d35e"))
    for x, y in ((60, 184), (140, 204), (250, 216)):
        canvas.line([(x, y), (x + 34, y)], 2, "#a9d2e8")
    return canvas


def balloon_village() -> Canvas:
    canvas = (
        Canvas(WIDTH, HEIGHT)
        .fade(0, 0, WIDTH, 180, "#84c5ee", "#e5f4fa")
        .rect(0, 178, WIDTH, 62, "#86b866")
    )
    for x, colour in ((40, "#e8d3b0"), (104, "#d9b6a0"), (228, "#efe2c6")):
        canvas.rect(x, 148, 46, 42, colour).polygon(
            [(x - 6, 148), (x + 52, 148), (x + 23, 122)], "#a94f3a"
        )
    _balloon(canvas, 172, 76, 0.8, ("#4a7fc1", "#f7f4ee"))
    return canvas


def balloon_mountain() -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT).fade(0, 0, WIDTH, 200, "#6aa9de", "#e9f3f9")
    canvas.polygon([(0, 210), (110, 70), (220, 210)], "#7f8fa0").polygon(
        [(82, 106), (110, 70), (138, 106), (110, 118)], "#ffffff"
    )
    canvas.polygon([(140, 210), (240, 104), (320, 190), (320, 210)], "#96a5b4").rect(
        0, 204, WIDTH, 36, "#6f9a58"
    )
    _balloon(canvas, 246, 30, 0.85, ("#6aa84f", "#f6e27a"))
    return canvas


def _apple(canvas: Canvas, x: float, y: float, radius: float) -> None:
    canvas.circle(x, y, radius, "#cf2f2f").circle(x - radius / 3, y - radius / 3, radius / 4, "#f08a80")
    canvas.line([(x, y - radius), (x + 2, y - radius - 6)], 2.4, "#5c3a1e")


def crate() -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT, "#e8efe2").rect(0, 190, WIDTH, 50, "#b98f62")
    canvas.rect(58, 74, 204, 34, "#8a5f33")
    for row, many in enumerate((5, 4)):
        for place in range(many):
            _apple(canvas, 84 + place * 38 + row * 19, 82 + row * 30, 17)
    for slat in range(3):
        canvas.rect(50, 128 + slat * 26, 220, 21, "#c99a5f").rect(
            50, 128 + slat * 26, 220, 3, "#dcb47d"
        )
    canvas.rect(56, 108, 10, 98, "#9b6d3c").rect(254, 108, 10, 98, "#9b6d3c")
    return canvas


def bowl() -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT, "#f4e4e0").rect(0, 170, WIDTH, 70, "#8f6a4a")
    for x, y in ((122, 122), (198, 122), (160, 116), (146, 92)):
        _apple(canvas, x, y, 21)
    canvas.polygon(arc((160, 128), 80, 66, 0, 180, 40), "#3f7fb8").ellipse(160, 128, 80, 9, "#5c9bd1")
    return canvas.rect(132, 190, 56, 10, "#2f638f")


def apple_tree() -> Canvas:
    canvas = (
        Canvas(WIDTH, HEIGHT)
        .fade(0, 0, WIDTH, 190, "#a5d8f5", "#eef8fb")
        .rect(0, 186, WIDTH, 54, "#7dba5a")
    )
    canvas.polygon([(146, 214), (174, 214), (170, 120), (150, 120)], "#7c532c")
    for x, y, radius in ((160, 74, 54), (112, 96, 40), (208, 96, 40), (160, 112, 42)):
        canvas.circle(x, y, radius, "#4f9a45")
    for x, y in ((128, 62), (174, 48), (206, 88), (108, 104), (160, 96), (188, 122)):
        _apple(canvas, x, y, 9)
    return canvas


def _lighthouse(canvas: Canvas, x: float) -> None:
    canvas.polygon([(x - 15, 176), (x + 15, 176), (x + 9, 76), (x - 9, 76)], "#ffffff")
    for y in (96, 130, 162):
        canvas.rect(x - 14 + (176 - y) / 18, y, 28 - (176 - y) / 9, 14, "#d8443a")
    canvas.rect(x - 12, 70, 24, 6, "#39424c").rect(x - 8, 52, 16, 18, "#ffe89a").polygon(
        [(x - 11, 52), (x + 11, 52), (x, 40)], "#39424c"
    )
    canvas.ellipse(x, 182, 46, 14, "#7b7468")


def _boat(canvas: Canvas, x: float, y: float, sail: Colour) -> None:
    canvas.polygon([(x - 34, y), (x + 34, y), (x + 22, y + 18), (x - 24, y + 18)], "#7a4424").rect(
        x - 2, y - 62, 4, 62, "#5c3a1e"
    )
    canvas.polygon([(x + 4, y - 58), (x + 4, y - 8), (x + 34, y - 8)], sail).polygon(
        [(x - 4, y - 52), (x - 4, y - 8), (x - 26, y - 8)], "#f7f4ee"
    )


def _harbour(tower: float, boat: float, sky: tuple[Colour, Colour], sail: Colour) -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT).fade(0, 0, WIDTH, 150, *sky).rect(0, 148, WIDTH, 92, "#3f86ab")
    for x, y in ((30, 206), (120, 222), (214, 204), (276, 226)):
        canvas.line([(x, y), (x + 30, y)], 2, "#86bcd6")
    _lighthouse(canvas, tower)
    _boat(canvas, boat, 186, sail)
    return canvas


def harbour_morning() -> Canvas:
    return _harbour(232, 84, ("#f6d3b3", "#fdf3e3"), "#e0a030")


def harbour_noon() -> Canvas:
    return _harbour(84, 226, ("#7cc4f2", "#dff3fb"), "#4f9a6a")


def harbour_evening() -> Canvas:
    return _harbour(150, 252, ("#4b4a78", "#e59a7a"), "#c94f4f")


TASKS = {
    "ac_rooms_0": (kitchen, terrace, study),
    "ac_balloon_1": (balloon_lake, balloon_village, balloon_mountain),
    "ac_apples_2": (crate, bowl, apple_tree),
    "rc_harbour_3": (harbour_morning, harbour_noon, harbour_evening),
}
"""Three pictures for each task, in the order they are sent."""
