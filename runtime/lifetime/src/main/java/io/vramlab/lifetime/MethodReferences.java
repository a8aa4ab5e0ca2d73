package io.vramlab.lifetime;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DirectMethodHandleDesc.Kind;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes lambdas of references to methods that are not woven ({@code list::add}), so that the calls can be. */
final class MethodReferences {

    private static final ClassFile FILE = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS,
            ClassFile.ShortJumpsOption.FAIL_ON_SHORT_JUMPS);

    private record Bridge(String name, MethodTypeDesc signature, DirectMethodHandleDesc target) {
    }

    private final ClassDesc type;
    private final boolean isInterface;
    private final Predicate<String> woven;
    private final List<Bridge> bridges = new ArrayList<>();

    private MethodReferences(ClassModel model, Predicate<String> woven) {
        this.type = model.thisClass().asSymbol();
        this.isInterface = model.flags().has(AccessFlag.INTERFACE);
        this.woven = woven;
    }

    static byte[] bridged(byte[] classFile, Predicate<String> woven) {
        ClassModel model = FILE.parse(classFile);
        if (!namesDynamicCalls(model)) {
            return classFile;
        }
        MethodReferences references = new MethodReferences(model, woven);
        byte[] bridged = FILE.transformClass(model, ((ClassTransform) (builder, element) -> {
            if (element instanceof MethodModel method) {
                builder.transformMethod(method, (to, part) -> {
                    if (part instanceof CodeModel code) {
                        to.transformCode(code, references.body(code));
                    } else {
                        to.with(part);
                    }
                });
            } else {
                builder.with(element);
            }
        }).andThen(ClassTransform.endHandler(builder -> references.bridges.forEach(each -> builder.withMethodBody(
                each.name(), each.signature(),
                ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC | ClassFile.ACC_PRIVATE, code -> body(code, each))))));
        return references.bridges.isEmpty() ? classFile : bridged;
    }

    private static boolean namesDynamicCalls(ClassModel model) {
        for (PoolEntry each : model.constantPool()) {
            if (each instanceof InvokeDynamicEntry) {
                return true;
            }
        }
        return false;
    }

    private CodeTransform body(CodeModel code) {
        return new CodeTransform() {
            @Override
            public void atStart(CodeBuilder builder) {
                // made anew: a copied attribute would keep the old offsets
                code.findAttribute(Attributes.stackMapTable())
                        .ifPresent(frames -> builder.with(StackMapTableAttribute.of(frames.entries())));
            }

            @Override
            public void accept(CodeBuilder builder, CodeElement element) {
                if (element instanceof InvokeDynamicInstruction call && isReference(call)) {
                    rewrite(builder, call);
                } else if (!(element instanceof StackMapTableAttribute)) {
                    builder.with(element);
                }
            }
        };
    }

    private boolean isReference(InvokeDynamicInstruction call) {
        return call.bootstrapMethod().owner().displayName().equals("LambdaMetafactory")
                && call.bootstrapArgs().get(1) instanceof DirectMethodHandleDesc handle
                && !woven.test(Types.internal(handle.owner()));
    }

    private void rewrite(CodeBuilder builder, InvokeDynamicInstruction call) {
        DirectMethodHandleDesc target = (DirectMethodHandleDesc) call.bootstrapArgs().get(1);
        // a static method takes what is captured as exactly what it is, where the reference may name its superclass
        MethodTypeDesc signature = target.invocationType();
        List<ClassDesc> captured = call.typeSymbol().parameterList();
        for (int i = 0; i < captured.size(); i++) {
            signature = signature.changeParameterType(i, captured.get(i));
        }
        Bridge bridge = new Bridge("bridge$" + bridges.size(), signature, target);
        bridges.add(bridge);
        List<ConstantDesc> arguments = new ArrayList<>(call.bootstrapArgs());
        arguments.set(1,
                MethodHandleDesc.ofMethod(isInterface ? Kind.INTERFACE_STATIC : Kind.STATIC, type, bridge.name(),
                        bridge.signature()));
        builder.invokedynamic(DynamicCallSiteDesc.of(call.bootstrapMethod(), call.name().stringValue(),
                call.typeSymbol(), arguments.toArray(ConstantDesc[]::new)));
    }

    private static void body(CodeBuilder code, Bridge bridge) {
        DirectMethodHandleDesc target = bridge.target();
        if (target.kind() == Kind.CONSTRUCTOR) {
            code.new_(target.owner()).dup();
        }
        int slot = 0;
        for (ClassDesc each : bridge.signature().parameterList()) {
            code.loadLocal(TypeKind.from(each), slot);
            slot += TypeKind.from(each).slotSize();
        }
        MethodTypeDesc type = MethodTypeDesc.ofDescriptor(target.lookupDescriptor());
        switch (target.kind()) {
            case STATIC -> code.invokestatic(target.owner(), target.methodName(), type);
            case INTERFACE_STATIC -> code.invokestatic(target.owner(), target.methodName(), type, true);
            case VIRTUAL -> code.invokevirtual(target.owner(), target.methodName(), type);
            case INTERFACE_VIRTUAL -> code.invokeinterface(target.owner(), target.methodName(), type);
            case CONSTRUCTOR -> code.invokespecial(target.owner(), ConstantDescs.INIT_NAME,
                    type.changeReturnType(ConstantDescs.CD_void));
            default -> throw new OperandStack.Uncountable("a reference " + target);
        }
        code.return_(TypeKind.from(bridge.signature().returnType()));
    }
}
