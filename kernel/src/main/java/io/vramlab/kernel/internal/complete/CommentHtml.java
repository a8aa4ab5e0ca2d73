package io.vramlab.kernel.internal.complete;

import com.sun.source.doctree.DeprecatedTree;
import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.EndElementTree;
import com.sun.source.doctree.EntityTree;
import com.sun.source.doctree.ErroneousTree;
import com.sun.source.doctree.EscapeTree;
import com.sun.source.doctree.IndexTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.ReferenceTree;
import com.sun.source.doctree.ReturnTree;
import com.sun.source.doctree.SeeTree;
import com.sun.source.doctree.SinceTree;
import com.sun.source.doctree.SnippetTree;
import com.sun.source.doctree.StartElementTree;
import com.sun.source.doctree.SummaryTree;
import com.sun.source.doctree.SystemPropertyTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.doctree.ThrowsTree;
import com.sun.source.doctree.UnknownBlockTagTree;
import com.sun.source.doctree.UnknownInlineTagTree;
import com.sun.source.doctree.ValueTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.SimpleDocTreeVisitor;
import io.vramlab.kernel.spi.text.Html;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A doc comment as HTML: few elements, no attributes, and no tags of Javadoc's own. */
final class CommentHtml extends SimpleDocTreeVisitor<Void, Void> {

    private static final Set<String> ELEMENTS = Set.of("b", "blockquote", "br", "code", "dd", "dl", "dt", "em", "h1",
            "h2", "h3", "h4", "h5", "h6", "i", "li", "ol", "p", "pre", "strong", "sub", "sup", "table", "tbody", "td",
            "th", "thead", "tr", "tt", "ul");
    private static final Map<String, String> NOTES = Map.of("apiNote", "Note", "implNote", "Implementation note",
            "implSpec", "Implementation");

    private final StringBuilder html = new StringBuilder();
    private String heading = "";
    private boolean preformatted;

    private final DocTrees trees;

    private CommentHtml(DocTrees trees) {
        this.trees = trees;
    }

    /**
     * The HTML of a comment.
     *
     * @param trees
     *            of the task that parsed it
     * @param whole
     *            true for all of it, false for its first sentence and the parameters, result and exceptions
     */
    static String of(DocTrees trees, DocCommentTree comment, boolean whole) {
        CommentHtml text = new CommentHtml(trees);
        text.html.append("<p>");
        text.visit(whole ? comment.getFullBody() : comment.getFirstSentence(), null);
        text.html.append("</p>");
        for (DocTree tag : comment.getBlockTags()) {
            boolean signature = tag instanceof ParamTree || tag instanceof ReturnTree || tag instanceof ThrowsTree;
            if (whole || signature) {
                text.visit(tag, null);
            }
        }
        text.heading("");
        return text.html.toString();
    }

    /** Begins a list under this heading unless it has begun; an empty heading only ends the one before. */
    private void heading(String next) {
        if (heading.equals(next)) {
            return;
        }
        html.append(heading.isEmpty() ? "" : "</ul>");
        html.append(next.isEmpty() ? "" : "<p><b>" + next + ":</b></p><ul>");
        heading = next;
    }

    private void item(String heading, DocTree name, List<? extends DocTree> text) {
        heading(heading);
        html.append("<li>");
        if (name != null) {
            code(name.toString());
            html.append(text.isEmpty() ? "" : ": ");
        }
        visit(text, null);
        html.append("</li>");
    }

    private Void code(String text) {
        html.append("<code>").append(Html.escape(text)).append("</code>");
        return null;
    }

    @Override
    public Void visitText(TextTree text, Void none) {
        html.append(Html.escape(preformatted ? text.getBody() : text.getBody().replaceAll("\\n[ \\t]+", "\n")));
        return null;
    }

    @Override
    public Void visitEntity(EntityTree entity, Void none) {
        String characters = trees.getCharacters(entity);
        html.append(characters == null ? entity.toString() : Html.escape(characters));
        return null;
    }

    @Override
    public Void visitErroneous(ErroneousTree wrong, Void none) {
        html.append(Html.escape(wrong.getBody()));
        return null;
    }

    @Override
    public Void visitEscape(EscapeTree escape, Void none) {
        html.append(Html.escape(escape.getBody()));
        return null;
    }

    @Override
    public Void visitStartElement(StartElementTree element, Void none) {
        String name = element.getName().toString().toLowerCase(Locale.ROOT);
        preformatted |= name.equals("pre");
        html.append(ELEMENTS.contains(name) ? "<" + name + ">" : "");
        return null;
    }

    @Override
    public Void visitEndElement(EndElementTree element, Void none) {
        String name = element.getName().toString().toLowerCase(Locale.ROOT);
        preformatted &= !name.equals("pre");
        html.append(ELEMENTS.contains(name) ? "</" + name + ">" : "");
        return null;
    }

    @Override
    public Void visitLiteral(LiteralTree literal, Void none) {
        if (literal.getKind() == DocTree.Kind.CODE) {
            return code(literal.getBody().getBody());
        }
        return visitText(literal.getBody(), none);
    }

    @Override
    public Void visitLink(LinkTree link, Void none) {
        if (link.getLabel().isEmpty()) {
            return visitReference(link.getReference(), none);
        }
        return visit(link.getLabel(), none);
    }

    @Override
    public Void visitReference(ReferenceTree reference, Void none) {
        return code(reference.getSignature().replaceFirst("^#", "").replace('#', '.'));
    }

    @Override
    public Void visitValue(ValueTree value, Void none) {
        return value.getReference() == null ? null : visitReference(value.getReference(), none);
    }

    @Override
    public Void visitIndex(IndexTree index, Void none) {
        return visit(index.getSearchTerm(), none);
    }

    @Override
    public Void visitSystemProperty(SystemPropertyTree property, Void none) {
        return code(property.getPropertyName().toString());
    }

    @Override
    public Void visitSummary(SummaryTree summary, Void none) {
        return visit(summary.getSummary(), none);
    }

    @Override
    public Void visitSnippet(SnippetTree snippet, Void none) {
        if (snippet.getBody() != null) {
            html.append("<pre>").append(Html.escape(snippet.getBody().getBody())).append("</pre>");
        }
        return null;
    }

    @Override
    public Void visitUnknownInlineTag(UnknownInlineTagTree tag, Void none) {
        return visit(tag.getContent(), none);
    }

    @Override
    public Void visitReturn(ReturnTree result, Void none) {
        if (result.isInline()) {
            html.append("Returns ");
            visit(result.getDescription(), none);
            html.append('.');
        } else {
            item("Returns", null, result.getDescription());
        }
        return null;
    }

    @Override
    public Void visitParam(ParamTree parameter, Void none) {
        item(parameter.isTypeParameter() ? "Type parameters" : "Parameters", parameter.getName(),
                parameter.getDescription());
        return null;
    }

    @Override
    public Void visitThrows(ThrowsTree exception, Void none) {
        item("Throws", exception.getExceptionName(), exception.getDescription());
        return null;
    }

    @Override
    public Void visitDeprecated(DeprecatedTree deprecated, Void none) {
        item("Deprecated", null, deprecated.getBody());
        return null;
    }

    @Override
    public Void visitSee(SeeTree see, Void none) {
        item("See also", null, see.getReference());
        return null;
    }

    @Override
    public Void visitSince(SinceTree since, Void none) {
        item("Since", null, since.getBody());
        return null;
    }

    @Override
    public Void visitUnknownBlockTag(UnknownBlockTagTree tag, Void none) {
        if (NOTES.containsKey(tag.getTagName())) {
            item(NOTES.get(tag.getTagName()), null, tag.getContent());
        }
        return null;
    }
}
