package io.vramlab.lifetime;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** Lambdas and method references: one holds what it encloses. */
final class CountedClosures {

    private static final MethodTypeDesc OF_TWO = MethodTypeDesc.of(CD_void, CD_Object, CD_Object);

    private final HeldValues values;

    CountedClosures(HeldValues values) {
        this.values = values;
    }

    void follow(InvokeDynamicInstruction call) {
        List<ClassDesc> types = call.typeSymbol().parameterList();
        List<StackValue> operands = values.stack.pop(types.size());
        boolean closure = call.bootstrapMethod().owner().displayName().equals("LambdaMetafactory")
                && types.stream().anyMatch(Types::mayBeCounted);
        int[] places = new int[types.size()];
        if (closure && values.writes()) {
            for (int i = places.length - 1; i >= 0; i--) {
                places[i] = values.frame.scratch();
                values.to.storeLocal(TypeKind.from(types.get(i)), places[i]);
            }
            for (int i = 0; i < places.length; i++) {
                values.to.loadLocal(TypeKind.from(types.get(i)), places[i]);
            }
        }
        values.emit(call);
        if (closure && values.writes()) {
            for (int i = 0; i < places.length; i++) {
                if (Types.mayBeCounted(types.get(i))) {
                    values.to.dup().aload(places[i]).invokestatic(HeldValues.LIFETIMES, "enclose", OF_TWO);
                }
            }
            values.to.dup();
            values.call("hold");
        }
        values.consumed(operands);
        values.push(call.typeSymbol().returnType());
        if (closure) {
            values.keep();
        }
    }
}
