"""papermill for notebooks of Java cells: papermill itself knows how to write parameters in Python, R, Scala …, not in Java.

    python papermill_java.py IN.ipynb OUT.ipynb -p batch 64 -p name "a run"

The arguments are papermill's own; it must be installed (PyPI's papermill). Each parameter becomes a declaration in a cell after
the one tagged "parameters": int, long, double, boolean, String, List or Map, whichever the value is; a double that happens
to be whole is written with its point (-p rate 1.0). From Python, importing this module is enough before papermill.execute_notebook.
"""
import json
import math
import re

from papermill.translators import Translator, papermill_translators


DECLARATION = re.compile(
    r"^[ \t]*(?:final\s+)?(?P<type>[\w.]+(?:<.*>)?(?:\[\])*)\s+(?P<name>\w+)\s*=\s*(?P<value>.*?)\s*;[ \t]*(?://[ \t]*(?P<help>.*))?$", re.M)


class JavaTranslator(Translator):
    @classmethod
    def translate_none(cls, val):
        return "null"

    @classmethod
    def translate_bool(cls, val):
        return "true" if val else "false"

    @classmethod
    def translate_int(cls, val):
        if -2**31 <= val < 2**31:
            return str(val)
        return str(val) + "L" if -2**63 <= val < 2**63 else 'new java.math.BigInteger("%d")' % val

    @classmethod
    def translate_float(cls, val):
        if math.isnan(val):
            return "Double.NaN"
        if math.isinf(val):
            return "Double.POSITIVE_INFINITY" if val > 0 else "Double.NEGATIVE_INFINITY"
        return repr(float(val))

    @classmethod
    def translate_str(cls, val):
        # JSON's escapes are Java's too
        return json.dumps(str(val))

    @classmethod
    def translate_list(cls, val):
        return "java.util.Arrays.asList(%s)" % ", ".join(cls.inner(each) for each in val)

    @classmethod
    def translate_dict(cls, val):
        if None in val.values():  # Map.entry refuses it
            puts = ("put(%s, %s);" % (cls.translate_str(key), cls.translate(each)) for key, each in val.items())
            return "new java.util.LinkedHashMap<String, Object>() {{ %s }}" % " ".join(puts)
        entries = ("java.util.Map.entry(%s, %s)" % (cls.translate_str(key), cls.translate(each))
                   for key, each in val.items())
        return "java.util.Map.ofEntries(%s)" % ", ".join(entries)

    @classmethod
    def inner(cls, val):
        # a bare null would be taken for the list itself
        return "(Object) null" if val is None else cls.translate(val)

    @classmethod
    def assign(cls, name, str_val):
        return "%s %s = %s;" % ("Object" if str_val == "null" else "var", name, str_val)

    @classmethod
    def comment(cls, cmt_str):
        return "// " + cmt_str

    @classmethod
    def inspect(cls, parameters_cell):
        from papermill.models import Parameter

        return [Parameter(found["name"], "None" if found["type"] == "var" else found["type"], found["value"], found["help"] or "")
                for found in DECLARATION.finditer(parameters_cell["source"])]


papermill_translators.register("java", JavaTranslator)

if __name__ == "__main__":
    from papermill.cli import papermill

    papermill()
