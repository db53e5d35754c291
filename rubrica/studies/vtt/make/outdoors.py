"""Outdoor scenes: each function draws one state of an everyday change."""

from __future__ import annotations

from rubrica.studies.vtt.make.paint import Canvas, Colour, Point, arc, box, turned

WIDTH, HEIGHT = 360, 270


def meadow(above: Colour = "#8fcdf5", below: Colour = "#e4f5fb") -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT).fade(0, 0, WIDTH, 180, above, below)
    return canvas.rect(0, 176, WIDTH, 94, "#7dba5a")


def cloud(canvas: Canvas, x: float, y: float, scale: float, colour: Colour) -> None:
    for dx, dy, r in ((-34, 6, 20), (-10, -8, 27), (20, -2, 24), (42, 8, 17)):
        canvas.circle(x + dx * scale, y + dy * scale, r * scale, colour)
    canvas.round_rect(x - 52 * scale, y + 4 * scale, 108 * scale, 22 * scale, 11 * scale, colour)


def plant_tree(step: int) -> Canvas:
    canvas = meadow()
    cloud(canvas, 80, 46, 0.7, "#ffffff")
    canvas.rect(0, 196, WIDTH, 74, "#8d6239").rect(0, 190, WIDTH, 9, "#6aa84a")
    if step in (1, 2):
        canvas.polygon([(138, 189), (222, 189), (208, 244), (152, 244)], "#4f3419")
        canvas.polygon([*arc((86, 192), 46, 30, 180, 360, 20)], "#7a5230")
    if step == 0:
        _sapling(canvas, 292, 168, pot=True)
    if step == 1:
        _sapling(canvas, 300, 168, pot=True)
    if step == 2:
        _sapling(canvas, 180, 206, pot=False)
        canvas.polygon([(286, 154), (324, 154), (318, 190), (292, 190)], "#c4633a")
    if step >= 3:
        _sapling(canvas, 180, 190, pot=False)
        canvas.rect(140, 196, 80, 30, "#8d6239")
        canvas.polygon(arc((180, 202), 62, 17, 180, 360, 20), "#5b3d1f" if step == 4 else "#7a5230")
    if step < 4:
        canvas.line([(38, 92), (38, 168)], 6, "#b98549").polygon(
            [(24, 166), (52, 166), (50, 190), (38, 202), (26, 190)], "#7b858d"
        )
    if step == 4:
        _watering_can(canvas)
    return canvas


def _sapling(canvas: Canvas, x: float, y: float, pot: bool) -> None:
    """A young tree standing on (x, y): in its pot, or with its root ball below."""
    if pot:
        canvas.polygon(
            [(x - 19, y - 14), (x + 19, y - 14), (x + 13, y + 22), (x - 13, y + 22)], "#c4633a"
        )
    else:
        canvas.ellipse(x, y + 8, 24, 20, "#6b4422")
    canvas.line([(x, y), (x, y - 76)], 7, "#7c532c")
    for dx, dy, r in ((0, -104, 30), (-24, -84, 24), (24, -84, 24), (0, -76, 22)):
        canvas.circle(x + dx, y + dy, r, "#4f9a45")
    for dx, dy in ((-12, -108), (16, -92), (-20, -82)):
        canvas.circle(x + dx, y + dy, 6, "#79bd62")


def _watering_can(canvas: Canvas) -> None:
    tilted = turned([(286, 92), (336, 92), (332, 142), (290, 142)], (311, 117), -24)
    spout = turned([(288, 132), (244, 106), (250, 98), (292, 116)], (311, 117), -24)
    canvas.line(turned(arc((336, 114), 20, 24, -90, 90), (311, 117), -24), 6, "#2b5f8f")
    canvas.polygon(spout, "#2b5f8f").polygon(tilted, "#3f7fb8")
    for index in range(12):
        canvas.ellipse(236 - index % 4 * 11, 138 + index // 4 * 17 + index % 2 * 7, 2.6, 5.5, "#3f9ede")


def park_car(step: int) -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT, "#6d737a")
    canvas.rect(0, 0, WIDTH, 40, "#a9c98a").rect(0, 40, WIDTH, 14, "#cfd3d6")
    for x in range(10, WIDTH, 62):
        canvas.rect(x, 214, 34, 6, "#f4f1de")
    _car_above(canvas, (52, 88), 0, "#3d6fb4")
    _car_above(canvas, (312, 88), 0, "#4f9a6a")
    place, turn = (((296, 166), 0.0), ((252, 142), 30.0), ((204, 108), 22.0), ((182, 88), 0.0))[step]
    _car_above(canvas, place, turn, "#d8443a")
    if step in (1, 2):
        for side in (-16, 16):
            light = turned([(place[0] - 50, place[1] + side)], place, turn)[0]
            canvas.circle(light[0], light[1], 6, "#fff6c9")
    return canvas


def _car_above(canvas: Canvas, centre: Point, degrees: float, colour: Colour) -> None:
    """A car seen from above, its front to the right before it is turned."""
    x, y = centre
    for dx in (-32, 30):
        for dy in (-27, 27):
            canvas.polygon(turned(box(x + dx - 9, y + dy - 4, 18, 8), centre, degrees), "#22262a")
    hull = [*arc((x + 34, y), 18, 25, -90, 90, 12), *arc((x - 40, y), 12, 25, 90, 270, 12)]
    canvas.polygon(turned(hull, centre, degrees), colour)
    front = [(x + 12, y - 19), (x + 26, y - 22), (x + 26, y + 22), (x + 12, y + 19)]
    back = [(x - 28, y - 19), (x - 38, y - 20), (x - 38, y + 20), (x - 28, y + 19)]
    for glass in (front, back):
        canvas.polygon(turned(glass, centre, degrees), "#20303c")
    canvas.polygon(turned(box(x - 24, y - 18, 32, 36), centre, degrees), "#ffffff", 0.18)


def change_tyre(step: int) -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT).fade(0, 0, WIDTH, 190, "#bcdff2", "#eef7f4")
    canvas.rect(0, 176, WIDTH, 22, "#8fb573").rect(0, 196, WIDTH, 74, "#777d82")
    raised = 0 < step < 4
    lift = -5.0 if raised else 0.0
    _car_beside(canvas, lift)
    if step != 2:
        _wheel(canvas, 112, 196 - (10 if raised else 0), flat=step <= 1)
    if raised:
        canvas.polygon([(138, 226), (182, 226), (164, 190), (156, 190)], "#c0392b").rect(
            146, 184, 28, 7, "#5d6468"
        )
    if step == 2:
        _wheel(canvas, 44, 228, flat=True)
    if step >= 3:
        _wheel(canvas, 40, 232, flat=True)
    if step <= 2:
        _wheel(canvas, 332, 230, flat=False)
    if step == 4:
        canvas.round_rect(176, 244, 44, 12, 3, "#c0392b").line([(220, 250), (246, 250)], 4, "#5d6468")
    return canvas


def _car_beside(canvas: Canvas, lift: float) -> None:
    centre = (262, 190)
    hull = [
        (62, 190),
        (66, 152),
        (112, 144),
        (148, 104),
        (238, 104),
        (278, 144),
        (318, 152),
        (322, 190),
    ]
    canvas.polygon(turned(hull, centre, -lift), "#e0a030")
    window = [(126, 142), (154, 112), (190, 112), (190, 142)]
    other = [(198, 142), (198, 112), (234, 112), (260, 142)]
    for glass in (window, other):
        canvas.polygon(turned(glass, centre, -lift), "#a9cfe0")
    canvas.polygon(turned(box(62, 180, 260, 10), centre, -lift), "#b57d1d")
    canvas.polygon(turned(box(64, 158, 14, 10), centre, -lift), "#fff3b0")
    hole = turned([(112, 192)], centre, -lift)[0]
    canvas.polygon(arc(hole, 34, 34, 180, 360, 24), "#3a3f44")
    canvas.polygon(arc((270, 192), 34, 34, 180, 360, 24), "#3a3f44")
    canvas.circle(hole[0], hole[1] - 4, 8, "#8d959b")
    _wheel(canvas, 270, 196, flat=False)


def _wheel(canvas: Canvas, x: float, y: float, flat: bool) -> None:
    if flat:
        canvas.ellipse(x, y + 2, 27, 26, "#24282c").round_rect(x - 34, y + 17, 68, 12, 6, "#24282c")
    else:
        canvas.circle(x, y, 29, "#24282c")
    canvas.circle(x, y, 16, "#c3cbd1").circle(x, y, 5, "#6d757b")
    for spoke in range(5):
        tip = turned([(x, y - 11)], (x, y), spoke * 72)[0]
        canvas.circle(tip[0], tip[1], 2.6, "#6d757b")


def weather(step: int) -> Canvas:
    skies = (
        ("#7cc4f2", "#dff3fb"),
        ("#a9bfcd", "#dde6ea"),
        ("#5c6b78", "#98a6af"),
        ("#8ccaf0", "#eaf6f8"),
    )
    canvas = meadow(*skies[step])
    if step == 0:
        _sun(canvas, 286, 58)
    if step == 3:
        _rainbow(canvas)
        _sun(canvas, 322, 40)
    _hills_and_house(canvas, dull=step == 2)
    if step == 0:
        cloud(canvas, 70, 60, 0.55, "#ffffff")
    if step == 1:
        for x, y, scale in ((70, 60, 1.0), (190, 48, 1.2), (300, 66, 1.0)):
            cloud(canvas, x, y, scale, "#c4cdd3")
    if step == 2:
        _storm(canvas)
    if step == 3:
        for x, y, wide in ((90, 246, 44), (232, 254, 56), (312, 232, 26)):
            canvas.ellipse(x, y, wide, 8, "#a6d8f0").ellipse(x - 8, y - 2, wide / 3, 2, "#ffffff", 0.7)
    return canvas


def _storm(canvas: Canvas) -> None:
    for x, y, scale in ((60, 52, 1.2), (180, 42, 1.4), (306, 54, 1.2)):
        cloud(canvas, x, y, scale, "#4d5963")
    for index in range(60):
        x, y = index * 47 % 372, 86 + index * 31 % 170
        canvas.line([(x, y), (x - 5, y + 15)], 2, "#b9dcf2")


def _sun(canvas: Canvas, x: float, y: float) -> None:
    for ray in range(12):
        ends = turned([(x, y - 36), (x, y - 48)], (x, y), ray * 30)
        canvas.line(ends, 5, "#ffce3a")
    canvas.circle(x, y, 29, "#ffce3a")


def _rainbow(canvas: Canvas) -> None:
    for index, colour in enumerate(("#e2504a", "#f09a37", "#f5dc4d", "#62b35c", "#4a90d9", "#8a5cc2")):
        outer = arc((170, 200), 168 - index * 9, 158 - index * 9, 180, 360, 60)
        inner = arc((170, 200), 159 - index * 9, 149 - index * 9, 360, 180, 60)
        canvas.polygon([*outer, *inner], colour, 0.75)


def _hills_and_house(canvas: Canvas, dull: bool) -> None:
    canvas.ellipse(70, 208, 150, 56, "#5b8a4a" if dull else "#6fb052").ellipse(
        300, 216, 160, 60, "#4f7d44" if dull else "#62a549"
    )
    canvas.rect(0, 208, WIDTH, 62, "#57824a" if dull else "#7dba5a")
    canvas.rect(146, 160, 62, 52, "#f3e3c8").polygon([(136, 162), (218, 162), (177, 124)], "#b5523b")
    canvas.rect(169, 182, 17, 30, "#7c532c").rect(152, 172, 12, 12, "#ffe08a" if dull else "#9cc7de")


def raise_flag(step: int) -> Canvas:
    if step == 2:
        return Canvas(WIDTH, HEIGHT, "#000000")
    canvas = meadow("#9ed3f7", "#f0f9fc")
    cloud(canvas, 280, 60, 0.8, "#ffffff")
    canvas.polygon([(150, 244), (210, 244), (198, 222), (162, 222)], "#b8bec3").rect(
        177, 20, 6, 204, "#8d969d"
    )
    canvas.circle(180, 18, 7, "#e7b93b").line([(186, 24), (186, 216)], 1.2, "#555555")
    y = (178, 112, 0, 26)[step]
    wave = [(186 + x, y + (4 if x // 16 % 2 else 0)) for x in range(0, 97, 16)]
    lower = [(x, top + 42) for x, top in reversed(wave)]
    canvas.polygon([*wave, *lower], "#2f8f83")
    canvas.polygon([(x, top + 15) for x, top in wave] + [(x, top - 15) for x, top in lower], "#f6d65c")
    return canvas


def build_snowman(step: int) -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT).fade(0, 0, WIDTH, 190, "#a8c8e6", "#eaf3fa")
    for x, high in ((40, 96), (86, 76), (318, 104)):
        for tier in range(3):
            wide = 14 + tier * 9
            top = 190 - high + tier * high / 3.4
            canvas.polygon(
                [(x, top), (x - wide, top + high / 2), (x + wide, top + high / 2)], "#3f7a5c"
            )
    canvas.ellipse(180, 246, 260, 66, "#ffffff")
    for index in range(24):
        canvas.circle(index * 61 % 360, 10 + index * 37 % 150, 2.4, "#ffffff")
    balls = ((180, 206, 46), (180, 140, 34), (180, 90, 24))
    for x, y, radius in balls[: step + 1]:
        canvas.circle(x, y, radius, "#c9dbe8").circle(x - 3, y - 3, radius - 3, "#f8fcff")
    if step == 3:
        _snowman_face(canvas)
    return canvas


def _snowman_face(canvas: Canvas) -> None:
    canvas.line([(150, 136), (112, 112), (102, 94)], 5, "#6b4523").line(
        [(210, 136), (250, 116), (256, 98)], 5, "#6b4523"
    )
    canvas.round_rect(154, 107, 52, 12, 6, "#c8373a").round_rect(190, 112, 13, 38, 5, "#c8373a")
    canvas.circle(171, 84, 3.6, "#23262a").circle(189, 84, 3.6, "#23262a").polygon(
        [(180, 89), (180, 97), (208, 96)], "#f08a24"
    )
    canvas.rect(152, 65, 56, 7, "#23262a").rect(162, 34, 36, 33, "#23262a").rect(
        162, 56, 36, 8, "#c8373a"
    )
    for y in (132, 148):
        canvas.circle(180, y, 4, "#23262a")


def ski_jumps(step: int) -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT).fade(0, 0, WIDTH, HEIGHT, "#7fb6e6", "#e6f2fb")
    canvas.polygon([(150, 150), (240, 60), (330, 150)], "#9fb4c6").polygon(
        [(218, 82), (240, 60), (262, 82), (240, 92)], "#ffffff"
    )
    slope: list[Point] = [
        (0, 96),
        (64, 128),
        (88, 118),
        (98, 142),
        (190, 190),
        (216, 178),
        (228, 204),
        (360, 250),
    ]
    canvas.polygon([*slope, (360, 270), (0, 270)], "#ffffff")
    canvas.line(slope, 3, "#b9cfe0")
    x, y, lean = ((34, 108, 26), (122, 92, -8), (160, 170, 26), (258, 148, -8), (318, 232, 18))[step]
    _skier(canvas, x, y, lean)
    return canvas


def _skier(canvas: Canvas, x: float, y: float, lean: float) -> None:
    centre = (x, y)

    def at(*points: Point) -> list[Point]:
        return turned([(x + dx, y + dy) for dx, dy in points], centre, lean)

    canvas.line(at((-26, 4), (26, 4), (32, 0)), 4, "#23262a")
    canvas.line(at((-2, 2), (6, -12), (-4, -22)), 8, "#2b4f8f").line(
        at((-4, -22), (4, -40)), 11, "#d8443a"
    )
    canvas.line(at((2, -36), (16, -28), (20, -12)), 5, "#d8443a").line(
        at((20, -16), (-8, 8)), 2, "#555555"
    )
    head = at((8, -50))[0]
    canvas.circle(head[0], head[1], 8, "#f1c7a0").polygon(arc(head, 9, 9, 180, 360, 16), "#f0b428")
