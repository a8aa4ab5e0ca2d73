package io.vramlab.lifetime;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.vramlab.tensor.Lifetimes;
import java.lang.classfile.Attributes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.ObjectVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.UninitializedVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The local variables that counting adds to a method: whether its caller counts, what the caller gave, a <em>shadow</em> for
 * each variable, that is what holds its value, a <em>temp</em> for each such value on the operand stack, and room to work. All are
 * null from the beginning of the method, so every path can let go of them whatever path it came.
 */
final class CountingFrame {

    private static final ClassDesc LIFETIMES = Lifetimes.class.describeConstable().orElseThrow();
    static final ClassDesc THROWABLE = ConstantDescs.CD_Throwable;
    private static final MethodTypeDesc OF_ONE = MethodTypeDesc.of(CD_void, CD_Object);

    private final MethodModel method;
    private final CodeModel code;
    private final boolean constructor;
    private final boolean cell;
    private final boolean asks;
    private final List<Integer> parameters = new ArrayList<>();
    private final int base;
    private final Map<Integer, Label> making = new HashMap<>();
    private List<String> variables = List.of();
    private int temps;
    private int scratch;
    private CodeBuilder to;

    CountingFrame(MethodModel method, CodeModel code) {
        this.method = method;
        this.code = code;
        this.base = ((CodeAttribute) code).maxLocals();
        this.constructor = method.methodName().equalsString(ConstantDescs.INIT_NAME);
        this.cell = method.methodName().stringValue().startsWith("do_it$");
        int slot = 0;
        if (isObjects()) {
            // whoever calls it may not count, or not hold it yet: a constructor
            parameters.add(slot++);
        }
        for (ClassDesc each : method.methodTypeSymbol().parameterList()) {
            if (Types.mayBeCounted(each)) {
                parameters.add(slot);
            }
            slot += TypeKind.from(each).slotSize();
        }
        this.asks = !constructor && !cell && asks(method.methodTypeSymbol());
    }

    /** Whether a method with that signature asks its caller whether it counts. */
    static boolean asks(MethodTypeDesc signature) {
        return Types.mayBeCounted(signature.returnType())
                || signature.parameterList().stream().anyMatch(Types::mayBeCounted);
    }

    /** What caller and called must agree on, so that no other method takes the answer for its own. */
    static int token(String name, MethodTypeDesc signature) {
        return Lifetimes.token(name, signature.descriptorString());
    }

    private boolean isObjects() {
        return !method.flags().has(AccessFlag.STATIC);
    }

    boolean isConstructor() {
        return constructor;
    }

    /** What was found to be needed. */
    void needs(List<String> shadowed, int temporaries) {
        variables = List.copyOf(shadowed);
        temps = temporaries;
    }

    List<String> variables() {
        return variables;
    }

    void writesTo(CodeBuilder builder) {
        to = builder;
        tidy();
    }

    /** Room that one instruction took is free for the next. */
    void tidy() {
        scratch = temp(temps);
    }

    int calledByWoven() {
        return base;
    }

    int parameter(int index) {
        return base + 1 + index;
    }

    /**
     * Where the parameter in that slot is held until the slot gets another value, -1 if there is none. What a {@code call} is given is
     * held to its end: it is Python's {@code __call__}, whose arguments are in a tuple that the caller keeps meanwhile.
     */
    int parameterAt(int slot) {
        int index = parameters.indexOf(slot);
        boolean callable = isObjects() && method.methodName().equalsString("call");
        return index < 0 || index == 0 && isObjects() || callable ? -1 : parameter(index);
    }

    int shadow(String variable) {
        return base + 1 + parameters.size() + variables.indexOf(variable);
    }

    int temp(int number) {
        return base + 1 + parameters.size() + variables.size() + number;
    }

    int scratch() {
        // of two slots, whatever comes into it
        scratch += 2;
        return scratch - 2;
    }

    /**
     * The method's stack map, with what is added here.
     *
     * @param added
     *            labels that are reached with none of the method's own variables, and what stands on the stack there
     */
    void map(Map<Label, List<VerificationTypeInfo>> added) {
        List<StackMapFrameInfo> all = new ArrayList<>();
        code.findAttribute(Attributes.stackMapTable()).ifPresent(table -> table.entries().forEach(
                each -> all.add(StackMapFrameInfo.of(each.target(), extended(each.locals()), moved(each.stack())))));
        added.forEach((label, values) -> all.add(StackMapFrameInfo.of(label, extended(List.of()), values)));
        to.with(StackMapTableAttribute.of(all));
    }

    TypeKind returned() {
        return TypeKind.from(method.methodTypeSymbol().returnType());
    }

    /** What stands on the stack where the method returns. */
    List<VerificationTypeInfo> result() {
        ClassDesc type = method.methodTypeSymbol().returnType();
        return switch (returned()) {
            case VOID -> List.of();
            case LONG -> List.of(SimpleVerificationTypeInfo.LONG);
            case DOUBLE -> List.of(SimpleVerificationTypeInfo.DOUBLE);
            case FLOAT -> List.of(SimpleVerificationTypeInfo.FLOAT);
            case REFERENCE -> List.of(ObjectVerificationTypeInfo.of(type));
            default -> List.of(SimpleVerificationTypeInfo.INTEGER);
        };
    }

    /** Whatever is written between a label and the instruction there that makes an object, the map speaks of the latter. */
    private List<VerificationTypeInfo> moved(List<VerificationTypeInfo> known) {
        return known.stream().map(each -> each instanceof UninitializedVerificationTypeInfo unmade
                ? UninitializedVerificationTypeInfo.of(
                        making.computeIfAbsent(((CodeAttribute) code).labelToBci(unmade.newTarget()),
                                at -> to.newLabel()))
                : each).toList();
    }

    /** An instruction that makes an object stood at that offset. */
    void makes(int offset) {
        if (making.containsKey(offset)) {
            to.labelBinding(making.get(offset));
        }
    }

    private List<VerificationTypeInfo> extended(List<VerificationTypeInfo> known) {
        List<VerificationTypeInfo> types = new ArrayList<>(moved(known));
        int slots = 0;
        for (VerificationTypeInfo each : known) {
            slots += each == SimpleVerificationTypeInfo.LONG || each == SimpleVerificationTypeInfo.DOUBLE ? 2 : 1;
        }
        for (; slots < base; slots++) {
            types.add(SimpleVerificationTypeInfo.TOP);
        }
        types.add(SimpleVerificationTypeInfo.INTEGER);
        for (int i = calledByWoven() + 1; i < temp(temps); i++) {
            types.add(ObjectVerificationTypeInfo.of(CD_Object));
        }
        return types;
    }

    void enter() {
        if (asks) {
            to.loadConstant(token(method.methodName().stringValue(), method.methodTypeSymbol()))
                    .invokestatic(LIFETIMES, "isCalledByWoven", MethodTypeDesc.of(CD_boolean, CD_int));
        } else {
            to.loadConstant(cell ? 1 : 0);
        }
        to.istore(calledByWoven());
        for (int i = 0; i < parameters.size(); i++) {
            if (constructor && i == 0) {
                to.aconst_null().astore(parameter(i));
            } else {
                to.aload(parameters.get(i)).dup().astore(parameter(i));
                call("hold");
            }
        }
        for (int i = calledByWoven() + 1 + parameters.size(); i < temp(temps); i++) {
            to.aconst_null().astore(i);
        }
    }

    /** The object that a constructor makes is one now. */
    void constructed() {
        to.aload(0).dup().astore(parameter(0));
        call("hold");
    }

    /** Lets go of everything, as a method that ends does. */
    void leave() {
        forgetTemps(temps);
        variables.forEach(each -> letGo(shadow(each)));
        leaveParameters();
    }

    private void leaveParameters() {
        for (int i = 0; i < parameters.size(); i++) {
            if (i == 0 && isObjects()) {
                to.aload(parameter(0)).aconst_null().astore(parameter(0));
                call(constructor ? "unhold" : "giveBack");
            } else {
                letGoParameter(parameter(i));
            }
        }
    }

    /** Lets go of what the caller gave, for good if it counts and gave it away. */
    void letGoParameter(int place) {
        to.aload(place).aconst_null().astore(place).iload(calledByWoven())
                .invokestatic(LIFETIMES, "dropParameter", MethodTypeDesc.of(CD_void, CD_Object, CD_boolean));
    }

    /** An exception ends the method: as in Python, it keeps the variables. */
    void leaveBy(int exception) {
        forgetTemps(temps);
        if (cell) {
            variables.forEach(each -> letGo(shadow(each)));
            to.aload(exception).invokestatic(LIFETIMES, "forget", MethodTypeDesc.of(CD_void, THROWABLE));
            leaveParameters();
        } else {
            variables.forEach(each -> left(exception, shadow(each)));
            for (int i = 0; i < parameters.size(); i++) {
                if (i == 0 && isObjects()) {
                    left(exception, parameter(i));
                } else {
                    to.aload(exception).aload(parameter(i)).iload(calledByWoven()).invokestatic(LIFETIMES,
                            "leftParameter", MethodTypeDesc.of(CD_void, THROWABLE, CD_Object, CD_boolean));
                }
            }
        }
    }

    /** The exception keeps what a variable held. */
    void left(int exception, int place) {
        to.aload(exception).aload(place).aconst_null().astore(place)
                .invokestatic(LIFETIMES, "left", MethodTypeDesc.of(CD_void, THROWABLE, CD_Object));
    }

    /** Lets go of what the first so many hold. */
    void forgetTemps(int count) {
        for (int i = 0; i < count; i++) {
            letGo(temp(i));
        }
    }

    void letGo(int place) {
        to.aload(place).aconst_null().astore(place);
        call("drop");
    }

    private void call(String name) {
        to.invokestatic(LIFETIMES, name, OF_ONE);
    }
}
