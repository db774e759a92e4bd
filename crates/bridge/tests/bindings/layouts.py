import ctypes
import sys

sys.path.insert(0, sys.argv[1])
import layouts as lib

for name in (
    "packed packed_small bits bits_later bits_shared bits_apart bits_between bits_wide bits_split bits_float bits_packed aligned over "
    "nested exact tight quad four flat holds small"
).split():
    print(name, ctypes.sizeof(getattr(lib, name)))
packed = lib.packed(1, 2, 3, 4)
lib.packed_next(packed)
print("packed", lib.packed_sum(packed), lib.packed_value(packed, 7), lib.packed_make(5).d)
list = (lib.bits * 2)(lib.bits(3, 7), lib.bits(b=9))
print("bits", lib.bits_sum(list, 2), lib.bits_make(4).b, lib.bits_value(list[0], 2))
print("bits_later", lib.bits_later_sum(lib.bits_later(-1, 5, -(1 << 38))))
shared = lib.bits_shared(-300, 61, 2)
print("bits_shared", lib.bits_shared_sum(shared), end=" ")
shared = lib.bits_shared_next(shared)
print(shared.a, shared.b, shared.c)
print("bits_apart", lib.bits_apart_sum(lib.bits_apart((1 << 31) - 1, 1 << 39, 2)))
print("bits_between", lib.bits_between_sum(lib.bits_between(1, -2, 3, 1)))
print("bits_wide", lib.bits_wide_sum(lib.bits_wide(-(1 << 32), -5, 1)))
split = lib.bits_split(a=3, b=-5, c=2)
lib.bits_split_next(split)
print("bits_split", lib.bits_split_sum(split), split.a, split.b, split.c)
print("bits_packed", lib.bits_packed_sum(lib.bits_packed(1, 100, (1 << 30) - 1, -2)))
print("aligned", lib.aligned_sum(lib.aligned_make(5)), lib.aligned_make(5).c)
nested = lib.nested(c=1, packed=packed, over=lib.over(2))
nested.list[0], nested.list[1] = lib.bits(1, 2), lib.bits(3, 4)
setattr(nested, "from_", 5)
setattr(nested, "in_", 6)
nested.value.i, nested.plain = 7, 8
print("nested", lib.nested_sum(nested), end=" ")
lib.nested_next(nested)
print(lib.nested_sum(nested), nested.c, nested.list[1].b, nested.packed.d, nested.from_, nested.in_, nested.value.bits, nested.half)
print("exact", lib.exact_round(lib.exact(41, 1)))
print("tight", end=" ")
tight = lib.tight(3, -206, 4)
print(lib.tight_sum(tight), end=" ")
lib.tight_next(tight)
tight.l += 10
print(lib.tight_sum(tight), lib.tight_make(-3).l, lib.tight_make(8).b)
print("four", lib.four_make(8).d, lib.four_make(4).l)
holds = lib.holds(1, lib.flat(0, 2), lib.four(l=3), lib.tight(b=9))
holds.of.quad.l = 5
print("holds", lib.holds_sum(holds))
print("names", lib.both(lib.struct_both(4)), lib.words_sum(lib.words(1, 2, 3, 4, 5, 6)), lib.self(1))
print(lib.yield_(1), lib.class_(5, 3), lib.type(1), lib.library_(1), lib.ctypes_(1), lib.len(1))
print(lib.None_, lib.from_, lib.True_, lib.async_, lib.unsafe, lib.assert_)
# What a callback returns as text is not kept for ever: ctypes would warn of that.
names = lib.name_t(lambda number: [b"one", None, ctypes.create_string_buffer(b"three")][number])
print("text", lib.names_length(names, 3), names(0), lib.alone_value(1, lib.alone(2.5), 10), hasattr(lib, "alone_make"))
# ctypes knows nothing of how these are passed.
print(lib.quad_value(lib.quad(1, 2), 3), lib.twice(1.5), [hasattr(lib, name) for name in ("packed_small_value", "tight_value", "small_value", "bits_float_value", "over_value", "empty_value")])
