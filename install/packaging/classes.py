"""Which class needs which, as the JDK's jdeps reads it in class files."""
import re
import subprocess

NEEDS = re.compile(r"^\s+(\S+)\s+-> (\S+)\s+(.+?)\s*$")


class Classes:
    """needs: for each class the classes that it names; missing: the pairs of which no jar has the second."""

    def __init__(self, jdk, jars):
        out = subprocess.run([str(jdk / "bin" / "jdeps"), "-verbose:class", "-filter:none", "--multi-release", "25", *map(str, jars)],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
        self.needs, self.missing = {}, set()
        for line in out.splitlines():
            found = NEEDS.match(line)
            if found:
                self.needs.setdefault(found[1], set()).add(found[2])
                if found[3] == "not found":
                    self.missing.add((found[1], found[2]))

    def reach(self, start):
        """All that these classes name, and what those name, and so on."""
        reached, todo = set(), list(start)
        while todo:
            one = todo.pop()
            if one not in reached:
                reached.add(one)
                todo.extend(self.needs.get(one, ()))
        return reached
