package io.vramlab.lifetime;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_void;

import io.vramlab.tensor.CountedRecord;
import io.vramlab.tensor.HolderCount;
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
import java.lang.classfile.attribute.StackMapFrameInfo.ObjectVerificationTypeInfo;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The code of one method with the counting in it: what holds a value moves with it.
 *
 * <pre>
 * x = f(g(x))         the source
 * g(x) -> t0          its value is on the stack and in a temp
 * f(..) -> t1         so is this one; a method of the program's takes what t0 held, as in CPython,
 * drop t0             any other leaves it to be dropped when the call has returned
 * x, shadow of x = t1 the value moves
 * drop the old shadow
 * </pre>
 */
final class CountingCode {

    private static final ClassDesc COUNT = HolderCount.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc OF_RECORD = MethodTypeDesc.of(CD_void,
            CountedRecord.class.describeConstable().orElseThrow());
    private static final MethodTypeDesc OF_NONE = MethodTypeDesc.of(CD_void);
    /** The field of a woven class with its count. */
    static final String COUNT_FIELD = "$holders";

    private final ClassDesc type;
    private final String superclass;
    /** The names of those that this class declares. */
    private final Set<String> fields;
    private final CodeModel code;
    private final Predicate<String> woven;
    private final boolean counts;
    private final CountingFrame frame;
    private final Variables variables;
    /** What holds values: the variables that are stored to. */
    private final Set<String> stored = new TreeSet<>();
    /** The loads whose values are held for their own sake, because the variable changes while they are on the stack. */
    private final Set<Integer> held = new HashSet<>();
    private final Guarded guarded;
    /** Of what goes by its slot, what may hold something here. */
    private final Set<String> open = new TreeSet<>();
    /** Where the compiler has left a frame: what can be jumped to. */
    private final Set<Label> framed = new HashSet<>();
    private final boolean returnsCounted;

    private CodeBuilder to;
    private OperandStack stack;
    private HeldValues values;
    private int at;
    private int offset;
    private boolean catching;
    private boolean initialised;
    private Label begin;
    private Label leaves;
    private int returns;

    CountingCode(ClassDesc type, String superclass, MethodModel method, CodeModel code, Predicate<String> woven,
            boolean counts) {
        this.type = type;
        this.superclass = superclass;
        this.fields = method.parent().stream().flatMap(each -> each.fields().stream())
                .map(each -> each.fieldName().stringValue()).collect(Collectors.toSet());
        this.code = code;
        this.woven = woven;
        this.counts = counts;
        this.frame = new CountingFrame(method, code);
        this.variables = new Variables(code);
        this.returnsCounted = Types.mayBeCounted(method.methodTypeSymbol().returnType());
        this.guarded = new Guarded(code);
        ((CodeAttribute) code).findAttribute(Attributes.stackMapTable())
                .ifPresent(table -> table.entries().forEach(each -> framed.add(each.target())));
        look();
    }

    /** The first time through: what is needed. */
    private void look() {
        int before;
        do {
            before = held.size() + stored.size();
            begin();
            returns = 0;
            code.forEach(this::follow);
            frame.needs(List.copyOf(stored), stack.temps());
        } while (held.size() + stored.size() > before);
    }

    private void begin() {
        stack = new OperandStack();
        values = new HeldValues(stack, frame, to);
        at = 0;
        offset = 0;
        initialised = !frame.isConstructor();
        open.clear();
    }

    /** Writes the method. */
    void write(CodeBuilder builder) {
        to = builder;
        begin();
        frame.writesTo(builder);
        begin = builder.newLabel();
        leaves = builder.newLabel();
        Label handler = builder.newLabel();
        Map<Label, List<VerificationTypeInfo>> added = new LinkedHashMap<>();
        if (returns > 1) {
            added.put(leaves, frame.result());
        }
        added.put(handler, List.of(ObjectVerificationTypeInfo.of(CountingFrame.THROWABLE)));
        frame.map(added);
        frame.enter();
        if (initialised) {
            builder.labelBinding(begin);
        }
        for (CodeElement each : code) {
            if (!(each instanceof StackMapTableAttribute)) {
                follow(each);
            }
        }
        if (returns > 1) {
            builder.labelBinding(leaves);
            leave();
            builder.return_(frame.returned());
        }
        if (initialised) {
            Label end = builder.newBoundLabel();
            builder.labelBinding(handler);
            frame.tidy();
            int exception = frame.scratch();
            builder.astore(exception);
            frame.leaveBy(exception);
            builder.aload(exception).athrow();
            builder.exceptionCatchAll(begin, end, handler);
        }
    }

    private void follow(CodeElement element) {
        switch (element) {
            case LabelTarget target -> label(target);
            case Instruction instruction -> {
                at++;
                guarded.live(offset, stack.live());
                int begun = offset;
                offset += instruction.sizeInBytes();
                frame.tidy();
                follow(instruction);
                guarded.live(begun, stack.live());
                catching = false;
            }
            default -> values.emit(element);
        }
    }

    private void label(LabelTarget target) {
        boolean handler = guarded.isHandler(target.label());
        stack.at(target.label(), handler, framed.contains(target.label()));
        values.emit(target);
        offset = ((CodeAttribute) code).labelToBci(target.label());
        if (values.writes() && handler) {
            frame.forgetTemps(guarded.temps(target.label()));
        }
        for (String each : stored) {
            // where the end is reached by nothing there is nothing to let go of, and no frame to do it in
            if (stack.isReachable() && open.contains(each) && variables.ends(each, target.label())) {
                held.addAll(stack.loadsOf(each));
                open.remove(each);
                if (values.writes()) {
                    frame.letGo(frame.shadow(each));
                }
            }
        }
        stored.stream().filter(each -> variables.begins(each, target.label())).forEach(open::add);
        catching = catching || handler;
    }

    private void follow(Instruction instruction) {
        switch (instruction) {
            case LoadInstruction load -> load(load);
            case StoreInstruction store -> store(store);
            case ConstantInstruction constant -> {
                values.emit(constant);
                stack.constant(constant);
            }
            case ConvertInstruction conversion -> {
                values.emit(conversion);
                stack.convert(conversion);
            }
            case OperatorInstruction operator -> {
                values.emit(operator);
                values.consumed(stack.operate(operator));
            }
            case StackInstruction shuffle -> {
                values.emit(shuffle);
                values.consumed(stack.shuffle(shuffle));
            }
            case FieldInstruction field -> new CountedFields(type, fields, woven, values).follow(field, initialised);
            case ArrayLoadInstruction load -> new CountedArrays(values).load(load);
            case ArrayStoreInstruction store -> new CountedArrays(values).store(store);
            case NewObjectInstruction made -> made(made);
            case NewPrimitiveArrayInstruction array -> {
                values.emit(array);
                stack.pop();
                stack.push(StackValue.SINGLE);
            }
            case NewReferenceArrayInstruction array -> {
                values.emit(array);
                stack.pop();
                stack.push(StackValue.REFERENCE);
                if (Types.mayBeCounted(array.componentType().asSymbol())) {
                    values.produced("holdArray", MethodTypeDesc.of(CD_void, HeldValues.ARRAY));
                }
            }
            case NewMultiArrayInstruction array -> {
                values.emit(array);
                stack.pop(array.dimensions());
                stack.push(StackValue.REFERENCE);
            }
            case InvokeInstruction call -> invoke(new CallSite(call, woven));
            case InvokeDynamicInstruction call -> new CountedClosures(values).follow(call);
            case TypeCheckInstruction check when check.opcode() == Opcode.CHECKCAST -> values.emit(check);
            case TypeCheckInstruction check -> {
                values.emit(check);
                List<StackValue> value = stack.pop(1);
                stack.push(TypeKind.INT);
                values.consumed(value);
            }
            case BranchInstruction branch -> branch(branch);
            case TableSwitchInstruction table -> {
                stack.pop();
                stack.jumpsTo(table.defaultTarget());
                table.cases().forEach(each -> stack.jumpsTo(each.target()));
                values.emit(table);
                stack.ends();
            }
            case LookupSwitchInstruction lookup -> {
                stack.pop();
                stack.jumpsTo(lookup.defaultTarget());
                lookup.cases().forEach(each -> stack.jumpsTo(each.target()));
                values.emit(lookup);
                stack.ends();
            }
            case ReturnInstruction exit -> exit(exit);
            case ThrowInstruction exit -> raise(exit);
            case MonitorInstruction monitor -> {
                values.emit(monitor);
                values.consumed(stack.pop(1));
            }
            default -> values.emit(instruction);
        }
    }

    private void load(LoadInstruction load) {
        values.emit(load);
        if (load.typeKind() != TypeKind.REFERENCE) {
            stack.push(load.typeKind());
            return;
        }
        stack.push(StackValue.loaded(variables.loaded(load.slot(), offset - load.sizeInBytes()), at));
        if (held.contains(at) && initialised) {
            values.produced("hold", HeldValues.OF_ONE);
        }
    }

    private void store(StoreInstruction store) {
        StackValue value = stack.pop();
        if (store.typeKind() != TypeKind.REFERENCE) {
            values.emit(store);
            return;
        }
        // what is caught has a name for as long as it is handled, and Python forgets it then
        String variable = catching
                ? Variables.nameless(store.slot())
                : variables.stored(store.slot(), offset - store.sizeInBytes(), offset);
        held.addAll(stack.loadsOf(variable));
        if (!value.counted()) {
            values.emit(store);
            return;
        }
        stored.add(variable);
        open.add(variable);
        boolean handles = catching && variables.caught(store.slot(), offset);
        if (catching) {
            stored.add(Variables.traceback(store.slot()));
            if (handles) {
                open.add(Variables.traceback(store.slot()));
            }
        }
        if (values.writes()) {
            if (catching) {
                int shadow = frame.shadow(Variables.traceback(store.slot()));
                to.dup().invokestatic(HeldValues.LIFETIMES, "caught",
                        MethodTypeDesc.of(CD_Object, ConstantDescs.CD_Throwable));
                to.aload(shadow).swap().astore(shadow);
                values.call("drop");
            }
            int shadow = frame.shadow(variable);
            to.dup();
            values.emit(store);
            to.dup();
            values.call("hold");
            to.aload(shadow).swap().astore(shadow);
            values.call("drop");
            if (catching && !handles) {
                frame.letGo(frame.shadow(Variables.traceback(store.slot())));
            }
            int parameter = frame.parameterAt(store.slot());
            if (parameter >= 0) {
                frame.letGoParameter(parameter);
            }
        }
        values.consumed(List.of(value));
    }

    private void raise(ThrowInstruction exit) {
        if (values.writes()) {
            int exception = frame.scratch();
            to.dup().astore(exception).aload(exception);
            values.call("capture");
            // one that is thrown while another is handled keeps that one, or is the same
            open.stream().filter(each -> each.startsWith("^"))
                    .forEach(each -> frame.left(exception, frame.shadow(each)));
        }
        values.emit(exit);
        stack.pop();
        stack.ends();
    }

    private void made(NewObjectInstruction made) {
        ClassDesc counted = Types.counted(made.className().asInternalName());
        if (values.writes()) {
            frame.makes(offset - made.sizeInBytes());
            if (counted == null) {
                to.with(made);
            } else {
                to.new_(counted);
            }
        }
        stack.push(StackValue.made(at));
    }

    private void branch(BranchInstruction branch) {
        switch (branch.opcode()) {
            case GOTO, GOTO_W -> {
                stack.jumpsTo(branch.target());
                values.emit(branch);
                stack.ends();
            }
            default -> {
                int count = branch.opcode().name().startsWith("IF_") && !branch.opcode().name().contains("NULL")
                        ? 2
                        : 1;
                // it only looks at references, which stay on the stack for it
                values.consumed(stack.pop(count));
                stack.jumpsTo(branch.target());
                values.emit(branch);
            }
        }
    }

    private void exit(ReturnInstruction exit) {
        if (exit.typeKind() != TypeKind.VOID) {
            stack.pop();
        }
        if (!values.writes()) {
            returns += stack.isEmpty() ? 1 : 0;
        } else if (stack.isEmpty() && returns > 1) {
            to.goto_w(leaves);
        } else {
            leave();
            to.with(exit);
        }
        stack.ends();
    }

    /** What is written once for all who return, with what they return on the stack. */
    private void leave() {
        if (!returnsCounted) {
            frame.leave();
            return;
        }
        int result = frame.scratch();
        to.dup().astore(result).aload(result);
        values.call("hold");
        frame.leave();
        to.aload(result).iload(frame.calledByWoven())
                .invokestatic(HeldValues.LIFETIMES, "returned", MethodTypeDesc.of(CD_void, CD_Object, CD_boolean));
    }

    private void invoke(CallSite call) {
        List<StackValue> arguments = stack.pop(call.signature().parameterCount());
        StackValue receiver = call.isStatic() ? null : stack.pop();
        if (values.writes()) {
            call.write(to, frame, arguments, receiver);
        }
        if (call.isConstructor()) {
            constructed(call, receiver, arguments);
            return;
        }
        values.consumed(arguments);
        if (receiver != null) {
            values.consumed(List.of(receiver));
        }
        if (call.givesCounted()) {
            stack.push(StackValue.REFERENCE);
            values.keep();
        } else {
            values.push(call.signature().returnType());
        }
    }

    /** The new object is held before its arguments are let go, which it alone may keep from now on. */
    private void constructed(CallSite call, StackValue receiver, List<StackValue> arguments) {
        if (receiver.made() >= 0) {
            boolean left = stack.initialised(receiver.made());
            if (left && values.writes()) {
                to.dup();
                if (Types.isRecord(call.owner())) {
                    to.invokestatic(HeldValues.LIFETIMES, "holdRecord", OF_RECORD);
                } else {
                    values.call(Types.isLibrary(call.owner()) ? "holdFresh" : "hold");
                }
            }
            values.consumed(arguments);
            if (left) {
                values.keep();
            }
            return;
        }
        if (frame.isConstructor() && !initialised) {
            initialised = true;
            if (values.writes()) {
                if (counts && call.owner().equals(superclass)) {
                    to.aload(0).new_(COUNT).dup().invokespecial(COUNT, ConstantDescs.INIT_NAME, OF_NONE)
                            .putfield(type, COUNT_FIELD, COUNT);
                    to.aload(0);
                    values.call("made");
                }
                frame.constructed();
                to.labelBinding(begin);
            }
        }
        values.consumed(arguments);
    }
}
