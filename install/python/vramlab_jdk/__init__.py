"""A JDK that jlink made for VramLab: all of Java SE, the compiler, JShell and the Vector API."""
import pathlib

HOME = pathlib.Path(__file__).resolve().parent / "jdk"
