"""Scenes around the house: each function draws one state of an everyday change."""

from __future__ import annotations

from rubrica.studies.vtt.make.paint import Canvas, arc

WIDTH, HEIGHT = 360, 270


def build_shelf(step: int) -> Canvas:
    canvas = (
        Canvas(WIDTH, HEIGHT, "#f2e6d8")
        .rect(0, 232, WIDTH, 38, "#b9875a")
        .rect(0, 226, WIDTH, 7, "#ffffff")
    )
    canvas.round_rect(24, 160, 150, 72, 18, "#5f86a8").round_rect(36, 188, 126, 44, 10, "#769dbd")
    if step == 1:
        for x in (140, 290):
            canvas.line([(x - 9, 96), (x + 9, 96)], 2.4, "#555555").line(
                [(x, 87), (x, 105)], 2.4, "#555555"
            )
        canvas.line([(226, 122), (262, 112)], 7, "#f0b428").polygon(
            [(220, 124), (228, 118), (228, 126)], "#333333"
        )
    if step >= 2:
        for x in (140, 290):
            canvas.rect(x - 4, 92, 8, 40, "#4a5056").line([(x, 96), (x + 26, 96)], 6, "#4a5056")
            canvas.line([(x, 126), (x + 22, 99)], 4, "#4a5056")
    if step >= 3:
        canvas.rect(112, 82, 218, 13, "#a56a3a").rect(112, 82, 218, 4, "#c58a57")
    if step == 2:
        canvas.polygon([(196, 226), (206, 226), (346, 196), (346, 186)], "#a56a3a")
    if step == 4:
        _shelf_things(canvas)
    return canvas


def _shelf_things(canvas: Canvas) -> None:
    books = (
        ("#c0392b", 12, 52),
        ("#2c7fb8", 15, 46),
        ("#e0a526", 11, 56),
        ("#4d8b57", 14, 49),
        ("#7b4fa0", 12, 43),
    )
    x = 124.0
    for colour, wide, high in books:
        canvas.rect(x, 82 - high, wide, high, colour).rect(x + 3, 82 - high + 7, wide - 6, 3, "#f5ecd8")
        x += wide + 1
    canvas.polygon([(272, 54), (312, 54), (306, 82), (278, 82)], "#d2743f")
    for lean in (-26, -10, 8, 24):
        canvas.line([(292, 54), (292 + lean / 2, 34), (292 + lean, 16)], 6, "#4f9a53")


def replace_bulb(step: int) -> Canvas:
    lit = step == 3
    canvas = Canvas(WIDTH, HEIGHT, "#fff3cf" if lit else "#8b93a8")
    if lit:
        for radius in (150, 120, 90):
            canvas.circle(180, 140, radius, "#fff8a8", 0.5)
    canvas.rect(0, 222, WIDTH, 48, "#a9754a" if lit else "#6d5344").rect(
        0, 222, WIDTH, 6, "#c98f5f" if lit else "#836655"
    )
    canvas.rect(177, 0, 6, 44, "#2c2f36").polygon(
        [(150, 74), (210, 74), (196, 42), (164, 42)], "#2f6f6a"
    )
    canvas.rect(168, 74, 24, 16, "#c8a24a")
    if step == 0:
        _bulb(canvas, 180, 128, "#5e6068", "#2b2b2b", up=True)
    if step >= 1:
        _bulb(canvas, 70, 188, "#5e6068", "#2b2b2b", up=False)
    if step == 1:
        _bulb(canvas, 296, 188, "#eef6fb", "#d98c1f", up=False)
    if step >= 2:
        _bulb(canvas, 180, 128, "#ffe95c" if lit else "#eef6fb", "#d98c1f", up=True)
    return canvas


def _bulb(canvas: Canvas, x: float, y: float, glass: str, wire: str, up: bool) -> None:
    """A bulb with its cap towards the lamp (up) or standing on its glass."""
    cap = y - 40 if up else y - 42
    canvas.rect(x - 10, cap, 20, 20, "#c0c6cc")
    for ridge in range(3):
        canvas.rect(x - 10, cap + 3 + ridge * 6, 20, 2, "#8d959c")
    canvas.polygon([(x - 10, cap + 18), (x + 10, cap + 18), (x + 22, y), (x - 22, y)], glass).circle(
        x, y + 6, 26, glass
    )
    canvas.line([(x - 7, y - 12), (x - 7, y + 4), (x, y - 2), (x + 7, y + 4), (x + 7, y - 12)], 2, wire)
    canvas.circle(x - 9, y + 2, 4, "#ffffff", 0.6)


def wrap_gift(step: int) -> Canvas:
    canvas = (
        Canvas(WIDTH, HEIGHT, "#f7e9ee")
        .rect(0, 196, WIDTH, 74, "#d9b48f")
        .rect(0, 196, WIDTH, 6, "#e8caa9")
    )
    wrapped = step >= 3
    face, side, top = (
        ("#3f8f7b", "#2f7464", "#56a994") if wrapped else ("#c99a63", "#ad8150", "#dcb684")
    )
    if step == 0:
        _ball(canvas, 316, 188)
    canvas.polygon([(238, 120), (272, 96), (272, 204), (238, 232)], side)
    if step < 2:
        canvas.polygon([(98, 120), (132, 96), (272, 96), (238, 120)], "#7d5a36")
        if step == 1:
            _ball(canvas, 186, 100)
        canvas.polygon([(98, 120), (66, 140), (60, 126), (92, 108)], top)
        canvas.polygon([(238, 120), (272, 96), (300, 88), (268, 112)], top)
    else:
        canvas.polygon([(98, 120), (132, 96), (272, 96), (238, 120)], top)
    canvas.rect(98, 120, 140, 112, face)
    if step == 2:
        canvas.rect(160, 120, 16, 112, "#e9d7ba").polygon(
            [(160, 120), (194, 96), (210, 96), (176, 120)], "#efe0c8"
        )
    if wrapped:
        for dx in range(16, 140, 27):
            for dy in range(16, 108, 25):
                canvas.circle(98 + dx, 120 + dy, 4, "#f2d16b")
    if step == 4:
        _ribbon(canvas)
    return canvas


def _ball(canvas: Canvas, x: float, y: float) -> None:
    canvas.circle(x, y, 34, "#e2504a").line(arc((x, y), 34, 12, 0, 180), 8, "#ffffff")
    canvas.circle(x - 12, y - 14, 7, "#f5938c")


def _ribbon(canvas: Canvas) -> None:
    canvas.rect(158, 120, 20, 112, "#d43d51").polygon(
        [(158, 120), (192, 96), (212, 96), (178, 120)], "#e25668"
    )
    canvas.rect(98, 166, 140, 18, "#d43d51").polygon(
        [(238, 166), (272, 141), (272, 158), (238, 184)], "#b32f42"
    )
    for side in (-1, 1):
        canvas.ellipse(185 + side * 25, 88, 24, 15, "#d43d51").ellipse(
            185 + side * 26, 88, 12, 6, "#8f2233"
        )
    canvas.circle(185, 92, 11, "#e25668")
