package io.vramlab.lifetime;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.function.Predicate;

/** Tells classes in which there is nothing to count, as a cell's that adds two numbers, by what they name alone. */
final class Plain {

    private Plain() {
    }

    /**
     * Whether a class has static methods alone, and neither they nor its fields touch what may be counted. A call of woven
     * code does, whatever its signature: if it throws, the caller has to forget what the exception keeps.
     */
    static boolean is(ClassModel model, Predicate<String> woven) {
        return model.superclass().map(each -> each.asInternalName().equals("java/lang/Object")).orElse(false)
                && model.interfaces().isEmpty()
                && model.findAttribute(Attributes.nestMembers()).isEmpty()
                && model.findAttribute(Attributes.nestHost()).isEmpty()
                && model.fields().stream().noneMatch(each -> Types.mayBeCounted(each.fieldTypeSymbol()))
                && model.methods().stream().allMatch(each -> takesNothing(each.methodTypeSymbol())
                        && (each.flags().has(AccessFlag.STATIC)
                                || each.methodName().equalsString(ConstantDescs.INIT_NAME)))
                && namesNothing(model, woven);
    }

    private static boolean takesNothing(MethodTypeDesc signature) {
        return signature.parameterList().stream().noneMatch(Types::mayBeCounted);
    }

    private static boolean namesNothing(ClassModel model, Predicate<String> woven) {
        for (PoolEntry each : model.constantPool()) {
            if (each instanceof InvokeDynamicEntry
                    || each instanceof MemberRefEntry member && !isPlain(member, woven)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlain(MemberRefEntry member, Predicate<String> woven) {
        String type = member.type().stringValue();
        if (!type.startsWith("(")) {
            return !Types.mayBeCounted(ClassDesc.ofDescriptor(type));
        }
        MethodTypeDesc signature = MethodTypeDesc.ofDescriptor(type);
        boolean makes = member.name().equalsString(ConstantDescs.INIT_NAME)
                && !member.owner().asInternalName().equals("java/lang/Object");
        return !makes && !woven.test(member.owner().asInternalName()) && takesNothing(signature)
                && !Types.mayBeCounted(signature.returnType());
    }
}
