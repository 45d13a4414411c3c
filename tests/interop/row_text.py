"""Values as JSON, alike in every language: what a program over another library prints of a row, and what it should.

Numbers are JSON numbers (times and durations in the unit of their type, dates in days); structs, lists and maps (lists
of pairs) are JSON lists. What JSON has not is text behind a letter: "f:" the bits of a float, "d:" a decimal with all
digits of its scale, "t:" and "x:" text and bytes in hexadecimal digits. Half floats are bytes.
"""
import datetime
import struct

import pyarrow as pa

EPOCH = datetime.date(1970, 1, 1)


def is_text(t):
    return pa.types.is_string(t) or pa.types.is_large_string(t) or pa.types.is_string_view(t)


def is_list(t):
    return any(is_kind(t) for is_kind in (pa.types.is_list, pa.types.is_large_list, pa.types.is_list_view,
                                          pa.types.is_large_list_view, pa.types.is_fixed_size_list))


def floating(t, value):
    if t == pa.float16():
        return "x:" + struct.pack("<e", value).hex()
    return "f:" + struct.pack(">f" if t == pa.float32() else ">d", value).hex()


def row_text(t, value):
    """What stands for a value, given as Python's, of an Arrow type."""
    if value is None:
        return None
    if isinstance(t, pa.BaseExtensionType):
        return row_text(t.storage_type, value)
    if pa.types.is_dictionary(t):
        return row_text(t.value_type, value)
    if pa.types.is_struct(t):
        return [row_text(f.type, value[f.name]) for f in t]
    if pa.types.is_map(t):
        return [[row_text(t.key_type, k), row_text(t.item_type, v)] for k, v in value]
    if is_list(t):
        return [row_text(t.value_type, v) for v in value]
    if pa.types.is_floating(t):
        return floating(t, value)
    if pa.types.is_decimal(t):
        return f"d:{abs(value) if value == 0 else value:.{t.scale}f}"
    if is_text(t):
        return "t:" + value.encode().hex()
    if isinstance(value, bytes):
        return "x:" + value.hex()
    if isinstance(value, datetime.date):
        return (value - EPOCH).days
    in_seconds = t in (pa.time32("s"),) or (pa.types.is_timestamp(t) and t.unit == "s")
    return value * 1000 if in_seconds else value
