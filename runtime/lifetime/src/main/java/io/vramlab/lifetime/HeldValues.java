package io.vramlab.lifetime;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;

import io.vramlab.tensor.Lifetimes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * What is on the operand stack while a method is followed: who holds each value, and the code that holds one and lets it
 * go. The first time through, when it is found out what is needed, nothing is written.
 */
final class HeldValues {

    static final ClassDesc LIFETIMES = Lifetimes.class.describeConstable().orElseThrow();
    static final ClassDesc ARRAY = CD_Object.arrayType();
    static final MethodTypeDesc OF_ONE = MethodTypeDesc.of(CD_void, CD_Object);

    final OperandStack stack;
    final CountingFrame frame;
    /** Takes the code; null the first time through. */
    final CodeBuilder to;

    HeldValues(OperandStack stack, CountingFrame frame, CodeBuilder to) {
        this.stack = stack;
        this.frame = frame;
        this.to = to;
    }

    /** Whether code is written, this time through. */
    boolean writes() {
        return to != null;
    }

    void emit(CodeElement element) {
        if (writes()) {
            to.with(element);
        }
    }

    void call(String name) {
        to.invokestatic(LIFETIMES, name, OF_ONE);
    }

    /** Lets go of what an instruction has taken from the stack. */
    void consumed(List<StackValue> operands) {
        if (writes()) {
            operands.stream().filter(each -> each.temp() >= 0).forEach(each -> frame.letGo(frame.temp(each.temp())));
        }
    }

    /** The value on top of the stack is held from now on. */
    void produced(String how, MethodTypeDesc signature) {
        if (writes()) {
            to.dup().invokestatic(LIFETIMES, how, signature);
        }
        keep();
    }

    /** The value on top of the stack, which is counted already, gets its temp. */
    void keep() {
        int number = stack.hold();
        if (writes()) {
            to.dup().astore(frame.temp(number));
        }
    }

    void push(ClassDesc pushed) {
        if (pushed.isPrimitive()) {
            stack.push(TypeKind.from(pushed));
        } else {
            stack.push(Types.mayBeCounted(pushed) ? StackValue.REFERENCE : StackValue.SINGLE);
        }
    }
}
