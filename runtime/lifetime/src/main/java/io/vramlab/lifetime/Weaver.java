package io.vramlab.lifetime;

import static java.lang.constant.ConstantDescs.CD_void;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Interfaces;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Puts CPython's reference counting into a class: see {@link Lifetimes} for what is counted and {@link CountingCode} for
 * how. Objects of woven classes are counted themselves ({@link Counted}).
 */
public final class Weaver {

    private static final ClassDesc LIFETIMES = Lifetimes.class.describeConstable().orElseThrow();
    private static final ClassDesc COUNTED = Counted.class.describeConstable().orElseThrow();
    private static final ClassDesc COUNT = HolderCount.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc COUNT_TYPE = MethodTypeDesc.of(COUNT);
    /** A jump that has become too far could be made a long one, but not with the map that is given here. */
    private static final ClassFile FILE = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS,
            ClassFile.ShortJumpsOption.FAIL_ON_SHORT_JUMPS);
    /** Of the 65,535 bytes that a method may have; others weave more into it. */
    private static final int LARGEST = 45_000;
    private static final int SYNTHETIC = ClassFile.ACC_PUBLIC | ClassFile.ACC_SYNTHETIC;

    private final ClassModel model;
    private final ClassDesc type;
    private final String superclass;
    private final Predicate<String> woven;
    private final boolean counts;

    private Weaver(ClassModel model, Predicate<String> woven) {
        this.model = model;
        this.type = model.thisClass().asSymbol();
        this.superclass = model.superclass().map(ClassEntry::asInternalName).orElse("");
        this.woven = woven;
        this.counts = !model.flags().has(AccessFlag.INTERFACE);
    }

    /**
     * The class with counting.
     *
     * @param classFile
     *            as javac made it
     * @param woven
     *            which classes, by their names with slashes, are woven too
     * @throws IllegalArgumentException
     *             if it cannot count: a method would be too large, or is none that javac makes. Then no class that is woven
     *             later may take it for one that is
     */
    public static byte[] weave(byte[] classFile, Predicate<String> woven) {
        if (Plain.is(FILE.parse(classFile), woven)) {
            return classFile;
        }
        byte[] bridged = MethodReferences.bridged(classFile, woven);
        ClassModel model = FILE.parse(bridged);
        byte[] counting = FILE.transformClass(model, new Weaver(model, woven)::element);
        FILE.parse(counting).methods().stream().flatMap(each -> each.findAttribute(Attributes.code()).stream())
                .filter(each -> each.codeLength() > LARGEST).findFirst().ifPresent(each -> {
                    throw new IllegalArgumentException(
                            "a method of %d bytes is too large".formatted(each.codeLength()));
                });
        return counting;
    }

    private List<FieldModel> members() {
        return model.fields().stream().filter(each -> !each.flags().has(AccessFlag.STATIC))
                .filter(each -> Types.mayBeCounted(each.fieldTypeSymbol())).toList();
    }

    private void element(ClassBuilder builder, ClassElement element) {
        switch (element) {
            case Interfaces interfaces when counts -> {
                List<ClassDesc> all = new ArrayList<>(interfaces.interfaces().stream().map(ClassEntry::asSymbol)
                        .toList());
                all.add(COUNTED);
                builder.withInterfaceSymbols(all);
                members(builder);
            }
            case MethodModel method -> builder.transformMethod(method, (to, part) -> {
                if (part instanceof CodeModel code) {
                    to.transformCode(code, body(method, code));
                } else {
                    to.with(part);
                }
            });
            default -> builder.with(element);
        }
    }

    private CodeTransform body(MethodModel method, CodeModel code) {
        CountingCode counting = new CountingCode(type, superclass, method, code, woven, counts);
        return new CodeTransform() {
            @Override
            public void atStart(CodeBuilder builder) {
                counting.write(builder);
            }

            @Override
            public void accept(CodeBuilder builder, CodeElement element) {
                // written at the start
            }
        };
    }

    private void members(ClassBuilder builder) {
        boolean inherits = woven.test(superclass);
        builder.withField(CountingCode.COUNT_FIELD, COUNT,
                SYNTHETIC | ClassFile.ACC_TRANSIENT);
        builder.withMethodBody("holderCount$", COUNT_TYPE, SYNTHETIC,
                code -> code.aload(0).getfield(type, CountingCode.COUNT_FIELD, COUNT).areturn());
        builder.withMethodBody("dropMembers$", MethodTypeDesc.of(CD_void), SYNTHETIC, code -> {
            members().forEach(each -> code.aload(0)
                    .getfield(type, each.fieldName().stringValue(), each.fieldTypeSymbol())
                    .invokestatic(LIFETIMES, "drop", MethodTypeDesc.of(CD_void, ConstantDescs.CD_Object)));
            if (inherits) {
                code.aload(0).invokespecial(ClassDesc.ofInternalName(superclass), "dropMembers$",
                        MethodTypeDesc.of(CD_void));
            }
            code.return_();
        });
    }
}
