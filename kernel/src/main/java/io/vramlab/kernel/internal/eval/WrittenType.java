package io.vramlab.kernel.internal.eval;

import java.util.Optional;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** Types as source. */
final class WrittenType {

    private WrittenType() {
    }

    /** The type, if it is one that a program can write as it is: not one without a name, not several at once. */
    static Optional<String> of(TypeMirror type) {
        if (type == null || !writable(type)) {
            return Optional.empty();
        }
        String text = type.toString();
        boolean plain = text.matches("[\\w.$<>,\\[\\]? ]+") && !text.contains("capture");
        return plain ? Optional.of(text) : Optional.empty();
    }

    private static boolean writable(TypeMirror type) {
        return switch (type) {
            case ArrayType array -> writable(array.getComponentType());
            case DeclaredType declared when declared.getKind() == TypeKind.DECLARED ->
                !declared.asElement().getSimpleName().isEmpty()
                        && declared.getTypeArguments().stream().allMatch(WrittenType::argument);
            default -> type.getKind().isPrimitive();
        };
    }

    private static boolean argument(TypeMirror type) {
        return type.getKind() == TypeKind.WILDCARD || writable(type);
    }
}
