"""A table with a column for every Arrow type that can be written, and the extremes of each."""
import decimal
import functools
import random

import pyarrow as pa

from random_tables import BYTES, INDEXES, NUMBERS, SECONDS, TEXT, TIMES, value

DECIMALS = [pa.decimal32(9, 2), pa.decimal32(1, 0), pa.decimal64(18, 6), pa.decimal128(38, 10), pa.decimal128(20, 20),
            pa.decimal256(76, 20), pa.decimal256(39, 0)]
FLAT = ([pa.bool_(), *NUMBERS, *DECIMALS, *TIMES, *SECONDS, *TEXT, *BYTES, pa.binary(1), pa.binary(16), pa.null()])
DICTIONARIES = [pa.dictionary(index, pa.string()) for index in INDEXES] + [
    pa.dictionary(pa.int32(), t) for t in (pa.large_string(), pa.string_view(), pa.binary(), pa.binary_view(),
                                           pa.int64(), pa.float64(), pa.decimal128(20, 3), pa.timestamp("us", "UTC"),
                                           pa.date32(), pa.binary(4), pa.bool_())]
EXTENSIONS = [pa.uuid(), pa.json_(), pa.bool8(), pa.opaque(pa.binary(), "t", "v")]
STRUCT = pa.struct([("a", pa.int64()), ("b", pa.string()), ("c", pa.struct([("d", pa.list_(pa.int32()))]))])
NESTED = [
    pa.list_(pa.int64()), pa.large_list(pa.string()), pa.list_view(pa.float64()), pa.large_list_view(pa.binary()),
    pa.list_(pa.int16(), 3), pa.list_(pa.list_(pa.string())), STRUCT, pa.list_(STRUCT),
    pa.map_(pa.string(), pa.int64()), pa.map_(pa.int32(), pa.list_(pa.struct([("x", pa.decimal128(10, 2))]))),
    pa.struct([("m", pa.map_(pa.string(), pa.timestamp("us", "UTC"))), ("l", pa.list_(pa.date32(), 2))]),
    pa.list_(pa.list_(pa.list_(pa.bool_()))),
]


# What the delta encodings and byte-stream-split are for.
ENCODED = {
    "rising": (pa.int64(), lambda i, rng: i * 10**6 + rng.randrange(1000)),
    "paths": (pa.string(), lambda i, _: f"/a/long/prefix/that/comes/again/{i:08d}"),
    "words": (pa.string(), lambda i, rng: "w" * rng.randrange(8) + str(i)),
    "noise": (pa.float64(), lambda _, rng: rng.uniform(1, 2)),
}


def extremes(t):
    """The values at the borders of a flat type."""
    if pa.types.is_integer(t):
        bits, signed = t.bit_width, pa.types.is_signed_integer(t)
        return [0, -(1 << (bits - 1)), (1 << (bits - 1)) - 1, -1] if signed else [0, (1 << bits) - 1, 1 << (bits - 1)]
    if pa.types.is_floating(t):
        largest = {16: 65504.0, 32: 3.4028234663852886e38, 64: 1.7976931348623157e308}[t.bit_width]
        smallest = {16: 2.0**-24, 32: 2.0**-149, 64: 5e-324}[t.bit_width]
        return [0.0, -0.0, float("inf"), -float("inf"), largest, -largest, smallest, -smallest]
    if pa.types.is_decimal(t):
        with decimal.localcontext(decimal.Context(prec=100)):
            nines = decimal.Decimal("9" * t.precision).scaleb(-t.scale)
            return [nines, -nines, decimal.Decimal(1).scaleb(-t.scale), decimal.Decimal(0).scaleb(-t.scale)]
    if pa.types.is_timestamp(t) or pa.types.is_duration(t):
        # Of instants what microseconds still hold: Spark counts in them.
        coarser = {"s": 10**6, "ms": 10**3}.get(t.unit, 1) if pa.types.is_timestamp(t) else 1
        most = ((1 << 63) - 1) // coarser
        return [0, most, -most, -1]
    if pa.types.is_date(t):
        return [0, (1 << 31) - 1, -(1 << 31)]
    if t in TEXT:
        return ["", "\0", "\U0001f600" * 3, "x" * 70_000, "ä"]
    if t in BYTES:
        return [b"", b"\0", b"\xff" * 70_000, bytes(range(256))]
    return []


def some_value(rng, t):
    if t == pa.uuid() or (isinstance(t, pa.OpaqueType)):
        return None if rng.random() < 0.2 else bytes(rng.randrange(256) for _ in range(16))
    if t == pa.json_():
        return None if rng.random() < 0.2 else f'{{"a": {rng.randrange(100)}}}'
    if t == pa.bool8():
        return None if rng.random() < 0.2 else rng.randrange(2)
    if pa.types.is_timestamp(t) and t.unit == "s":
        return None if rng.random() < 0.2 else rng.randint(-(2**40), 2**40)
    return value(rng, t)


def some_values(rng, t, rows):
    """The extremes, then values at random, of which some come again and again."""
    inner = t.value_type if pa.types.is_dictionary(t) else t
    few = [some_value(rng, t) for _ in range(40)]
    later = [rng.choice(few) if rng.random() < 0.5 else some_value(rng, t) for _ in range(rows)]
    return (extremes(inner) + later)[:rows]


def array_of(t, values):
    if isinstance(t, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(t, pa.array(values, t.storage_type))
    if not pa.types.is_dictionary(t):
        return pa.array(values, t)
    distinct = {repr(v): v for v in values if v is not None}  # -0.0 is another than 0.0
    number = {text: i for i, text in enumerate(distinct)}
    index = pa.array([None if v is None else number[repr(v)] for v in values], t.index_type)
    return pa.DictionaryArray.from_arrays(index, pa.array(list(distinct.values()), t.value_type))


def at_most(values, distinct):
    """The values, those after the first `distinct` different ones as nulls: as many as the narrowest index takes."""
    seen = {}
    return [v if v is not None and seen.setdefault(repr(v), len(seen)) < distinct else None for v in values]


@functools.cache
def every_type(rows=1200, seed=1):
    """The table, and by column the values as row_text.py takes them."""
    rng = random.Random(seed)
    arrays, values = {"id": pa.array(range(rows), pa.int64())}, {"id": list(range(rows))}
    for i, t in enumerate(FLAT + DICTIONARIES + EXTENSIONS + NESTED):
        name = f"c{i}"
        values[name] = some_values(rng, t, rows)
        if pa.types.is_dictionary(t):
            values[name] = at_most(values[name], 100)
        arrays[name] = array_of(t, values[name])
    for name, (t, value_of) in ENCODED.items():
        values[name] = [value_of(i, rng) for i in range(rows)]
        arrays[name] = pa.array(values[name], t)
    return pa.table(arrays), values
