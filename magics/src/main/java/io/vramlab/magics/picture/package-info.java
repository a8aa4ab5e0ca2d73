/**
 * Pictures of memory: a {@link io.vramlab.magics.picture.Scene} of boxes, lines, areas and labels, written as SVG by
 * {@link io.vramlab.magics.picture.Svg} or drawn as PNG by {@link io.vramlab.magics.picture.Png} from the same scene.
 *
 * <p>
 * In a notebook a picture is an {@code <img>} with the SVG as data address: that is the one form of SVG that JupyterLab
 * shows in a notebook that is not trusted. An image cannot see the theme around it, so every scene begins with a white
 * card. Kinds differ in hatching as well as in colour. What a pointer would tell inside an SVG is told by an image map.
 */
package io.vramlab.magics.picture;
