"""Loops that what is not known without a GPU would end, for vramlab_trace.py, beside which this file lies.

``while error > tolerance``, ``while True: ... if done: break``: a plausible value may end such a loop before its first round, or never. It is taken to go round
ROUNDS times; one that something else may end, as a largest number of steps, goes on until that does, MOST rounds at most.

Which way a test ends its loop is read in the program's source, and what else ends it. Eight rounds in any loop and then the other answer would do without, but ends what a known number
ends later: a T5 that generates 24 tokens (plan/eleventh) made 26,581 allocations on an H100, as are told by this rule; by that one 20,851.
"""
import ast
import functools
import itertools
import linecache

ROUNDS, MOST = 8, 1024
CALLS = 4                                                      # functions that hand a value on to the one with the loop
AS_THEY_ARE = {"bool", "int", "float", "abs", "all", "any", "max", "min", "sum", "item", "cpu", "sqrt"}    # functions of a value that are large where it is
LARGE = {int: 1 << 20, float: 1e30}                            # an end that a number goes up to


@functools.lru_cache(64)
def _tree(file):
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ast.Module([], [])


@functools.lru_cache(64)
def _loops(file):
    """The loops of a file, inner ones first, each with what ends it: what is asked, and the answer at which it ends."""
    loops = [node for node in ast.walk(_tree(file)) if isinstance(node, ast.While)]
    return [(loop, [(loop.test, False), *_leaves(loop.body)]) for loop in sorted(loops, key=lambda loop: -loop.lineno)]


def _leaves(body):
    """Branches that end the loop whose body this is; loops in it have ends of their own."""
    for node in body:
        if isinstance(node, ast.If):
            for branch, answer in ((node.body, True), (node.orelse, False)):
                if any(isinstance(s, (ast.Break, ast.Return)) for s in branch):
                    yield node.test, answer
                yield from _leaves(branch)
        elif isinstance(node, (ast.With, ast.Try)):
            yield from _leaves(node.body)


def _place(frame):
    """Where a frame is in its file: lines and columns of the expression, where Python tells them, or else the line."""
    positions = getattr(frame.f_code, "co_positions", None)
    found = next(itertools.islice(positions(), frame.f_lasti // 2, None), (None,)) if positions else (None,)
    return (frame.f_lineno, 0, frame.f_lineno, 0) if None in found else (found[0], found[2], found[1], found[3])


@functools.lru_cache(4096)
def _asked(file, place):
    """The expression that is asked where Python tells the place of a whole branch or loop, as it does of one that begins with not."""
    for node in ast.walk(_tree(file)):
        if isinstance(node, (ast.If, ast.While)) and _span(node) == place:
            test = node.test
            while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                test = test.operand
            return _span(test)
    return place


def _span(node):
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def _holds(node, place):
    if place[1] == place[3] == 0:
        return node.lineno <= place[0] <= node.end_lineno
    return _span(node)[:2] <= place[:2] and place[2:] <= _span(node)[2:]


def _asks(node, place, names):
    """Whether what is asked at that place, or kept under one of these names, is part of an expression."""
    return any(_holds(n, place) or isinstance(n, ast.Name) and n.id in names for n in ast.walk(node) if isinstance(n, ast.expr))


@functools.lru_cache(4096)
def _kept(body, place):
    """The names under which a statement of a loop or function keeps what it asks at that place."""
    names = set()
    for node in ast.walk(body):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value is not None and _holds(node.value, place):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}
    return frozenset(names)


def _returned(file, place):
    """What the function around a place returns of what is asked there, the names it keeps it under, and whether it returns nothing else; None where it does not."""
    around = [node for node in ast.walk(_tree(file)) if isinstance(node, ast.FunctionDef) and _holds(node, place)]
    if not around:
        return None
    function = max(around, key=lambda node: node.lineno)
    names = _kept(function, place)
    returns = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
    return next(((value, place, names, len(returns) == 1 == len(_parts(value, True)) == len(_parts(value, False)))
                 for value in returns if _asks(value, place, names)), None)


def _parts(test, answer):
    """The parts of a test each of which can end a loop alone."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _parts(test.operand, not answer)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) == answer:
        return [end for part in test.values for end in _parts(part, answer)]
    return [] if isinstance(test, ast.Constant) else [test]


def _ending(test, answer, place, names):
    """What the asked value has to be so that a test has that answer: a truth value, or whether a number is large; None where its source does not show it."""
    while True:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, answer = test.operand, not answer
        elif isinstance(test, ast.BoolOp):
            test = next((part for part in test.values if _asks(part, place, names)), None)
            if test is None:
                return None
        elif isinstance(test, ast.Compare) and len(test.ops) == 1 and _span(test) != place:
            up = isinstance(test.ops[0], (ast.Gt, ast.GtE))
            if not up and not isinstance(test.ops[0], (ast.Lt, ast.LtE)):
                return None
            return (up == _asks(test.left, place, names)) == answer
        elif isinstance(test, ast.Call) and _span(test) != place and getattr(test.func, "attr", getattr(test.func, "id", "")) not in AS_THEY_ARE:
            return None                                        # what a function makes of it
        else:
            return answer


class Loops:
    """How often each place has asked for an unknown value, and what it is answered."""

    def __init__(self):
        self.asked, self.rounds, self.ended = {}, {}, {}

    def answer(self, frames, kind, told=None):
        """What a value of that kind (bool, int, float) is taken to be where a loop may end by it, and the rounds after which nothing else ends that loop.

        frames: those of the program that lead to where it is asked, the innermost first; told: its truth value by something else.
        None for whatever it would be taken to be elsewhere, and where something else ends the loop.
        """
        through, asked = [], ()
        for frame in itertools.islice(frames, CALLS):
            file = frame.f_code.co_filename
            place = _asked(file, _place(frame))
            asked += (file, place)
            self.asked.setdefault(file, set()).add(place)
            for loop, ends in _loops(file):
                names = _kept(loop, place) if _holds(loop, place) else ()
                by = [_ending(*end, place, names) for end in ends if _asks(end[0], place, names)] if _holds(loop, place) else []
                if by:
                    ending = next((ending for ending in by if ending is not None), None)
                    for value, at, kept, _ in reversed(through):
                        ending = None if ending is None else _ending(value, ending, at, kept)
                    alone = ending is not None and all(value[3] for value in through) and not self.ends_otherwise(file, loop, ends)
                    return self.go_round(id(frame), asked, kind, ROUNDS if alone else MOST, ending, told)
            through.append(_returned(file, place))
            if through[-1] is None:
                break
        return None, None

    def ends_otherwise(self, file, loop, ends):
        """Whether a loop has an end that asks for nothing unknown."""
        parts = [part for end in ends for part in _parts(*end)]
        return any(not any(_asks(part, place, _kept(loop, place)) for place in self.asked[file]) for part in parts)

    def go_round(self, frame, key, kind, most, ending, told):
        at, count = self.rounds.get(key, (None, 0))
        count = count + 1 if at == frame else 1
        self.rounds[key] = frame, count
        if count <= most:
            stays = not ending if kind is bool and told is None and ending is not None else None
            return stays, most if most == ROUNDS and stays is not None else None
        self.rounds[key] = None, 0
        turn = self.ended[key] = self.ended.get(key, 0) + 1
        if ending is None or turn % 4 == 0:                    # it may have to be the other way
            ending = turn % 2 == 1 if ending is None else not ending
        return ending if kind is bool else kind(LARGE[kind] if ending else 0), most
