package io.vramlab.kernel.internal.eval;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.CallSite;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes a class that JShell made for a snippet apart. Its <em>holder</em> has its name, its fields, and methods that only
 * pass calls on; it stays when the snippet is declared again. Its <em>code</em> has the bodies, and goes: otherwise every
 * run of a declaration would leave behind the classes of the lambdas in it, which live as long as the class around them.
 */
final class SplitSnippet {

    private static final String HOLDER = "$JShell$";
    private static final String CODE = "$Code$";
    private static final String ENTRY = "do_it$";
    private static final DirectMethodHandleDesc LINK = MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.STATIC,
            SnippetCode.class.describeConstable().orElseThrow(), "link",
            MethodTypeDesc.of(CallSite.class.describeConstable().orElseThrow(), ConstantDescs.CD_MethodHandles_Lookup,
                    ConstantDescs.CD_String, ConstantDescs.CD_MethodType));

    private final ClassModel model;
    private final ClassDesc type;
    private final ClassDesc code;
    private final Set<String> ownFields;

    private SplitSnippet(ClassModel model) {
        this.model = model;
        this.type = model.thisClass().asSymbol();
        this.code = ClassDesc.of(codeName(type.packageName() + "." + type.displayName()));
        this.ownFields = model.fields().stream().filter(each -> each.flags().has(AccessFlag.SYNTHETIC))
                .map(each -> each.fieldName().stringValue()).collect(Collectors.toSet());
    }

    /** A class is not taken apart if it is nested or others are nested in it: they share their private members. */
    static boolean canSplit(byte[] bytes) {
        ClassModel model = ClassFile.of().parse(bytes);
        return model.findAttribute(Attributes.nestMembers()).isEmpty()
                && model.findAttribute(Attributes.nestHost()).isEmpty()
                && model.methods().stream().anyMatch(each -> !isConstructor(each));
    }

    /** Whether a class has lines of a cell: one that only others are nested in has none. */
    static boolean hasCode(byte[] bytes) {
        ClassModel model = ClassFile.of().parse(bytes);
        return model.findAttribute(Attributes.nestHost()).isPresent()
                || model.methods().stream().anyMatch(each -> !isConstructor(each));
    }

    /** The two halves of a class. */
    static SplitSnippet of(byte[] bytes) {
        return new SplitSnippet(CompiledFrames.FILE.parse(bytes));
    }

    /** The name of the class with the code of the class of that name. */
    static String codeName(String className) {
        return className.replace(HOLDER, CODE);
    }

    /** Whether the holder of another version would be the same class as this one's. */
    boolean sameHolder(SplitSnippet other) {
        return shape().equals(other.shape());
    }

    private Set<String> shape() {
        Stream<String> fields = model.fields().stream().filter(each -> !each.flags().has(AccessFlag.SYNTHETIC))
                .map(each -> each.flags().flagsMask() + " " + each.fieldName() + " " + each.fieldType());
        Stream<String> methods = model.methods().stream().filter(SplitSnippet::passedOn)
                .map(each -> each.flags().flagsMask() + " " + each.methodName() + each.methodType());
        return Stream.concat(fields, methods).collect(Collectors.toSet());
    }

    private static boolean isConstructor(MethodModel method) {
        return method.methodName().equalsString(ConstantDescs.INIT_NAME);
    }

    /** A method that the user declared, which code of other snippets may call. */
    private static boolean passedOn(MethodModel method) {
        return !method.flags().has(AccessFlag.PRIVATE) && !method.flags().has(AccessFlag.SYNTHETIC)
                && !isConstructor(method) && !method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME)
                && !method.methodName().equalsString(ENTRY);
    }

    /** The class that stays. */
    byte[] holder() {
        return CompiledFrames.FILE.transformClass(model, this::holder);
    }

    private void holder(ClassBuilder builder, ClassElement element) {
        switch (element) {
            case AccessFlags flags -> builder.withFlags(flags.flagsMask() | ClassFile.ACC_PUBLIC);
            case SourceFileAttribute _ -> {
                // a frame that only passes a call on is not to be seen
            }
            case FieldModel field when field.flags().has(AccessFlag.SYNTHETIC) -> {
                // the code's own
            }
            case MethodModel method when isConstructor(method) -> builder.with(method);
            case MethodModel method when passedOn(method) -> builder.transformMethod(method, (to, part) -> {
                if (part instanceof CodeModel) {
                    to.withCode(body -> passOn(body, method));
                } else {
                    to.with(part);
                }
            });
            case MethodModel _ -> {
                // the code's own
            }
            default -> builder.with(element);
        }
    }

    private static void passOn(CodeBuilder body, MethodModel method) {
        MethodTypeDesc signature = method.methodTypeSymbol();
        int slot = 0;
        for (ClassDesc parameter : signature.parameterList()) {
            TypeKind kind = TypeKind.from(parameter);
            body.loadLocal(kind, slot);
            slot += kind.slotSize();
        }
        body.invokedynamic(DynamicCallSiteDesc.of(LINK, method.methodName().stringValue(), signature));
        body.return_(TypeKind.from(signature.returnType()));
    }

    /** The class that goes, as the compiler would have made it. */
    byte[] code() {
        return CompiledFrames.FILE.transformClass(model, code, (builder, element) -> {
            switch (element) {
                case FieldModel field when !field.flags().has(AccessFlag.SYNTHETIC) -> {
                    // the holder's
                }
                case NestMembersAttribute _ -> {
                    // the holder's
                }
                case MethodModel method -> builder.transformMethod(method, (to, part) -> {
                    if (part instanceof CodeModel body) {
                        to.transformCode(body, CompiledFrames.keeping(body, this::moved));
                    } else {
                        to.with(part);
                    }
                });
                default -> builder.with(element);
            }
        });
    }

    private void moved(CodeBuilder builder, CodeElement element) {
        switch (element) {
            case InvokeInstruction call when call.owner().asSymbol().equals(type) ->
                builder.invoke(call.opcode(), code, call.name().stringValue(), call.typeSymbol(), call.isInterface());
            case FieldInstruction access when access.owner().asSymbol().equals(type)
                    && ownFields.contains(access.name().stringValue()) ->
                builder.fieldAccess(access.opcode(), code, access.name().stringValue(), access.typeSymbol());
            case InvokeDynamicInstruction call -> builder.invokedynamic(moved(call));
            default -> builder.with(element);
        }
    }

    private DynamicCallSiteDesc moved(InvokeDynamicInstruction call) {
        List<ConstantDesc> arguments = call.bootstrapArgs().stream().map(this::moved).toList();
        return DynamicCallSiteDesc.of(call.bootstrapMethod(), call.name().stringValue(), call.typeSymbol(),
                arguments.toArray(ConstantDesc[]::new));
    }

    private ConstantDesc moved(ConstantDesc argument) {
        return argument instanceof DirectMethodHandleDesc handle && handle.owner().equals(type)
                && handle.kind() == DirectMethodHandleDesc.Kind.STATIC
                        ? MethodHandleDesc.ofMethod(handle.kind(), code, handle.methodName(), handle.invocationType())
                        : argument;
    }
}
