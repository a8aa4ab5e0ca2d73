"""Prints what install/papermill_java.py makes of values, without papermill: a stand-in for its base class chooses the method.

    python translate.py PAPERMILL_JAVA_PY < VALUES.json

Prints a JSON list of [assignment of the value to a variable v] for a JSON list of values; the strings NaN, Infinity and -Infinity
stand for the numbers.
"""
import importlib.util
import json
import sys
import types


class Translator:
    """As papermill chooses: by type, bool before int."""

    @classmethod
    def translate(cls, val):
        if val is None:
            return cls.translate_none(val)
        for kind, method in ((str, cls.translate_str), (bool, cls.translate_bool), (int, cls.translate_int),
                             (float, cls.translate_float), (dict, cls.translate_dict), (list, cls.translate_list)):
            if isinstance(val, kind):
                return method(val)
        raise TypeError(type(val))


class Registry:
    def register(self, language, translator):
        self.language, self.translator = language, translator


registry = Registry()
package, translators = types.ModuleType("papermill"), types.ModuleType("papermill.translators")
translators.Translator, translators.papermill_translators = Translator, registry
sys.modules.update({"papermill": package, "papermill.translators": translators})

spec = importlib.util.spec_from_file_location("papermill_java", sys.argv[1])
spec.loader.exec_module(importlib.util.module_from_spec(spec))
assert registry.language == "java"

numbers = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
values = [numbers.get(each, each) if isinstance(each, str) else each for each in json.load(sys.stdin)]
print(json.dumps([registry.translator.assign("v", registry.translator.translate(each)) for each in values]))
