package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.internal.cell.StopCheck;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodBuilder;
import java.lang.classfile.MethodElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.PermittedSubclassesAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rewrites a class of a cell: frames name the cell and its lines, methods and loops look whether they shall stop, what
 * comes back from a call whether its cell was left behind, {@code System.exit} becomes a question, by method reference and
 * by reflection too, static initialisers tell that they begin, and what was visible in the package becomes visible to all, because classes of later
 * cells, though in the same package for the compiler, have loaders of their own.
 */
final class Weaver {

    private static final ClassDesc STOP_CHECK = StopCheck.class.describeConstable().orElseThrow();
    private static final ClassDesc STATIC_FIELDS = StaticFields.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc BEGUN_TYPE = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Class);
    private static final ClassDesc EXIT = ExitRequest.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc EXIT_TYPE = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
    private static final MethodTypeDesc RUNTIME_EXIT_TYPE = MethodTypeDesc.of(ConstantDescs.CD_void,
            ClassDesc.of("java.lang.Runtime"), ConstantDescs.CD_int);

    private static final MethodTypeDesc REFLECTED_TYPE = MethodTypeDesc.of(ConstantDescs.CD_void,
            ClassDesc.of("java.lang.reflect.Method"), ConstantDescs.CD_Object.arrayType());

    private final SnippetLines lines;
    private final ClassDesc type;
    private final Looks looks;

    /** Where code looks whether it shall stop. */
    private enum Looks {
        AFTER_CALLS, IN_LOOPS, NOWHERE
    }

    private Weaver(SnippetLines lines, ClassDesc type, Looks looks) {
        this.lines = lines;
        this.type = type;
        this.looks = looks;
    }

    /**
     * The class as it shall be defined; {@code lines} may be null to leave its lines as they are. What is put in makes methods
     * larger; where one would be larger than the JVM takes it, less is put in.
     */
    static byte[] weave(byte[] bytes, SnippetLines lines) {
        byte[] woven = CellWeavers.weave(bytes);
        try {
            return weave(woven, lines, Looks.AFTER_CALLS);
        } catch (IllegalArgumentException tooLarge) {
            byte[] plain = woven == bytes ? bytes : CellWeavers.withdraw(bytes, "a method would be too large");
            return lessAndLess(plain, lines);
        }
    }

    private static byte[] lessAndLess(byte[] plain, SnippetLines lines) {
        for (Looks each : List.of(Looks.AFTER_CALLS, Looks.IN_LOOPS)) {
            try {
                return weave(plain, lines, each);
            } catch (IllegalArgumentException tooLarge) {
                // the next looks less often
            }
        }
        return weave(plain, lines, Looks.NOWHERE);
    }

    private static byte[] weave(byte[] bytes, SnippetLines lines, Looks looks) {
        ClassModel model = CompiledFrames.FILE.parse(bytes);
        return CompiledFrames.FILE.transformClass(model,
                new Weaver(lines, model.thisClass().asSymbol(), looks)::element);
    }

    private void element(ClassBuilder builder, ClassElement element) {
        switch (element) {
            case AccessFlags flags -> builder.withFlags(opened(flags.flagsMask()));
            case SourceFileAttribute source when lines != null -> builder.with(SourceFileAttribute.of(lines.file()));
            case PermittedSubclassesAttribute _ -> {
                // subclasses of a sealed type must be in its module, and every loader has one of its own
            }
            case FieldModel field -> builder.transformField(field, (to, part) -> {
                if (part instanceof AccessFlags flags) {
                    to.withFlags(opened(flags.flagsMask()));
                } else {
                    to.with(part);
                }
            });
            case MethodModel method -> {
                boolean initialises = method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME);
                builder.transformMethod(method, (to, part) -> element(to, part, initialises));
            }
            default -> builder.with(element);
        }
    }

    private void element(MethodBuilder builder, MethodElement element, boolean initialises) {
        switch (element) {
            case AccessFlags flags -> builder.withFlags(opened(flags.flagsMask()));
            case CodeModel code ->
                builder.transformCode(code, CodeTransform
                        .ofStateful(
                                () -> CompiledFrames.keeping(code,
                                        new Body(lines, initialises ? type : null, code, looks))));
            default -> builder.with(element);
        }
    }

    private static int opened(int flags) {
        return (flags & ClassFile.ACC_PRIVATE) != 0 ? flags : flags & ~ClassFile.ACC_PROTECTED | ClassFile.ACC_PUBLIC;
    }

    private static final class Body implements CodeTransform {

        private final SnippetLines lines;
        /** The class that this code initialises, or null. */
        private final ClassDesc initialised;
        private final Set<Label> passed = new HashSet<>();
        private final Optional<LineNumber> firstLine;
        private final Set<Label> handlers = new HashSet<>();
        private final Looks looks;
        private boolean entered;

        Body(SnippetLines lines, ClassDesc initialised, CodeModel code, Looks looks) {
            this.lines = lines;
            this.looks = looks;
            this.initialised = initialised;
            this.firstLine = code.elementStream().filter(LineNumber.class::isInstance).map(LineNumber.class::cast)
                    .findFirst();
            code.exceptionHandlers().forEach(each -> handlers.add(each.handler()));
            // one that guards itself, as that of a synchronized block does, would never end
            code.exceptionHandlers().stream().filter(each -> each.tryStart().equals(each.handler()))
                    .forEach(each -> handlers.remove(each.handler()));
        }

        @Override
        public void atStart(CodeBuilder builder) {
            // a frame that stops here shall have a line; and it is before any label, of which one may say where an object
            // is made that is not yet initialised
            firstLine.ifPresent(each -> translate(builder, each));
            enter(builder);
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
            translate(builder, element);
        }

        private void translate(CodeBuilder builder, CodeElement element) {
            if (entered && element instanceof Instruction) {
                // within what the compiler guards, so that the monitor is given back
                entered = false;
                checkAbandoned(builder);
            }
            switch (element) {
                case LineNumber number when lines != null -> builder.lineNumber(lines.cellLine(number.line()));
                case LabelTarget target -> {
                    passed.add(target.label());
                    builder.with(target);
                    if (handlers.contains(target.label())) {
                        checkAbandoned(builder);
                    }
                }
                case MonitorInstruction monitor when monitor.opcode() == Opcode.MONITORENTER -> {
                    builder.with(monitor);
                    entered = true;
                }
                case BranchInstruction branch when passed.contains(branch.target()) -> {
                    check(builder);
                    builder.with(branch);
                }
                case InvokeInstruction call when ends(call) ->
                    builder.invokestatic(EXIT, "asked",
                            call.opcode() == Opcode.INVOKESTATIC ? EXIT_TYPE : RUNTIME_EXIT_TYPE);
                case InvokeInstruction call -> {
                    if (isReflection(call)) {
                        reflect(builder);
                    }
                    builder.with(call);
                    if (mayTakeLong(call)) {
                        checkAbandoned(builder);
                    }
                }
                case InvokeDynamicInstruction call when call.bootstrapArgs().stream().anyMatch(Body::ends) ->
                    builder.invokedynamic(DynamicCallSiteDesc.of(call.bootstrapMethod(), call.name().stringValue(),
                            call.typeSymbol(),
                            call.bootstrapArgs().stream().map(Body::asking).toArray(ConstantDesc[]::new)));
                default -> builder.with(element);
            }
        }

        private void enter(CodeBuilder builder) {
            if (initialised != null) {
                builder.ldc(initialised).invokestatic(STATIC_FIELDS, "begun", BEGUN_TYPE);
            }
            check(builder);
        }

        private void check(CodeBuilder builder) {
            if (looks != Looks.NOWHERE) {
                builder.invokestatic(STOP_CHECK, "check", ConstantDescs.MTD_void);
            }
        }

        private void checkAbandoned(CodeBuilder builder) {
            if (looks == Looks.AFTER_CALLS) {
                builder.invokestatic(STOP_CHECK, "checkAbandoned", ConstantDescs.MTD_void);
            }
        }

        /** The everyday calls that wait for nothing are spared. */
        private static boolean mayTakeLong(InvokeInstruction call) {
            String owner = call.owner().asInternalName();
            if (!owner.startsWith("java/lang/")) {
                return !CellWeavers.isTheirs(owner);
            }
            return owner.startsWith("java/lang/Thread") || owner.startsWith("java/lang/Process")
                    || owner.equals("java/lang/Object") && !call.name().equalsString(ConstantDescs.INIT_NAME)
                    || owner.indexOf('/', "java/lang/".length()) > 0 || owner.equals("java/lang/Iterable")
                    || owner.equals("java/lang/Runnable") || owner.equals("java/lang/AutoCloseable")
                    || owner.equals("java/lang/Runtime") || owner.equals("java/lang/Readable");
        }

        private static boolean ends(InvokeInstruction call) {
            return ends(call.owner().asInternalName(), call.name().stringValue());
        }

        private static boolean ends(String owner, String method) {
            return switch (owner) {
                case "java/lang/System" -> method.equals("exit");
                case "java/lang/Runtime" -> method.equals("exit") || method.equals("halt");
                default -> false;
            };
        }

        /** {@code System::exit}. */
        private static boolean ends(ConstantDesc argument) {
            return argument instanceof DirectMethodHandleDesc handle
                    && handle.owner().packageName().equals("java.lang")
                    && ends("java/lang/" + handle.owner().displayName(), handle.methodName());
        }

        private static ConstantDesc asking(ConstantDesc argument) {
            if (!ends(argument)) {
                return argument;
            }
            return MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.STATIC, EXIT, "asked",
                    ((DirectMethodHandleDesc) argument).kind() == DirectMethodHandleDesc.Kind.STATIC
                            ? EXIT_TYPE
                            : RUNTIME_EXIT_TYPE);
        }

        private static boolean isReflection(InvokeInstruction call) {
            return call.owner().asInternalName().equals("java/lang/reflect/Method")
                    && call.name().equalsString("invoke");
        }

        /** Shows the method that is about to be called, and with what, without moving the call to another caller. */
        private static void reflect(CodeBuilder builder) {
            int arguments = builder.allocateLocal(TypeKind.REFERENCE);
            int object = builder.allocateLocal(TypeKind.REFERENCE);
            builder.astore(arguments).astore(object).dup().aload(arguments)
                    .invokestatic(EXIT, "reflected", REFLECTED_TYPE).aload(object).aload(arguments);
        }
    }
}
