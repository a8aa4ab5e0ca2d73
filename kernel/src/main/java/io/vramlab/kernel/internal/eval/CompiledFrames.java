package io.vramlab.kernel.internal.eval;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.attribute.StackMapTableAttribute;

/**
 * Rewrites methods and keeps the stack map frames that the compiler made: where branches meet, it knew the common
 * supertype of the user's classes, which to find again would need all of them. So what is added to a method may neither
 * branch nor change the types of its locals or stack.
 */
final class CompiledFrames {

    /**
     * Makes no frames of its own, and refuses what needs one more: a jump that has become too far for a short one.
     */
    static final ClassFile FILE = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS,
            ClassFile.ShortJumpsOption.FAIL_ON_SHORT_JUMPS);

    private CompiledFrames() {
    }

    /** The transform of {@code code} that {@code each} describes, with the frames that {@code code} has. */
    static CodeTransform keeping(CodeModel code, CodeTransform each) {
        return new CodeTransform() {
            @Override
            public void atStart(CodeBuilder builder) {
                // made anew: a copied attribute would keep the old offsets
                code.findAttribute(Attributes.stackMapTable())
                        .ifPresent(frames -> builder.with(StackMapTableAttribute.of(frames.entries())));
                each.atStart(builder);
            }

            @Override
            public void accept(CodeBuilder builder, CodeElement element) {
                if (!(element instanceof StackMapTableAttribute)) {
                    each.accept(builder, element);
                }
            }

            @Override
            public void atEnd(CodeBuilder builder) {
                each.atEnd(builder);
            }
        };
    }
}
