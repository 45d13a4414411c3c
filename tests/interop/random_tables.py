"""Random Arrow schemas and tables of every type, and what is expected to come back from a Parquet file of ours."""
import datetime
import decimal
import random
import string

import numpy as np
import pyarrow as pa

TEXT = [pa.string(), pa.large_string(), pa.string_view()]
BYTES = [pa.binary(), pa.large_binary(), pa.binary_view()]
NUMBERS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64(),
           pa.float16(), pa.float32(), pa.float64()]
ZONES = (None, "UTC", "Europe/Berlin", "+05:30")
TIMES = ([pa.date32(), pa.time32("ms"), pa.time64("us"), pa.time64("ns")]
         + [pa.duration(u) for u in ("s", "ms", "us", "ns")]
         + [pa.timestamp(u, tz) for u in ("ms", "us", "ns") for tz in ZONES])
# Come back in milliseconds, so that they stand in columns of their own.
SECONDS = [pa.time32("s")] + [pa.timestamp("s", tz) for tz in ZONES]
INDEXES = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]


def flat_type(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return pa.bool_()
    if kind <= 2:
        return rng.choice(NUMBERS)
    if kind == 3:
        return rng.choice(TIMES)
    if kind == 4:
        return rng.choice(TEXT)
    if kind == 5:
        return rng.choice(BYTES + [pa.binary(rng.randint(1, 20))])
    if kind == 6:
        make, digits = rng.choice([(pa.decimal32, 9), (pa.decimal64, 18), (pa.decimal128, 38), (pa.decimal256, 76)])
        precision = rng.randint(1, digits)
        return make(precision, rng.randint(0, precision))
    return pa.null()


def any_type(rng, depth):
    kind = rng.randrange(14) if depth > 0 else 0
    if kind < 6:
        return flat_type(rng)
    if kind < 8:
        return pa.dictionary(rng.choice(INDEXES), rng.choice(TEXT + BYTES) if rng.random() < 0.5 else flat_type(rng))
    inner = lambda: any_type(rng, depth - 1)  # noqa: E731
    if kind == 8:
        return pa.struct([field(rng, f"f{i}", depth - 1) for i in range(rng.randint(1, 3))])
    if kind == 9:
        return pa.map_(rng.choice([pa.string(), pa.int32()]), inner())
    if kind == 10:
        return pa.list_(inner(), rng.randint(1, 3))
    return rng.choice([pa.list_, pa.large_list, pa.list_view, pa.large_list_view])(inner())


def field(rng, name, depth):
    return pa.field(name, any_type(rng, depth), metadata={"k": "v"} if rng.random() < 0.2 else None)


def value(rng, t):
    """A value of the type as pyarrow takes it, None every fifth time."""
    if rng.random() < 0.2 or pa.types.is_null(t):
        return None
    if pa.types.is_dictionary(t):
        return value(rng, t.value_type)
    if pa.types.is_boolean(t):
        return rng.random() < 0.5
    if pa.types.is_integer(t):
        info = np.iinfo(t.to_pandas_dtype())
        return rng.choice([info.min, info.max, rng.randint(info.min, info.max), rng.randint(0, 5)])
    if pa.types.is_floating(t):
        return float(np.float16(rng.choice([0.0, -0.0, 1.5, float("inf"), rng.uniform(-100, 100)])))
    if pa.types.is_decimal(t):
        digits = "".join(rng.choice(string.digits) for _ in range(rng.randint(1, t.precision)))
        with decimal.localcontext(decimal.Context(prec=100)):
            return decimal.Decimal(rng.choice(["", "-"]) + digits).scaleb(-t.scale)
    if pa.types.is_date(t):
        return datetime.date(rng.randint(1, 9999), rng.randint(1, 12), rng.randint(1, 28))
    if pa.types.is_time(t):
        return rng.randrange({"s": 86400, "ms": 86400 * 10**3, "us": 86400 * 10**6, "ns": 86400 * 10**9}[t.unit])
    if pa.types.is_timestamp(t) or pa.types.is_duration(t):
        return rng.randint(-2**50, 2**50)
    if pa.types.is_fixed_size_binary(t):
        return bytes(rng.randrange(256) for _ in range(t.byte_width))
    if t in BYTES:
        return bytes(rng.randrange(256) for _ in range(rng.choice([0, 3, 12, 13, 40])))
    if t in TEXT:
        return "".join(rng.choice("abcäß€\U0001f600") for _ in range(rng.choice([0, 3, 12, 13, 40])))
    if pa.types.is_struct(t):
        return {f.name: value(rng, f.type) for f in t}
    if pa.types.is_map(t):
        keys = {rng.randrange(10) for _ in range(rng.randint(0, 3))}
        return [(str(k) if pa.types.is_string(t.key_type) else k, value(rng, t.item_type)) for k in sorted(keys)]
    if pa.types.is_fixed_size_list(t):
        return [value(rng, t.value_type) for _ in range(t.list_size)]
    return [value(rng, t.value_type) for _ in range(rng.randint(0, 4))]


def has_dictionary(t):
    return pa.types.is_dictionary(t) or any(has_dictionary(t.field(i).type) for i in range(t.num_fields))


def plain(t):
    """The type with dictionaries as their values: what pyarrow can build nested arrays of."""
    if pa.types.is_dictionary(t):
        return plain(t.value_type)
    return rebuild(t, plain)


def rebuild(t, change):
    """The nested type with `change` applied to its children's types."""
    below = lambda f: f.with_type(change(f.type))  # noqa: E731
    if pa.types.is_struct(t):
        return pa.struct([below(f) for f in t])
    if pa.types.is_map(t):
        return pa.map_(below(t.key_field), below(t.item_field))
    if pa.types.is_fixed_size_list(t):
        return pa.list_(below(t.value_field), t.list_size)
    for is_kind, make in ((pa.types.is_large_list_view, pa.large_list_view), (pa.types.is_list_view, pa.list_view),
                          (pa.types.is_large_list, pa.large_list), (pa.types.is_list, pa.list_)):
        if is_kind(t):
            return make(below(t.value_field))
    return t


def read_back(t):
    """The type as readers get it: seconds as milliseconds, dictionaries of other than text and bytes as values, and
    those of views, too; those of large text and bytes as small ones."""
    if pa.types.is_dictionary(t):
        small = {pa.large_string(): pa.string(), pa.large_binary(): pa.binary()}.get(t.value_type, t.value_type)
        return pa.dictionary(t.index_type, small) if small in (pa.string(), pa.binary()) else read_back(t.value_type)
    if pa.types.is_timestamp(t) and t.unit == "s":
        return pa.timestamp("ms", t.tz)
    return pa.time32("ms") if t == pa.time32("s") else rebuild(t, read_back)


def array(rng, t, rows):
    """An array of the type; one row in three alike, so that dictionaries have something to do."""
    values = [value(rng, t) for _ in range(max(1, rows // 3))]
    values = [rng.choice(values) for _ in range(rows)]
    if pa.types.is_dictionary(t):
        distinct = [None] + [v for i, v in enumerate(values) if v is not None and values.index(v) == i][:100]
        items = pa.array(distinct[1:], t.value_type)
        index = [None if v is None or v not in distinct else distinct.index(v) - 1 for v in values]
        return pa.DictionaryArray.from_arrays(pa.array(index, t.index_type), items), [
            None if i is None else distinct[i + 1] for i in index]
    return pa.array(values, t), values


def table(seed, columns=6, rows=40, depth=2):
    rng = random.Random(seed)
    fields, arrays, values = [], [], []
    for i in range(columns):
        name = rng.choice(["c", "with space", "dotted.name", "ü"]) + str(i)
        f = pa.field(name, rng.choice(SECONDS)) if rng.random() < 0.1 else field(rng, name, depth)
        if pa.types.is_nested(f.type) and has_dictionary(f.type):
            f = f.with_type(plain(f.type))  # pyarrow builds no dictionaries below others
        column, given = array(rng, f.type, rows)
        fields.append(f)
        arrays.append(column)
        values.append(given)
    return pa.table(arrays, schema=pa.schema(fields)), values
