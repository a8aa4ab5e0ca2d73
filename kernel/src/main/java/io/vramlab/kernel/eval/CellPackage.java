package io.vramlab.kernel.eval;

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

    /** Forgets the classes of cells. */
    static void forget(Context context) {
        Symtab symbols = Symtab.instance(context);
        PackageSymbol cells = symbols.getPackage(symbols.unnamedModule, Names.instance(context).fromString("REPL"));
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
}
