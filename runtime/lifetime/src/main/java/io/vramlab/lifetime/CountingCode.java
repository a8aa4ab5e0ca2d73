package io.vramlab.lifetime;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.lang.classfile.Attributes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.ObjectVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The code of one method with the counting in it. Beside each local variable that may hold a counted value stands another,
 * its <em>shadow</em>, that is what holds it; beside each such value on the operand stack a <em>temp</em>. Shadows and temps
 * are null from the beginning of the method, so every path can let go of them whatever path it came.
 *
 * <pre>
 * x = f(g(x))         the source
 * g(x) -> t0          its value is on the stack and in a temp
 * f(..) -> t1         so is this one
 * drop t0             the call that took g's value has returned
 * x, shadow of x = t1 the value moves
 * drop the old shadow
 * </pre>
 */
final class CountingCode {

    private static final ClassDesc LIFETIMES = Lifetimes.class.describeConstable().orElseThrow();
    private static final ClassDesc COUNT = HolderCount.class.describeConstable().orElseThrow();
    private static final ClassDesc ARRAY = CD_Object.arrayType();
    private static final MethodTypeDesc OF_ONE = MethodTypeDesc.of(CD_void, CD_Object);
    private static final MethodTypeDesc OF_TWO = MethodTypeDesc.of(CD_void, CD_Object, CD_Object);
    private static final MethodTypeDesc OF_NONE = MethodTypeDesc.of(CD_void);
    /** The field of a woven class with its count. */
    static final String COUNT_FIELD = "$holders";

    private final ClassDesc type;
    private final String superclass;
    private final MethodModel method;
    private final CodeModel code;
    private final Predicate<String> woven;
    private final boolean counts;
    private final int base;
    private final List<Integer> parameters = new ArrayList<>();
    private final List<Integer> locals = new ArrayList<>();
    /** The loads whose values are held for their own sake, because the variable changes while they are on the stack. */
    private final Set<Integer> held = new HashSet<>();
    private final Set<Label> handlers = new HashSet<>();
    private final boolean returnsCounted;
    private int temps;

    private CodeBuilder to;
    private OperandStack stack;
    private int scratch;
    private int at;
    private boolean initialised;
    private Label begin;
    private boolean emits;

    CountingCode(ClassDesc type, String superclass, MethodModel method, CodeModel code, Predicate<String> woven,
            boolean counts) {
        this.type = type;
        this.superclass = superclass;
        this.method = method;
        this.code = code;
        this.woven = woven;
        this.counts = counts;
        this.base = ((CodeAttribute) code).maxLocals();
        this.returnsCounted = Types.mayBeCounted(method.methodTypeSymbol().returnType());
        code.exceptionHandlers().forEach(each -> handlers.add(each.handler()));
        int slot = 0;
        if (!method.flags().has(AccessFlag.STATIC)) {
            // whoever calls it may not count, or not hold it yet: a constructor
            parameters.add(slot++);
        }
        for (ClassDesc each : method.methodTypeSymbol().parameterList()) {
            if (Types.mayBeCounted(each)) {
                parameters.add(slot);
            }
            slot += TypeKind.from(each).slotSize();
        }
        look();
    }

    // ---- the first time through: what is needed ----

    private void look() {
        int before;
        do {
            before = held.size();
            Set<Integer> stored = new HashSet<>();
            stack = new OperandStack();
            for (CodeElement each : code) {
                if (each instanceof StoreInstruction store && store.typeKind() == TypeKind.REFERENCE) {
                    stored.add(store.slot());
                }
            }
            locals.clear();
            locals.addAll(stored.stream().sorted().toList());
            at = 0;
            initialised = !isConstructor();
            code.forEach(this::follow);
            temps = stack.temps();
        } while (held.size() > before);
    }

    private boolean isConstructor() {
        return method.methodName().equalsString(ConstantDescs.INIT_NAME);
    }

    /** Writes the method. */
    void write(CodeBuilder builder) {
        to = builder;
        emits = true;
        stack = new OperandStack();
        scratch = scratchBase();
        at = 0;
        initialised = !isConstructor();
        begin = builder.newLabel();
        Label handler = builder.newLabel();
        frames(handler);
        enter();
        if (initialised) {
            builder.labelBinding(begin);
        }
        for (CodeElement each : code) {
            if (!(each instanceof StackMapTableAttribute)) {
                follow(each);
            }
        }
        if (initialised) {
            Label end = builder.newBoundLabel();
            builder.labelBinding(handler);
            int exception = scratch();
            builder.astore(exception);
            leave();
            builder.aload(exception).athrow();
            builder.exceptionCatchAll(begin, end, handler);
        }
    }

    private int calledByWoven() {
        return base;
    }

    private int parameter(int index) {
        return base + 1 + index;
    }

    private int shadow(int slot) {
        return base + 1 + parameters.size() + locals.indexOf(slot);
    }

    private int temp(int number) {
        return base + 1 + parameters.size() + locals.size() + number;
    }

    private int scratchBase() {
        return temp(temps);
    }

    private int scratch() {
        // of two slots, whatever comes into it
        scratch += 2;
        return scratch - 2;
    }

    private void frames(Label handler) {
        List<StackMapFrameInfo> all = new ArrayList<>();
        code.findAttribute(Attributes.stackMapTable()).ifPresent(table -> table.entries().forEach(
                each -> all.add(StackMapFrameInfo.of(each.target(), extended(each.locals()), each.stack()))));
        all.add(StackMapFrameInfo.of(handler, extended(List.of()),
                List.of(ObjectVerificationTypeInfo.of(ConstantDescs.CD_Throwable))));
        to.with(StackMapTableAttribute.of(all));
    }

    private List<VerificationTypeInfo> extended(List<VerificationTypeInfo> known) {
        List<VerificationTypeInfo> types = new ArrayList<>(known);
        int slots = 0;
        for (VerificationTypeInfo each : known) {
            slots += each == SimpleVerificationTypeInfo.LONG || each == SimpleVerificationTypeInfo.DOUBLE ? 2 : 1;
        }
        for (; slots < base; slots++) {
            types.add(SimpleVerificationTypeInfo.TOP);
        }
        types.add(SimpleVerificationTypeInfo.INTEGER);
        for (int i = calledByWoven() + 1; i < scratchBase(); i++) {
            types.add(ObjectVerificationTypeInfo.of(CD_Object));
        }
        return types;
    }

    private void enter() {
        if (returnsCounted && !method.methodName().stringValue().startsWith("do_it$")) {
            to.invokestatic(LIFETIMES, "isCalledByWoven", MethodTypeDesc.of(CD_boolean));
        } else {
            to.iconst_1();
        }
        to.istore(calledByWoven());
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i) == 0 && !initialised) {
                to.aconst_null().astore(parameter(i));
            } else {
                to.aload(parameters.get(i)).dup().astore(parameter(i));
                call("hold");
            }
        }
        locals.forEach(each -> to.aconst_null().astore(shadow(each)));
        for (int i = 0; i < temps; i++) {
            to.aconst_null().astore(temp(i));
        }
    }

    /** Lets go of everything, as a method that ends does. */
    private void leave() {
        for (int i = 0; i < temps; i++) {
            letGo(temp(i));
        }
        locals.forEach(each -> letGo(shadow(each)));
        for (int i = 0; i < parameters.size(); i++) {
            to.aload(parameter(i)).aconst_null().astore(parameter(i));
            call("unhold");
        }
    }

    private void letGo(int variable) {
        to.aload(variable).aconst_null().astore(variable);
        call("drop");
    }

    private void call(String name) {
        to.invokestatic(LIFETIMES, name, OF_ONE);
    }

    // ---- instruction by instruction ----

    private void follow(CodeElement element) {
        at++;
        switch (element) {
            case LabelTarget target -> {
                stack.at(target.label(), handlers.contains(target.label()));
                emit(target);
                if (emits && handlers.contains(target.label())) {
                    for (int i = 0; i < temps; i++) {
                        letGo(temp(i));
                    }
                }
            }
            case Instruction instruction -> follow(instruction);
            default -> emit(element);
        }
    }

    private void emit(CodeElement element) {
        if (emits) {
            to.with(element);
        }
    }

    private void follow(Instruction instruction) {
        switch (instruction) {
            case LoadInstruction load -> load(load);
            case StoreInstruction store -> store(store);
            case ConstantInstruction constant -> {
                emit(constant);
                stack.constant(constant);
            }
            case ConvertInstruction conversion -> {
                emit(conversion);
                stack.convert(conversion);
            }
            case OperatorInstruction operator -> {
                emit(operator);
                consumed(stack.operate(operator));
            }
            case StackInstruction shuffle -> {
                emit(shuffle);
                consumed(stack.shuffle(shuffle));
            }
            case FieldInstruction field -> field(field);
            case ArrayLoadInstruction load -> arrayLoad(load);
            case ArrayStoreInstruction store -> arrayStore(store);
            case NewObjectInstruction made -> made(made);
            case NewPrimitiveArrayInstruction array -> {
                emit(array);
                stack.pop();
                stack.push(Operand.SINGLE);
            }
            case NewReferenceArrayInstruction array -> {
                emit(array);
                stack.pop();
                stack.push(Operand.REFERENCE);
                if (Types.mayBeCounted(array.componentType().asSymbol())) {
                    produced("holdArray", MethodTypeDesc.of(CD_void, ARRAY));
                }
            }
            case NewMultiArrayInstruction array -> {
                emit(array);
                stack.pop(array.dimensions());
                stack.push(Operand.REFERENCE);
            }
            case InvokeInstruction call -> new CallSite(call).write();
            case InvokeDynamicInstruction call -> dynamic(call);
            case TypeCheckInstruction check when check.opcode() == Opcode.CHECKCAST -> emit(check);
            case TypeCheckInstruction check -> {
                emit(check);
                List<Operand> value = stack.pop(1);
                stack.push(TypeKind.INT);
                consumed(value);
            }
            case BranchInstruction branch -> branch(branch);
            case TableSwitchInstruction table -> {
                stack.pop();
                stack.jumpsTo(table.defaultTarget());
                table.cases().forEach(each -> stack.jumpsTo(each.target()));
                emit(table);
                stack.ends();
            }
            case LookupSwitchInstruction lookup -> {
                stack.pop();
                stack.jumpsTo(lookup.defaultTarget());
                lookup.cases().forEach(each -> stack.jumpsTo(each.target()));
                emit(lookup);
                stack.ends();
            }
            case ReturnInstruction exit -> exit(exit);
            case ThrowInstruction exit -> {
                if (emits) {
                    to.dup();
                    call("capture");
                }
                emit(exit);
                stack.pop();
                stack.ends();
            }
            case MonitorInstruction monitor -> {
                emit(monitor);
                consumed(stack.pop(1));
            }
            default -> emit(instruction);
        }
    }

    /** Lets go of what an instruction has taken from the stack. */
    private void consumed(List<Operand> operands) {
        if (emits) {
            operands.stream().filter(each -> each.temp() >= 0).forEach(each -> letGo(temp(each.temp())));
        }
    }

    /** The value on top of the stack is held from now on. */
    private void produced(String how, MethodTypeDesc signature) {
        if (emits) {
            to.dup().invokestatic(LIFETIMES, how, signature);
        }
        keep();
    }

    /** The value on top of the stack, which is counted already, gets its temp. */
    private void keep() {
        int number = stack.hold();
        if (emits) {
            to.dup().astore(temp(number));
        }
    }

    private void load(LoadInstruction load) {
        emit(load);
        if (load.typeKind() != TypeKind.REFERENCE) {
            stack.push(load.typeKind());
            return;
        }
        stack.push(Operand.loaded(load.slot(), at));
        if (held.contains(at) && initialised) {
            produced("hold", OF_ONE);
        }
    }

    private void store(StoreInstruction store) {
        Operand value = stack.pop();
        if (store.typeKind() != TypeKind.REFERENCE) {
            emit(store);
            return;
        }
        held.addAll(stack.loadsOf(store.slot()));
        if (!value.counted()) {
            emit(store);
            return;
        }
        if (emits) {
            to.dup();
            emit(store);
            to.dup();
            call("hold");
            to.aload(shadow(store.slot())).swap().astore(shadow(store.slot()));
            call("drop");
        }
        consumed(List.of(value));
    }

    private void field(FieldInstruction field) {
        boolean counted = Types.mayBeCounted(field.typeSymbol());
        boolean own = woven.test(field.owner().asInternalName());
        switch (field.opcode()) {
            case GETSTATIC, GETFIELD -> {
                List<Operand> object = field.opcode() == Opcode.GETFIELD ? stack.pop(1) : List.of();
                emit(field);
                if (counted) {
                    if (emits) {
                        to.dup();
                        call(own ? "hold" : "holdForeign");
                    }
                    consumed(object);
                    stack.push(Operand.REFERENCE);
                    keep();
                } else {
                    consumed(object);
                    push(field.typeSymbol());
                }
            }
            case PUTSTATIC -> {
                Operand value = stack.pop();
                if (counted && emits) {
                    to.dup();
                    call(own ? "hold" : "escape");
                    if (own) {
                        to.with(java.lang.classfile.instruction.FieldInstruction.of(Opcode.GETSTATIC, field.field()));
                        to.swap();
                    }
                }
                emit(field);
                if (counted && own && emits) {
                    call("drop");
                }
                consumed(List.of(value));
            }
            default -> putField(field, counted, own);
        }
    }

    private void putField(FieldInstruction field, boolean counted, boolean own) {
        Operand value = stack.pop();
        Operand object = stack.pop();
        if (!emits) {
            return;
        }
        if (!counted) {
            emit(field);
        } else if (!own || !initialised) {
            to.dup();
            call(own ? "hold" : "escape");
            emit(field);
        } else {
            int valueAt = scratch();
            int objectAt = scratch();
            to.astore(valueAt).dup().astore(objectAt)
                    .with(FieldInstruction.of(Opcode.GETFIELD, field.field()));
            to.aload(valueAt);
            call("hold");
            to.aload(objectAt).aload(valueAt);
            emit(field);
            call("drop");
        }
        consumed(List.of(value, object));
    }

    private void push(ClassDesc pushed) {
        if (pushed.isPrimitive()) {
            stack.push(TypeKind.from(pushed));
        } else {
            stack.push(Types.mayBeCounted(pushed) ? Operand.REFERENCE : Operand.SINGLE);
        }
    }

    private void arrayLoad(ArrayLoadInstruction load) {
        if (load.typeKind() != TypeKind.REFERENCE) {
            List<Operand> operands = stack.pop(2);
            emit(load);
            stack.push(load.typeKind());
            consumed(operands);
            return;
        }
        List<Operand> operands = stack.pop(2);
        if (emits) {
            to.dup2().invokestatic(LIFETIMES, "holdElement", MethodTypeDesc.of(CD_void, ARRAY, CD_int));
        }
        emit(load);
        consumed(operands);
        stack.push(Operand.REFERENCE);
        keep();
    }

    private void arrayStore(ArrayStoreInstruction store) {
        List<Operand> operands = stack.pop(3);
        if (store.typeKind() == TypeKind.REFERENCE && emits) {
            to.invokestatic(LIFETIMES, "store", MethodTypeDesc.of(CD_void, ARRAY, CD_int, CD_Object));
        } else {
            emit(store);
        }
        consumed(operands);
    }

    private void made(NewObjectInstruction made) {
        ClassDesc counted = Types.counted(made.className().asInternalName());
        if (emits) {
            if (counted == null) {
                to.with(made);
            } else {
                to.new_(counted);
            }
        }
        stack.push(Operand.made(at));
    }

    private void dynamic(InvokeDynamicInstruction call) {
        List<ClassDesc> types = call.typeSymbol().parameterList();
        List<Operand> operands = stack.pop(types.size());
        boolean lambda = call.bootstrapMethod().owner().displayName().equals("LambdaMetafactory");
        if (lambda && emits && types.stream().anyMatch(Types::mayBeCounted)) {
            int[] places = spill(types);
            for (int i = 0; i < places.length; i++) {
                if (Types.mayBeCounted(types.get(i))) {
                    to.aload(places[i]);
                    call("capture");
                }
            }
            unspill(types, places);
        }
        emit(call);
        consumed(operands);
        push(call.typeSymbol().returnType());
    }

    private int[] spill(List<ClassDesc> types) {
        int[] places = new int[types.size()];
        for (int i = places.length - 1; i >= 0; i--) {
            places[i] = scratch();
            to.storeLocal(TypeKind.from(types.get(i)), places[i]);
        }
        return places;
    }

    private void unspill(List<ClassDesc> types, int[] places) {
        for (int i = 0; i < places.length; i++) {
            to.loadLocal(TypeKind.from(types.get(i)), places[i]);
        }
    }

    private void branch(BranchInstruction branch) {
        switch (branch.opcode()) {
            case GOTO, GOTO_W -> {
                stack.jumpsTo(branch.target());
                emit(branch);
                stack.ends();
            }
            default -> {
                int count = branch.opcode().name().startsWith("IF_") && !branch.opcode().name().contains("NULL")
                        ? 2
                        : 1;
                // it only looks at references, which stay on the stack for it
                consumed(stack.pop(count));
                stack.jumpsTo(branch.target());
                emit(branch);
            }
        }
    }

    private void exit(ReturnInstruction exit) {
        if (exit.typeKind() == TypeKind.VOID) {
            if (emits) {
                leave();
            }
        } else {
            Operand value = stack.pop();
            if (emits && exit.typeKind() == TypeKind.REFERENCE && returnsCounted) {
                int result = scratch();
                to.dup().astore(result).aload(result);
                call("hold");
                leave();
                to.aload(result).iload(calledByWoven())
                        .invokestatic(LIFETIMES, "returned", MethodTypeDesc.of(CD_void, CD_Object, CD_boolean));
            } else if (emits) {
                leave();
            }
            assert value != null;
        }
        emit(exit);
        stack.ends();
    }

    /** A call of a method, with what its arguments and its result mean. */
    private final class CallSite {

        private final InvokeInstruction call;
        private final String owner;
        private final String name;
        private final MethodTypeDesc signature;
        private final boolean constructor;
        private final boolean isStatic;

        CallSite(InvokeInstruction call) {
            this.call = call;
            this.owner = call.owner().asInternalName();
            this.name = call.name().stringValue();
            this.signature = call.typeSymbol();
            this.constructor = name.equals(ConstantDescs.INIT_NAME);
            this.isStatic = call.opcode() == Opcode.INVOKESTATIC;
        }

        void write() {
            List<Operand> arguments = stack.pop(signature.parameterCount());
            Operand receiver = isStatic ? null : stack.pop();
            boolean own = woven.test(owner);
            boolean library = Types.isLibrary(owner);
            boolean counted = Types.mayBeCounted(signature.returnType());
            ClassDesc instead = constructor && receiver.made() >= 0 ? Types.counted(owner) : null;
            int receiverAt = -1;
            boolean given = signature.parameterList().stream().anyMatch(Types::mayBeCounted);
            if (emits) {
                if (own && (isStatic || constructor)) {
                    if (counted) {
                        to.invokestatic(LIFETIMES, "calling", OF_NONE);
                    }
                } else if (instead != null) {
                    // it counts what it is given
                } else if (library
                        ? given && Types.keeps(owner, name)
                        : (given || counted) && !Types.isHarmless(owner, name)) {
                    receiverAt = give(!isStatic && !constructor, library, counted);
                }
                if (instead == null) {
                    to.with(call);
                } else {
                    to.invokespecial(instead, name, signature);
                }
            }
            result(own, library, counted, receiverAt);
            consumed(arguments);
            if (receiver != null) {
                consumed(List.of(receiver));
            }
            if (counted) {
                stack.push(Operand.REFERENCE);
                keep();
            } else if (constructor) {
                constructed(receiver);
            } else {
                push(signature.returnType());
            }
        }

        /** Says of each argument that it is given away, if the receiver is none that counts; where the receiver is. */
        private int give(boolean object, boolean library, boolean counted) {
            List<ClassDesc> types = signature.parameterList();
            int[] places = spill(types);
            int receiverAt = -1;
            if (object) {
                receiverAt = scratch();
                to.dup().astore(receiverAt);
            }
            for (int i = 0; i < places.length; i++) {
                if (Types.mayBeCounted(types.get(i))) {
                    if (object && !library) {
                        to.aload(receiverAt).aload(places[i]).invokestatic(LIFETIMES, "pass", OF_TWO);
                    } else {
                        to.aload(places[i]);
                        call("escape");
                    }
                }
            }
            if (object && !library && counted) {
                to.aload(receiverAt);
                call("calling");
            }
            unspill(types, places);
            return receiverAt;
        }

        private void result(boolean own, boolean library, boolean counted, int receiverAt) {
            if (!emits || !counted) {
                return;
            }
            if (own && receiverAt < 0) {
                to.dup();
                call("hold");
                to.invokestatic(LIFETIMES, "called", OF_NONE);
            } else if (library) {
                to.dup();
                call(Types.isFresh(owner, name) ? "holdFresh" : "holdForeign");
            } else if (Types.isHarmless(owner, name)) {
                to.dup();
                call("hold");
            } else if (receiverAt >= 0) {
                to.dup().aload(receiverAt).invokestatic(LIFETIMES, "holdReturned", OF_TWO);
                to.invokestatic(LIFETIMES, "called", OF_NONE);
            } else {
                to.dup();
                call("holdForeign");
            }
        }

        private void constructed(Operand receiver) {
            if (receiver.made() >= 0) {
                if (stack.initialised(receiver.made())) {
                    produced(Types.isLibrary(owner) ? "holdFresh" : "hold", OF_ONE);
                }
            } else if (isConstructor() && !initialised && receiver.local() == 0) {
                initialised = true;
                if (emits) {
                    if (counts && owner.equals(superclass)) {
                        to.aload(0).new_(COUNT).dup().invokespecial(COUNT, ConstantDescs.INIT_NAME, OF_NONE)
                                .putfield(type, COUNT_FIELD, COUNT);
                    }
                    if (counts && owner.equals(superclass)) {
                        to.aload(0);
                        call("made");
                    }
                    to.aload(0).dup().astore(parameter(0));
                    call("hold");
                    to.labelBinding(begin);
                }
            }
        }
    }
}
