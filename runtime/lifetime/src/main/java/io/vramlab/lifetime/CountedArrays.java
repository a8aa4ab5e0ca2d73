package io.vramlab.lifetime;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** What stands in arrays: an array holds its elements. */
final class CountedArrays {

    private final HeldValues values;

    CountedArrays(HeldValues values) {
        this.values = values;
    }

    void load(ArrayLoadInstruction load) {
        if (load.typeKind() != TypeKind.REFERENCE) {
            List<StackValue> operands = values.stack.pop(2);
            values.emit(load);
            values.stack.push(load.typeKind());
            values.consumed(operands);
            return;
        }
        List<StackValue> operands = values.stack.pop(2);
        if (values.writes()) {
            values.to.dup2().invokestatic(HeldValues.LIFETIMES, "holdElement",
                    MethodTypeDesc.of(CD_void, HeldValues.ARRAY, CD_int));
        }
        values.emit(load);
        values.consumed(operands);
        values.stack.push(StackValue.REFERENCE);
        values.keep();
    }

    void store(ArrayStoreInstruction store) {
        List<StackValue> operands = values.stack.pop(3);
        if (store.typeKind() == TypeKind.REFERENCE && values.writes()) {
            values.to.invokestatic(HeldValues.LIFETIMES, "store",
                    MethodTypeDesc.of(CD_void, HeldValues.ARRAY, CD_int, CD_Object));
        } else {
            values.emit(store);
        }
        values.consumed(operands);
    }
}
