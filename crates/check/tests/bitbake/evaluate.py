#!/usr/bin/env python3
"""What BitBake itself makes of files: evaluate.py BITBAKE values FILE | evaluate.py BITBAKE recipe TREE RECIPE VARIABLE…

BITBAKE is the directory that the package bitbake-setup was unpacked in. `values` prints what A is in each of FILE's cases;
`recipe` prints variables of a recipe, one a line, parsed with TREE's conf/bitbake.conf and what that inherits.
"""
import glob
import os
import sys
import types

sys.path.insert(0, sys.argv[1])
if sys.argv[2] == "recipe":
    sys.path.append(sys.argv[3] + "/lib")
# The client of the hash server, which is not in the package. Nothing is built, so nobody talks to one.
for name in ("hashserv", "hashserv.client"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["hashserv"].client = sys.modules["hashserv.client"]

import bb.data
import bb.parse
import bb.parse.parse_py.BBHandler


def case(text, number):
    path = os.path.abspath(f"case-{number}.conf")
    with open(path, "w") as file:
        file.write('OVERRIDES = "arm"\n' + text)
    return bb.parse.handle(path, bb.data.init(), True).getVar("A")


def recipe(tree, path, variables):
    d = bb.data.init()
    d.setVar("BBPATH", tree)
    d.setVar("TOPDIR", tree)
    d.setVar("__bbclasstype", "global")
    d = bb.parse.handle(os.path.join(tree, "conf/bitbake.conf"), d, True)
    for name in (d.getVar("INHERIT") or "").split():
        bb.parse.BBHandler.inherit(name, "configuration INHERITs", 0, d)
    bb.parse.init_parser(d)
    d.setVar("__bbclasstype", "recipe")
    name = os.path.basename(path).split("_")[0]
    d.setVar("__BBAPPEND", " ".join(glob.glob(f"{tree}/recipes-*/*/{name}_%.bbappend")))
    d = bb.parse.handle(os.path.join(tree, path), d)[""]
    for variable in variables:
        flag = d.getVarFlag(variable, "export")
        print(("export " if flag else "") + (d.getVar(variable) or "").strip())


def main():
    mode, *arguments = sys.argv[2:]
    if mode == "values":
        with open(arguments[0]) as file:
            cases = file.read().split("--- ")[1:]
        for number, one in enumerate(cases):
            print(case(one.split("\n", 1)[1], number))
    else:
        recipe(arguments[0], arguments[1], arguments[2:])


main()
