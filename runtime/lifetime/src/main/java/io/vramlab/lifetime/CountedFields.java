package io.vramlab.lifetime;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Reads and writes of fields: a field of a class that counts holds what is put into it. */
final class CountedFields {

    private static final MethodTypeDesc TOLD = MethodTypeDesc.of(CD_void, CD_Object, ConstantDescs.CD_String);

    private final ClassDesc type;
    /** The names of those that this class declares. */
    private final Set<String> fields;
    private final Predicate<String> woven;
    private final HeldValues values;

    /**
     * Those of one method.
     *
     * @param type
     *            whose method it is
     * @param fields
     *            the names of those that this class declares
     * @param woven
     *            which classes count
     * @param values
     *            what is on the stack
     */
    CountedFields(ClassDesc type, Set<String> fields, Predicate<String> woven, HeldValues values) {
        this.type = type;
        this.fields = fields;
        this.woven = woven;
        this.values = values;
    }

    /** Follows one; {@code initialised} unless the constructor of the class above is still to be called. */
    void follow(FieldInstruction field, boolean initialised) {
        boolean counted = Types.mayBeCounted(field.typeSymbol());
        boolean own = woven.test(field.owner().asInternalName());
        switch (field.opcode()) {
            case GETSTATIC, GETFIELD -> {
                List<StackValue> object = field.opcode() == Opcode.GETFIELD ? values.stack.pop(1) : List.of();
                values.emit(field);
                if (counted) {
                    if (values.writes()) {
                        values.to.dup();
                        callFor(field, own, "holdForeign", "came from ");
                    }
                    values.consumed(object);
                    values.stack.push(StackValue.REFERENCE);
                    values.keep();
                } else {
                    values.consumed(object);
                    values.push(field.typeSymbol());
                }
            }
            case PUTSTATIC -> {
                StackValue value = values.stack.pop();
                if (counted && values.writes()) {
                    values.to.dup();
                    callFor(field, own, "escape", "put into ");
                    if (own) {
                        values.to.with(FieldInstruction.of(Opcode.GETSTATIC, field.field()));
                        values.to.swap();
                    }
                }
                values.emit(field);
                if (counted && own && values.writes()) {
                    values.call("drop");
                }
                values.consumed(List.of(value));
            }
            default -> put(field, counted, own, initialised);
        }
    }

    private void put(FieldInstruction field, boolean counted, boolean own, boolean initialised) {
        StackValue value = values.stack.pop();
        StackValue object = values.stack.pop();
        if (!values.writes()) {
            return;
        }
        if (!counted) {
            values.emit(field);
        } else if (!initialised) {
            values.to.dup();
            callFor(field, own, "escape", "put into ");
            values.emit(field);
        } else if (!own || !fields.contains(field.name().stringValue()) || !field.owner().asSymbol().equals(type)) {
            putElsewhere(field);
        } else {
            int valueAt = values.frame.scratch();
            int objectAt = values.frame.scratch();
            values.to.astore(valueAt).dup().astore(objectAt)
                    .with(FieldInstruction.of(Opcode.GETFIELD, field.field()));
            values.to.aload(valueAt);
            values.call("hold");
            values.to.aload(objectAt).aload(valueAt);
            values.emit(field);
            values.call("drop");
        }
        values.consumed(List.of(value, object));
    }

    /** A class that this one extends may have the field, which may be one of ours. */
    private void putElsewhere(FieldInstruction field) {
        int valueAt = values.frame.scratch();
        int objectAt = values.frame.scratch();
        int oldAt = values.frame.scratch();
        values.to.astore(valueAt).dup().astore(objectAt).with(FieldInstruction.of(Opcode.GETFIELD, field.field()))
                .astore(oldAt).aload(objectAt).aload(valueAt);
        values.emit(field);
        String name = field.name().stringValue();
        values.to.aload(objectAt).aload(oldAt).aload(valueAt).loadConstant(field.owner().asSymbol()).loadConstant(name)
                .loadConstant("put into " + CallSite.told(field.owner().asInternalName(), name))
                .invokestatic(HeldValues.LIFETIMES, "put", MethodTypeDesc.of(CD_void, CD_Object, CD_Object, CD_Object,
                        ConstantDescs.CD_Class, ConstantDescs.CD_String, ConstantDescs.CD_String));
    }

    /** Holds what is on the stack for a field of the program's own, or tells what a field of others does to it. */
    private void callFor(FieldInstruction field, boolean own, String otherwise, String how) {
        if (own) {
            values.call("hold");
        } else {
            boolean owned = otherwise.equals("holdForeign") && Types.isLibrary(field.owner().asInternalName());
            values.to.loadConstant(how + CallSite.told(field.owner().asInternalName(), field.name().stringValue()))
                    .invokestatic(HeldValues.LIFETIMES, owned ? "holdOwned" : otherwise, TOLD);
        }
    }
}
