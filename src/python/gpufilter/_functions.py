"""Stages as functions: each makes a chain of one stage."""
import inspect
import itertools
import keyword
import math
import os
import reprlib

from . import _arrays
from ._chains import Chain
from ._library import Error


def _write_value(value):
    if isinstance(value, bool):
        return "on" if value else "off"
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        rows = value if value and isinstance(value[0], (list, tuple)) else [value]
        return "[" + "; ".join(" ".join(_write_value(v) for v in row) for row in rows) + "]"
    if isinstance(value, float):
        return "%d" % value if math.isfinite(value) and value == int(value) and abs(value) < 1e15 else repr(value)
    text = str(value)
    return '"%s"' % text if " " in text and "[" not in text else text


def _shown(key, value):
    """Return an argument as it may be written in one short line."""
    return ("%s=" % key if key else "") + " ".join(reprlib.repr(value).split())


def _refuse_array(name, rows, option, value, others):
    """Raise Error if a value is an image or sound, of which a function of stages takes the name or nothing."""
    if option is not None and option["type"] == "input" and not isinstance(value, (str, os.PathLike)):
        raise Error("%s: a chain has the name of an image, not the image" % name,
                    "give a name: gf.%s('b')(image, b=array)" % name)
    dimensions = _arrays.dimensions_of(value)
    readable = hasattr(value, "tolist") or isinstance(value, (list, tuple))
    if dimensions > 2 or dimensions and not (option and option["type"] in ("mask", "text") and readable):
        what, call = ("an image", "(image)") if rows[0]["kind"] == "image" else ("sound", "(sound, rate=…)")
        raise Error("%s takes values, not %s" % (name, what),
                    "write gf.%s(%s)%s" % (name, ", ".join(others), call))


def _document(rows):
    parts = []
    for row in rows:
        parts.append("%s (%s)" % (row["summary"], "images" if row["kind"] == "image" else "audio"))
        for o in row["options"]:
            parts.append("    %s: %s; takes %s" % (o["name"], o["text"], o["range"]))
        if row["text"]:
            parts.append("")
            parts.append(row["text"])
        parts.append("")
    return "\n".join(parts).strip()


def _parameters_of(rows):
    """Return the options of stages of one name, by the names that they have in Python."""
    found = {}
    for row in rows:
        for o in row["options"]:
            name = o["name"].replace("-", "_")
            found.setdefault(name + "_" if keyword.iskeyword(name) else name, o)
    return found


def _signature_of(parameters):
    kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    made = [inspect.Parameter(name, kinds[o["key_only"]], default=o.get("default")) for name, o in parameters.items()]
    return inspect.Signature(sorted(made, key=lambda p: p.kind))


def make_function(name, rows):
    """Return the function of the stages that have a name."""
    parameters = _parameters_of(rows)
    by_place = [o for o in parameters.values() if not o["key_only"]]

    def function(*values, **named):
        given = [*((None, value) for value in values), *named.items()]
        options = itertools.chain(by_place, itertools.repeat(None))
        for i, (key, value) in enumerate(given):
            others = [_shown(k, v) for k, v in given[:i] + given[i + 1:] if not k or k in parameters]
            _refuse_array(name, rows, parameters.get(key) if key else next(options), value, others)
        words = [_write_value(v) for v in values]
        words += ["%s=%s" % (parameters[key]["name"] if key in parameters else key, _write_value(v))
                  for key, v in named.items()]
        return Chain(name + (":" + ",".join(words) if words else ""))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _document(rows)
    function.__signature__ = _signature_of(parameters)
    return function
