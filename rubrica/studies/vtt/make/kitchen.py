"""Kitchen scenes: each function draws one state of an everyday change."""

from __future__ import annotations

from rubrica.studies.vtt.make.paint import Canvas, Colour, arc, box, turned

WIDTH, HEIGHT = 360, 270


def worktop(colour: Colour = "#efe3d0") -> Canvas:
    """Looking down on a wooden worktop."""
    canvas = Canvas(WIDTH, HEIGHT, colour)
    for y in range(0, HEIGHT, 54):
        canvas.rect(0, y, WIDTH, 1.6, "#dccbb0")
    return canvas


def kitchen() -> Canvas:
    """Looking at a table against a tiled wall."""
    canvas = Canvas(WIDTH, HEIGHT, "#d9ebe6")
    for x in range(0, WIDTH, 45):
        canvas.rect(x, 0, 1.4, 190, "#c4dcd5")
    for y in range(10, 190, 45):
        canvas.rect(0, y, WIDTH, 1.4, "#c4dcd5")
    return canvas.rect(0, 190, WIDTH, 80, "#c98f5a").rect(0, 190, WIDTH, 7, "#dda873")


def steam(canvas: Canvas, x: float, y: float) -> None:
    for shift in (-16, 0, 16):
        wave = [(x + shift + (6 if step % 2 else -6), y - 13 * step) for step in range(4)]
        canvas.line(wave, 4, "#ffffff", 0.55)


def plate(canvas: Canvas, x: float, y: float, radius: float) -> None:
    canvas.circle(x + 3, y + 5, radius, "#6b5a44", 0.25).circle(x, y, radius, "#ffffff")
    canvas.ring(x, y, radius - 3, 2, "#9cc0dd").circle(x, y, radius * 0.66, "#f1f4f7")


def egg_shape(canvas: Canvas, x: float, y: float, scale: float, fried: bool) -> None:
    """A raw egg is half transparent; a fried one is white with a brown edge."""
    blobs = ((0, 0, 38), (-24, 10, 22), (22, 16, 22), (10, -22, 22), (-16, -18, 20))
    if fried:
        for dx, dy, r in blobs:
            canvas.circle(x + dx * scale, y + dy * scale, (r + 4) * scale, "#c98a3c")
    white, alpha = ("#fffdf5", 1.0) if fried else ("#f3f1dd", 0.35)
    for dx, dy, r in blobs:
        canvas.circle(x + dx * scale, y + dy * scale, r * scale, white, alpha)
    canvas.circle(x, y, 16 * scale, "#f7a928" if fried else "#f08a12")
    canvas.circle(x - 5 * scale, y - 5 * scale, 5 * scale, "#ffd27a")


def shell(canvas: Canvas, x: float, y: float, degrees: float) -> None:
    cup = [
        *arc((x, y), 15, 18, 0, 180, 20),
        (x - 9, y - 5),
        (x - 3, y + 3),
        (x + 3, y - 5),
        (x + 9, y + 3),
    ]
    canvas.polygon(turned(cup, (x, y), degrees), "#e6b88f")


def fry_egg(step: int) -> Canvas:
    canvas = worktop()
    canvas.round_rect(18, 18, 220, 234, 16, "#3a4047").ring(128, 128, 98, 4, "#575f68")
    canvas.line([(128, 128), (128, 262)], 18, "#23272c")
    canvas.circle(128, 128, 86, "#7d858d").circle(128, 128, 77, "#4b5158")
    plate(canvas, 296, 176, 54)
    if step in (1, 2, 3):
        canvas.ellipse(128, 130, 62, 56, "#e8c33f", 0.55).ellipse(112, 112, 18, 9, "#fff2a8", 0.6)
    if step == 1:
        canvas.round_rect(274, 22, 40, 78, 9, "#d9a928").rect(286, 8, 16, 18, "#6e7f32").rect(
            274, 52, 40, 26, "#f6e7b4"
        )
    if step == 2:
        egg_shape(canvas, 128, 128, 1.05, fried=False)
        shell(canvas, 282, 60, 20)
        shell(canvas, 316, 78, -35)
    if step == 3:
        egg_shape(canvas, 128, 128, 1.05, fried=True)
        steam(canvas, 128, 70)
    if step == 4:
        egg_shape(canvas, 296, 176, 0.72, fried=True)
    return canvas


def cup(canvas: Canvas, filled: Colour | None) -> None:
    canvas.ellipse(170, 224, 92, 15, "#8a5a33", 0.5).ellipse(170, 218, 86, 15, "#ffffff")
    canvas.ellipse(170, 216, 70, 10, "#dfe8ee").ring(236, 168, 26, 9, "#f7fafc")
    body = [(108, 130), (232, 130), (226, 180), *arc((170, 190), 50, 28, 0, 180, 20), (114, 180)]
    canvas.polygon(body, "#f7fafc").ellipse(170, 130, 62, 16, "#dfe8ee")
    if filled:
        canvas.ellipse(170, 133, 55, 12, filled)


def tea_bag(canvas: Canvas, x: float, y: float) -> None:
    canvas.polygon(
        [(x, y), (x + 11, y + 9), (x + 11, y + 36), (x - 11, y + 36), (x - 11, y + 9)], "#caa46a"
    )
    canvas.rect(x - 7, y + 22, 14, 11, "#8a5a2b")


def kettle(canvas: Canvas, x: float, y: float, degrees: float) -> None:
    centre = (x, y)
    body = [(x - 36, y + 40), (x + 36, y + 40), (x + 26, y - 26), (x - 26, y - 26)]
    spout = [(x - 32, y + 20), (x - 62, y - 14), (x - 52, y - 20), (x - 28, y - 2)]
    canvas.line(turned(arc(centre, 44, 46, -60, 50), centre, degrees), 9, "#38424b")
    for shape, colour in (
        (body, "#c23b3b"),
        (spout, "#a83131"),
        (box(x - 27, y - 34, 54, 9), "#8e2727"),
    ):
        canvas.polygon(turned(shape, centre, degrees), colour)
    canvas.polygon(turned(box(x - 22, y - 16, 9, 46), centre, degrees), "#e06a6a")


def make_tea(step: int) -> Canvas:
    canvas = kitchen()
    colours = {2: "#e9cf97", 3: "#9a4d16", 4: "#9a4d16"}
    if step == 2:
        kettle(canvas, 284, 66, -38)
    else:
        kettle(canvas, 304, 154, 0)
    cup(canvas, colours.get(step))
    if step == 2:
        canvas.line([(227, 84), (212, 96), (206, 132)], 6, "#8ec5e8", 0.85)
    if step == 0:
        tea_bag(canvas, 48, 190)
        canvas.line([(48, 190), (62, 178), (74, 196)], 1.6, "#777777").rect(68, 194, 14, 12, "#4f9d69")
    if step in (1, 2, 3):
        if step == 1:
            tea_bag(canvas, 152, 108)
        canvas.line([(152, 126), (140, 128), (132, 168)], 1.6, "#777777").rect(
            125, 166, 14, 12, "#4f9d69"
        )
    if step in (3, 4):
        steam(canvas, 170, 112)
    if step == 4:
        canvas.ellipse(50, 236, 36, 8, "#ffffff")
        tea_bag(canvas, 48, 198)
    return canvas


def dish(canvas: Canvas, x: float, y: float, dirty: bool) -> None:
    canvas.ellipse(x, y, 66, 58, "#fdfdfd").ellipse(x, y, 46, 40, "#eef2f5")
    if dirty:
        for dx, dy, r, colour in (
            (-14, -8, 15, "#b5522b"),
            (10, 6, 19, "#c8642f"),
            (18, -16, 8, "#6d8f3a"),
            (-22, 14, 7, "#7a3b1d"),
        ):
            canvas.circle(x + dx, y + dy, r, colour)
    else:
        canvas.line(arc((x, y), 54, 47, 200, 250), 4, "#cfe3f2")


def wash_dish(step: int) -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT, "#e7edf0")
    canvas.round_rect(16, 30, 216, 224, 22, "#aeb9c0").round_rect(28, 42, 192, 200, 16, "#c9d3d9")
    canvas.ellipse(124, 226, 12, 6, "#8f9ba3")
    canvas.round_rect(250, 60, 96, 180, 10, "#8a97a0")
    for y in range(76, 236, 22):
        canvas.rect(256, y, 84, 6, "#cdd6db")
    if step < 3:
        dish(canvas, 124, 150, dirty=step == 0)
    if step == 1:
        for index in range(26):
            canvas.circle(
                70 + index * 41 % 112, 106 + index * 29 % 92, 9 + index % 4 * 3, "#ffffff", 0.85
            )
            canvas.circle(68 + index * 41 % 112, 103 + index * 29 % 92, 3, "#bfe3f5")
        canvas.round_rect(120, 116, 62, 40, 8, "#f4cf3a").round_rect(120, 146, 62, 12, 5, "#4c9a57")
    if step == 2:
        canvas.polygon([(112, 46), (136, 46), (142, 140), (106, 140)], "#8fd0f0", 0.75)
        canvas.ellipse(124, 142, 34, 16, "#bfe6f8", 0.85)
        for x, y in ((70, 130), (182, 136), (84, 196), (170, 194)):
            canvas.circle(x, y, 4, "#8fd0f0")
    canvas.round_rect(108, 8, 32, 46, 10, "#77858e").round_rect(112, 40, 24, 12, 5, "#5d6a72")
    if step == 3:
        canvas.ellipse(298, 146, 24, 62, "#ffffff").ellipse(294, 146, 15, 46, "#e4ebf0")
    return canvas


LAYERS: tuple[tuple[Colour, int], ...] = (
    ("#e0ab63", 26),
    ("#6fae3e", 12),
    ("#f6c93f", 9),
    ("#d8452f", 13),
    ("#f0a3a0", 9),
    ("#d9a05a", 30),
)


def _layer(canvas: Canvas, index: int, x: float, y: float, w: float) -> None:
    colour, high = LAYERS[index]
    if index == 1:
        leaf = [(x - 8 + (w + 16) * part / 14, y + (3 if part % 2 else 12)) for part in range(15)]
        canvas.polygon([*leaf, (x + w + 8, y), (x - 8, y)], colour)
    elif index == 2:
        canvas.rect(x - 3, y, w + 6, high, colour).polygon(
            [(x + 30, y + high), (x + 66, y + high), (x + 48, y + 20)], colour
        )
    elif index == 3:
        for part in range(3):
            canvas.round_rect(x + 2 + part * w / 3, y, w / 3 - 5, high, 5, colour)
            canvas.round_rect(x + 6 + part * w / 3, y + 4, w / 3 - 14, 4, 2, "#f0836e")
    elif index == 5:
        canvas.polygon([*arc((x + w / 2, y + high), w / 2, high, 180, 360, 30)], colour)
        canvas.line(arc((x + w / 2, y + high), w / 2 - 16, high - 9, 205, 300), 4, "#ecc58d")
    else:
        canvas.round_rect(x, y, w, high, 8, colour)
        if index == 0:
            canvas.round_rect(x, y, w, 8, 4, "#f6dfb3")


def _stack(canvas: Canvas, layers: int, x: float, w: float) -> None:
    y = 206.0
    for index in range(layers):
        y -= LAYERS[index][1]
        _layer(canvas, index, x, y, w)


def make_sandwich(step: int) -> Canvas:
    canvas = kitchen()
    canvas.round_rect(40, 204, 280, 22, 8, "#a8703f").round_rect(40, 204, 280, 8, 4, "#bf8551")
    if step < 6:
        _stack(canvas, step + 1, 104, 152)
    else:
        _stack(canvas, 6, 66, 94)
        _stack(canvas, 6, 204, 94)
        canvas.polygon([(178, 70), (188, 70), (186, 150), (178, 160)], "#d3dbe0").round_rect(
            175, 26, 16, 48, 6, "#333a40"
        )
    return canvas


def cut_apple(step: int) -> Canvas:
    canvas = worktop("#e3efe0")
    canvas.round_rect(30, 60, 216, 172, 14, "#c79a66").round_rect(38, 68, 200, 156, 10, "#d8b07e")
    canvas.circle(303, 176, 46, "#4f86b5").circle(303, 176, 39, "#7fb2dc")
    if step == 0:
        _apple(canvas, 132, 150)
    if step == 1:
        _half(canvas, 96, 148)
        _half(canvas, 176, 148)
    if step == 2:
        for index in range(4):
            _slice(canvas, 66 + 46 * index, 118, 70)
            _slice(canvas, 66 + 46 * index, 180, 70)
    if step == 3:
        for x, y, turn in (
            (286, 160, 30),
            (312, 156, -30),
            (284, 186, 80),
            (316, 188, 120),
            (300, 174, 0),
        ):
            _slice(canvas, x, y, turn)
    if step in (0, 1, 2):
        canvas.polygon([(60, 20), (190, 14), (190, 34), (78, 38)], "#cfd8de").round_rect(
            188, 12, 70, 18, 7, "#2f3a44"
        )
    return canvas


def _apple(canvas: Canvas, x: float, y: float) -> None:
    canvas.ellipse(x + 4, y + 8, 52, 48, "#7d5a34", 0.3).circle(x - 18, y, 38, "#cf2f2f").circle(
        x + 18, y, 38, "#cf2f2f"
    )
    canvas.circle(x - 24, y - 12, 11, "#ee7a6c").line([(x, y - 26), (x + 5, y - 50)], 5, "#6b4523")
    canvas.polygon([(x + 5, y - 44), (x + 26, y - 58), (x + 38, y - 46), (x + 22, y - 38)], "#6aa84f")


def _half(canvas: Canvas, x: float, y: float) -> None:
    canvas.ellipse(x, y, 36, 42, "#cf2f2f").ellipse(x, y, 31, 37, "#fbf3d6")
    for side in (-7, 7):
        canvas.ellipse(x + side, y + 2, 3.5, 7, "#5c3a1e")


def _slice(canvas: Canvas, x: float, y: float, degrees: float) -> None:
    skin = arc((x, y), 26, 17, 0, 180, 20)
    flesh = arc((x, y), 21, 12, 0, 180, 20)
    canvas.polygon(turned(skin, (x, y), degrees), "#cf2f2f").polygon(
        turned(flesh, (x, y), degrees), "#fbf3d6"
    )
