package io.vramlab.kernel.internal.eval.accelerated;

import com.sun.tools.javac.code.ClassFinder;
import com.sun.tools.javac.code.Symbol.ClassSymbol;
import com.sun.tools.javac.code.Symbol.PackageSymbol;
import com.sun.tools.javac.code.Symtab;
import com.sun.tools.javac.util.Context;
import com.sun.tools.javac.util.Names;
import java.util.ArrayList;
import java.util.List;

/** Makes a javac that is used again look at the package of cells anew: its classes change from cell to cell. */
final class CellPackage {

    private CellPackage() {
    }

    /** Forgets the classes of cells, when some have changed. */
    static void forget(Context context) {
        Symtab symbols = Symtab.instance(context);
        PackageSymbol cells = cells(context);
        if (cells == null) {
            return;
        }
        List<ClassSymbol> stale = new ArrayList<>();
        for (ClassSymbol each : symbols.getAllClasses()) {
            if (each.packge() == cells) {
                stale.add(each);
            }
        }
        stale.forEach(each -> symbols.removeClass(symbols.unnamedModule, each.flatName()));
        cells.members_field = null;
        cells.completer = ClassFinder.instance(context).getCompleter();
    }

    /** Forgets one class, which no other code names: that of a piece that was compiled. */
    static void forget(Context context, String className) {
        Symtab symbols = Symtab.instance(context);
        PackageSymbol cells = cells(context);
        ClassSymbol own = symbols.getClass(symbols.unnamedModule, Names.instance(context).fromString(className));
        if (own != null && cells != null && cells.members_field != null) {
            cells.members_field.remove(own);
        }
    }

    private static PackageSymbol cells(Context context) {
        Symtab symbols = Symtab.instance(context);
        return symbols.getPackage(symbols.unnamedModule, Names.instance(context).fromString("REPL"));
    }
}
