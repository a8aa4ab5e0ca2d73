"""What kernel.json starts: becomes the JVM of the kernel."""
import sys

from . import Trouble, java, startup


def main():
    try:
        home = java.jdk()
    except Trouble as trouble:
        sys.exit(str(trouble))
    cache = startup.cache(home)
    if cache is None:
        startup.make_later(home)
    java.become(java.kernel(home, cache, sys.argv[1:]))


main()
