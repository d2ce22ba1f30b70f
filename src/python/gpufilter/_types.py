"""Types of samples: their names, numbers of the library, and codes, as in |u1 and <f4."""
from ._library import Error

# by number, as in gpufilter.h
NAMES = "", "uint8", "uint16", "int16", "int32", "float32", "float64", "float16"
TYPESTRS = "", "|u1", "<u2", "<i2", "<i4", "<f4", "<f8", "<f2"
BYTES = 0, 1, 2, 2, 4, 4, 8, 2

NUMBERS = {typestr[1:]: number for number, typestr in enumerate(TYPESTRS) if typestr}      # by code
CODES = {name: TYPESTRS[number][1:] for number, name in enumerate(NAMES) if name}          # by name
OF_KIND = ("uint8", "uint16", "float32", "float64"), ("int16", "int32", "float32", "float64")      # images; sound
_ON_HOST = NAMES[1:7]


def kind_name(rate):
    return "an image" if rate is None else "sound"


def text_of(place):
    """Return type and shape of an array as text: uint8 40x50x3."""
    code = place.typestr[1:]
    name = {"u": "uint", "i": "int", "f": "float", "b": "bool", "c": "complex"}.get(code[0])
    name = {"b1": "bool", "O": "object"}.get(code) or (name + str(8 * int(code[1:])) if name else place.typestr)
    return name + " " + ("x".join(map(str, place.shape)) or "without a dimension")


def number_of(place, rate, what):
    """Return the number of the type of an array."""
    code, sound = place.typestr[1:], rate is not None
    names = [CODES[name] for name in OF_KIND[sound]]
    if place.typestr[0] == ">" and code[1:] != "1":
        raise Error("%s: samples of the other byte order cannot be read" % what,
                    "use array.astype(array.dtype.newbyteorder('='))")
    if code not in names and not (code == "f2" and place.where):
        other = what == "array" and code in [CODES[name] for name in OF_KIND[not sound]]
        raise Error("%s: is %s, but %s must be %s" % (what, text_of(place), kind_name(rate), _either(OF_KIND[sound])),
                    ("an image has no rate=" if sound else "sound needs a rate=") if other else "")
    return NUMBERS[code]


def _either(names):
    return ", ".join(names[:-1]) + " or " + names[-1]


def code_of(dtype, kind=None, half=False):
    """Return the code of a type, which one of the kind may have: 0 image, 1 sound, None any; or a half float."""
    name = getattr(dtype, "__name__", None) or getattr(dtype, "name", None) or str(dtype).split(".")[-1]
    name = NAMES[NUMBERS.get(name, 0)] or name
    if half and name in ("float16", "half"):
        return "f2"
    names = _ON_HOST if kind is None else OF_KIND[kind]
    if name not in names:
        whose = "" if kind is None else (" of an image", " of sound")[kind]
        raise Error("the dtype%s must be %s, not %s" % (whose, _either(names), name),
                    "sound needs a rate=" if kind == 0 and name in OF_KIND[1] else "")
    return CODES[name]


def number_of_dtype(dtype, kind=None, half=False):
    """Return the number of a result's type; 0: that of the input."""
    return 0 if dtype is None else NUMBERS[code_of(dtype, kind, half)]
