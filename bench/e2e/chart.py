"""A bar chart of CPU and wall seconds by writer, as SVG."""
from html import escape

BAR, GAP, LEFT, WIDTH = 14, 10, 150, 360
COLOURS = {"cpu_s": "#4477aa", "wall_s": "#ccbb44"}
OURS = "#222222"


def text(x, y, words, size=11, anchor="start", weight="normal"):
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
            f'fill="{OURS}">{escape(words)}</text>')


def panel(title, writers, x, y, scale):
    """The bars of one input and codec, and the height that they take."""
    parts, top = [text(x, y + 12, title, 13, weight="bold")], y + 24
    for name, cost in writers.items():
        weight = "bold" if name.startswith("tailrace") else "normal"
        parts.append(text(x + LEFT - 8, top + BAR + 4, name, anchor="end", weight=weight))
        for row, key in enumerate(COLOURS):
            length = cost[key] * scale
            parts.append(f'<rect x="{x + LEFT}" y="{top + row * BAR}" width="{length:.1f}" height="{BAR - 1}" '
                         f'fill="{COLOURS[key]}"/>')
            parts.append(text(x + LEFT + length + 4, top + row * BAR + 11, f"{cost[key]:.2f}", 10))
        size = f"{cost['bytes'] / 1e6:.0f} MB, {cost['rss_mib']:.0f} MiB RSS"
        parts.append(text(x + LEFT + WIDTH + 40, top + BAR + 4, size, 10))
        top += 2 * BAR + GAP
    return parts, top - y


def draw(results, path):
    """`results` maps "input, codec" to {writer: {cpu_s, wall_s, rss_mib, bytes}}; panels stand below each other."""
    parts, y = [], 40
    for key, (name, colour) in enumerate(zip(("CPU seconds", "wall seconds"), COLOURS.values())):
        parts.append(f'<rect x="{20 + 130 * key}" y="12" width="14" height="14" fill="{colour}"/>')
        parts.append(text(40 + 130 * key, 24, name, 12))
    for title, writers in results.items():
        longest = max(max(cost[key] for key in COLOURS) for cost in writers.values())
        drawn, height = panel(title, writers, 20, y, WIDTH / longest)
        parts += drawn
        y += height + 16
    width = LEFT + WIDTH + 200
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}" '
                    f'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>\n'
                    + "\n".join(parts) + "\n</svg>\n")
