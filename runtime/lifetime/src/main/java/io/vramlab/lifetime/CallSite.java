package io.vramlab.lifetime;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.vramlab.tensor.Lifetimes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.Predicate;

/** A call of a method: what its arguments and its result mean. */
final class CallSite {

    private static final ClassDesc LIFETIMES = Lifetimes.class.describeConstable().orElseThrow();
    private static final ClassDesc GIVEN = Given.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc OF_NONE = MethodTypeDesc.of(CD_void);
    private static final MethodTypeDesc OF_ONE = MethodTypeDesc.of(CD_void, CD_Object);
    private static final MethodTypeDesc TOLD = MethodTypeDesc.of(CD_void, CD_Object, CD_String);
    private static final MethodTypeDesc TOLD_OF_TWO = MethodTypeDesc.of(CD_void, CD_Object, CD_Object, CD_String);

    private final InvokeInstruction call;
    private final String owner;
    private final String name;
    private final MethodTypeDesc signature;
    private final boolean constructor;
    private final boolean isStatic;
    private final boolean own;
    private final boolean library;
    private final boolean counted;
    private final boolean given;
    private final boolean asks;
    /** Whether the result may be a collection of the JDK's. */
    private final boolean mayLead;
    /** The class whose method of that name is called instead; null for the one that is. */
    private final ClassDesc ours;
    private CodeBuilder to;
    private CountingFrame frame;
    private int receiverAt = -1;
    /** Where it is told whether the method that is called is one of ours, inherited. */
    private int oursAt = -1;

    CallSite(InvokeInstruction call, Predicate<String> woven) {
        this.call = call;
        this.owner = call.owner().asInternalName();
        this.name = call.name().stringValue();
        this.signature = call.typeSymbol();
        this.constructor = name.equals(ConstantDescs.INIT_NAME);
        this.isStatic = call.opcode() == Opcode.INVOKESTATIC;
        this.own = woven.test(owner);
        this.library = Types.isLibrary(owner);
        this.counted = Types.mayBeCounted(signature.returnType());
        this.given = signature.parameterList().stream().anyMatch(Types::mayBeCounted);
        this.asks = own && !constructor && CountingFrame.asks(signature);
        this.ours = Types.instead(owner, name, signature);
        this.mayLead = counted && Types.mayBeCollection(signature.returnType());
    }

    boolean isConstructor() {
        return constructor;
    }

    boolean isStatic() {
        return isStatic;
    }

    /** Whether its result may be counted. */
    boolean givesCounted() {
        return counted;
    }

    MethodTypeDesc signature() {
        return signature;
    }

    String owner() {
        return owner;
    }

    /** What takes the place of a class that is made; null for the class itself. */
    ClassDesc instead(StackValue receiver) {
        return constructor && receiver.made() >= 0 ? Types.counted(owner) : null;
    }

    /**
     * The call, and how its result is held from then on.
     *
     * @param arguments
     *            those that are unnamed values are given away to a method that counts, as CPython does
     */
    void write(CodeBuilder builder, CountingFrame with, List<StackValue> arguments, StackValue receiver) {
        to = builder;
        frame = with;
        ClassDesc instead = isStatic ? null : instead(receiver);
        if (instead == null) {
            prepare();
            if (asks) {
                arguments.stream().filter(each -> each.temp() >= 0).forEach(each -> giveAway(frame.temp(each.temp())));
            }
            if (ours != null) {
                // it counts what it is given; what is called on an object takes that first
                to.invokestatic(ours, name, isStatic
                        ? signature
                        : signature.insertParameterTypes(0, ClassDesc.ofInternalName(owner)));
            } else {
                to.with(call);
            }
        } else {
            // it counts what it is given
            to.invokespecial(instead, name, signature);
        }
        result();
    }

    private void prepare() {
        if (own && constructor || ours != null) {
            return;
        }
        if (own && isStatic) {
            if (asks) {
                to.loadConstant(CountingFrame.token(name, signature)).invokestatic(LIFETIMES, "calling",
                        MethodTypeDesc.of(CD_void, CD_int));
            }
        } else if (library) {
            if (given) {
                lend();
            }
            if (call.opcode() == Opcode.INVOKEVIRTUAL && Types.isOverridden(owner, name)) {
                mayBeOverridden();
            }
            if (!isStatic && !constructor && mayLead) {
                rememberReceiver();
            }
        } else if ((given || counted) && !Types.isHarmless(owner, name)) {
            pass();
        }
    }

    private void giveAway(int temp) {
        if (oursAt < 0) {
            to.aload(temp).aconst_null().astore(temp);
            call("unhold");
        } else {
            to.aload(temp).iload(oursAt).invokestatic(LIFETIMES, "giveAway",
                    MethodTypeDesc.of(CD_Object, CD_Object, CD_boolean)).astore(temp);
        }
    }

    /** The library borrows what it is given, but for what it says that it keeps, and for code, which it may keep. */
    private void lend() {
        boolean keeps = Types.keeps(owner, name);
        List<ClassDesc> types = signature.parameterList();
        if (Types.isStep(owner, name) || Types.holdsCode(owner, name)) {
            return;
        }
        if (!keeps && types.stream().noneMatch(Types::mayBeCode)) {
            return;
        }
        int[] places = spill(types);
        for (int i = 0; i < places.length; i++) {
            if (Types.mayBeCounted(types.get(i)) && (keeps || Types.mayBeCode(types.get(i)))) {
                boolean leads = Types.isOwner(owner) && !Types.mayBeCode(types.get(i));
                to.aload(places[i]).loadConstant("handed to " + told()).invokestatic(LIFETIMES,
                        leads ? "keep" : "escape", TOLD);
            }
        }
        unspill(types, places);
    }

    /** What is called may be woven: it returns what its caller counts then. */
    private void mayBeOverridden() {
        List<ClassDesc> types = signature.parameterList();
        int[] places = spill(types);
        to.dup().loadConstant(CountingFrame.token(name, signature)).invokestatic(LIFETIMES, "callingOverride",
                MethodTypeDesc.of(CD_void, CD_Object, CD_int));
        unspill(types, places);
    }

    private void rememberReceiver() {
        List<ClassDesc> types = signature.parameterList();
        int[] places = spill(types);
        receiverAt = frame.scratch();
        to.dup().astore(receiverAt);
        unspill(types, places);
    }

    private void escape(int place) {
        to.aload(place).loadConstant("handed to " + told()).invokestatic(LIFETIMES, "escape", TOLD);
    }

    /** The call as one says it, for those who ask why something escaped. */
    private String told() {
        return constructor ? "new " + simple(owner) : told(owner, name);
    }

    /** A member of a class as one says it. */
    static String told(String owner, String member) {
        return simple(owner) + "." + member;
    }

    private static String simple(String owner) {
        return owner.substring(Math.max(owner.lastIndexOf('/'), owner.lastIndexOf('$')) + 1);
    }

    /** Says of each argument that it is given away, if the receiver is none that counts. */
    private void pass() {
        List<ClassDesc> types = signature.parameterList();
        boolean object = !isStatic && !constructor;
        int[] places = spill(types);
        if (object) {
            receiverAt = frame.scratch();
            to.dup().astore(receiverAt);
            if (own) {
                enter();
            }
        }
        for (int i = 0; i < places.length; i++) {
            if (Types.mayBeCounted(types.get(i))) {
                if (object) {
                    to.aload(receiverAt).aload(places[i]).loadConstant("handed to " + told()).invokestatic(LIFETIMES,
                            i == places.length - 1 && Types.runsAndForgets(name) ? "passToRun" : "pass", TOLD_OF_TWO);
                } else {
                    escape(places[i]);
                }
            }
            if (oursAt >= 0 && Types.mayBeCode(types.get(i))) {
                to.aload(places[i]).iload(oursAt).loadConstant("handed to " + told()).invokestatic(LIFETIMES,
                        "lendCode", MethodTypeDesc.of(CD_void, CD_Object, CD_boolean, CD_String));
            }
        }
        if (object && !own && counted) {
            to.aload(receiverAt).loadConstant(Lifetimes.ANY).invokestatic(LIFETIMES, "calling",
                    MethodTypeDesc.of(CD_void, CD_Object, CD_int));
        }
        unspill(types, places);
    }

    /** A method of the program's own is told that its caller counts; but it may be one of ours, inherited. */
    private void enter() {
        oursAt = frame.scratch();
        to.aload(receiverAt);
        if (call.opcode() == Opcode.INVOKESPECIAL) {
            to.loadConstant(ClassDesc.ofInternalName(owner)).loadConstant(CountingFrame.token(name, signature))
                    .invokestatic(LIFETIMES, "callsOurs",
                            MethodTypeDesc.of(CD_boolean, CD_Object, ConstantDescs.CD_Class, CD_int));
        } else {
            to.loadConstant(CountingFrame.token(name, signature)).invokestatic(LIFETIMES, "callsOurs",
                    MethodTypeDesc.of(CD_boolean, CD_Object, CD_int));
        }
        to.istore(oursAt);
    }

    private int[] spill(List<ClassDesc> types) {
        int[] places = new int[types.size()];
        for (int i = places.length - 1; i >= 0; i--) {
            places[i] = frame.scratch();
            to.storeLocal(TypeKind.from(types.get(i)), places[i]);
        }
        return places;
    }

    private void unspill(List<ClassDesc> types, int[] places) {
        for (int i = 0; i < places.length; i++) {
            to.loadLocal(TypeKind.from(types.get(i)), places[i]);
        }
    }

    private void result() {
        if (asks) {
            to.invokestatic(LIFETIMES, "called", OF_NONE);
        }
        if (!counted) {
            return;
        }
        if (mayLead && (library && !constructor || own && oursAt >= 0)) {
            given();
        }
        to.dup();
        if (own) {
            if (receiverAt < 0) {
                call("hold");
            } else {
                holdReturned();
            }
        } else if (library) {
            if (Types.isFresh(owner, name)) {
                call("holdFresh");
            } else if (mayLead && !constructor || Types.isRecord(owner)) {
                call("hold");
            } else {
                to.loadConstant("came from " + told()).invokestatic(LIFETIMES, "holdOwned", TOLD);
            }
        } else if (ours != null || Types.isHarmless(owner, name)) {
            call("hold");
        } else if (receiverAt >= 0) {
            holdReturned();
            to.invokestatic(LIFETIMES, "called", OF_NONE);
        } else {
            holdForeign();
        }
    }

    /** Collections that a method of ours has given are such as hold what is in them. */
    private void given() {
        if (receiverAt < 0) {
            to.aconst_null();
        } else {
            to.aload(receiverAt);
        }
        if (oursAt < 0) {
            to.loadConstant(1);
        } else {
            to.iload(oursAt);
        }
        to.invokestatic(GIVEN, "by", MethodTypeDesc.of(CD_Object, CD_Object, CD_Object, CD_boolean))
                .checkcast(signature.returnType());
    }

    private void holdReturned() {
        if (oursAt >= 0 && Types.makes(name)) {
            to.aload(receiverAt).iload(oursAt).loadConstant("came from " + told()).invokestatic(LIFETIMES,
                    "holdReturned", MethodTypeDesc.of(CD_void, CD_Object, CD_Object, CD_boolean, CD_String));
            return;
        }
        to.aload(receiverAt).loadConstant("came from " + told()).invokestatic(LIFETIMES, "holdReturned", TOLD_OF_TWO);
    }

    private void holdForeign() {
        to.loadConstant("came from " + told()).invokestatic(LIFETIMES, "holdForeign", TOLD);
    }

    private void call(String method) {
        to.invokestatic(LIFETIMES, method, OF_ONE);
    }
}
