package io.vramlab.kernel.eval;

import io.vramlab.kernel.cell.StopCheck;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
import java.util.Set;

/**
 * Rewrites a class that JShell generated: frames name the cell and its lines, methods and loops look whether they shall
 * stop, {@code System.exit} becomes a question.
 */
final class Weaver {

    private static final ClassDesc STOP_CHECK = StopCheck.class.describeConstable().orElseThrow();
    private static final ClassDesc EXIT = ExitRequest.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc EXIT_TYPE = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
    private static final MethodTypeDesc RUNTIME_EXIT_TYPE = MethodTypeDesc.of(ConstantDescs.CD_void,
            ClassDesc.of("java.lang.Runtime"), ConstantDescs.CD_int);

    private Weaver() {
    }

    /** The class as it shall be defined. */
    static byte[] weave(byte[] bytes, CellLines lines) {
        ClassFile classFile = ClassFile.of();
        ClassTransform code = ClassTransform.transformingMethodBodies(CodeTransform.ofStateful(() -> new Body(lines)));
        ClassTransform source = ClassTransform
                .dropping(element -> lines != null && element instanceof SourceFileAttribute)
                .andThen(ClassTransform.endHandler(builder -> {
                    if (lines != null) {
                        builder.with(SourceFileAttribute.of(lines.file()));
                    }
                }));
        return classFile.transformClass(classFile.parse(bytes), code.andThen(source));
    }

    private static final class Body implements CodeTransform {

        private final CellLines lines;
        private final Set<Label> passed = new HashSet<>();

        Body(CellLines lines) {
            this.lines = lines;
        }

        @Override
        public void atStart(CodeBuilder builder) {
            check(builder);
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
            switch (element) {
                case LineNumber number when lines != null -> builder.lineNumber(lines.cellLine(number.line()));
                case LabelTarget target -> {
                    passed.add(target.label());
                    builder.with(target);
                }
                case BranchInstruction branch when passed.contains(branch.target()) -> {
                    check(builder);
                    builder.with(branch);
                }
                case InvokeInstruction call when ends(call) -> ask(builder, call);
                default -> builder.with(element);
            }
        }

        private static void check(CodeBuilder builder) {
            builder.invokestatic(STOP_CHECK, "check", ConstantDescs.MTD_void);
        }

        private static boolean ends(InvokeInstruction call) {
            String method = call.name().stringValue();
            return switch (call.owner().asInternalName()) {
                case "java/lang/System" -> method.equals("exit");
                case "java/lang/Runtime" -> method.equals("exit") || method.equals("halt");
                default -> false;
            };
        }

        private static void ask(CodeBuilder builder, InvokeInstruction call) {
            builder.invokestatic(EXIT, "asked", call.opcode() == Opcode.INVOKESTATIC ? EXIT_TYPE : RUNTIME_EXIT_TYPE);
        }
    }
}
