"""Groups of actors and names that are built once, moved together and switched by one overlay name."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkPolyDataMapper, vtkProp, vtkTextActor

from app.theme import FONTS
from physics.bodies.closed_surface import distinct_edges, edges_of_sides
from physics.core.rotation import Array

EDGE = 1.7  # width of the edge around a mark [pixels of a picture 720 high]
WHITE_BELOW = 0.3, 0.13  # luminance of marks with a white edge, before a dark and before a bright backdrop; else black
FONT_FILE = 4  # VTK's number for a typeface from a file
# after VTK's own light, from the mark's own colour
_TAG = "//VTK::Light::Impl"
_OPPOSITE = f"""
  {_TAG}
  fragOutput0.rgb = vec3(dot(fragOutput0.rgb * fragOutput0.rgb, vec3(0.21, 0.72, 0.07)) < white_below ? 1.0 : 0.0);
"""


class ActorGroup:
    """Actors of one subject. ``overlay`` names the switch that shows and hides them; None: always shown.

    ``unless`` names those it gives way to. ``actors`` are those of meshes, ``edges`` around some of them, ``props``
    all, letters too. Subclasses build them once and then only move them: a matrix, or points in place.
    """

    overlay: str | None = None
    unless: tuple[str, ...] = ()
    aboard = True  # whether it is shown where the camera goes with the body, too

    def __init__(self) -> None:
        self.props: list[vtkProp] = []
        self.actors: list[pv.Actor] = []
        self.on = True
        self.viewport: pv.Renderer | None = None
        self.edges: list[pv.Actor] = []
        self._letters: list[tuple[vtkTextActor, float]] = []
        self._widths: list[tuple[pv.Actor, float]] = []
        self._dots: list[tuple[pv.Actor, float]] = []

    def among(self, overlays: Collection[str]) -> bool:
        """True if it is shown with these overlays switched on."""
        return self.overlay is None or (self.overlay in overlays and not any(one in overlays for one in self.unless))

    def enter(self, renderer: pv.Renderer) -> None:
        """Come into a viewport."""
        self.viewport = renderer
        bright = sum(renderer.GetBackground()) > 1.5
        for edge in self.edges:
            edge.GetShaderProperty().GetFragmentCustomUniforms().SetUniformf("white_below", WHITE_BELOW[bright])
        for prop in sorted(self.props, key=lambda prop: prop not in self.edges):  # what shines through lies on edges
            renderer.AddViewProp(prop)

    def leave(self, renderer: pv.Renderer) -> None:
        """Go out of a viewport."""
        for prop in self.props:
            renderer.RemoveViewProp(prop)

    def add(
        self,
        mesh: pv.PolyData,
        colour: object = None,
        *,
        opacity: float = 1.0,
        lit: bool = True,
        width: float | None = None,
        dot: float | None = None,
        specular: float = 0.0,
        ambient: float = 0.0,
        culling: str = "none",
    ) -> pv.Actor:
        """An actor for a mesh in one colour or in the mesh's own ``rgba`` values.

        width : of lines [pixels of a picture 720 high]
        dot : size of points, drawn as balls, likewise
        culling : the faces that are not drawn, "back" of a closed surface
        """
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(mesh)
        mapper.SetScalarVisibility(colour is None)
        # one switch for all of VTK: else a scene would look otherwise after one that draws something nearer
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        if colour is None:
            mesh.point_data.active_scalars_name = "rgba"
        actor = pv.Actor(mapper=mapper)
        look = actor.prop
        if colour is not None:
            look.color = colour
        look.opacity = opacity
        look.lighting, look.culling = lit, culling
        look.interpolation = "Phong"
        look.ambient, look.diffuse, look.specular, look.specular_power = ambient, 1.0, specular, 40.0
        if width is not None:
            self._widths.append((actor, width))
            look.line_width = width
        if dot is not None:
            self._dots.append((actor, dot))
            look.render_points_as_spheres, look.point_size = True, dot
        actor.SetPickable(False)
        self.include(actor)
        return actor

    def edge(self, actor: pv.Actor, near: float) -> pv.Actor:
        """Draw a black or white edge around lines or a solid, to stand out from what is as bright as they are.

        near : as of ``draw_nearer``, less than that of the actor, which must cover the inner half of its edge
        """
        width = next((width for line, width in self._widths if line is actor), 0.0) + 2.0 * EDGE
        own = None if actor.mapper.GetScalarVisibility() else actor.prop.color
        around = self.add(ridges(actor.mapper.GetInput()), own, lit=False, width=width)
        self.edges.append(around)
        around.GetShaderProperty().AddFragmentShaderReplacement(_TAG, False, _OPPOSITE, False)
        around.GetShaderProperty().GetFragmentCustomUniforms().SetUniformf("white_below", WHITE_BELOW[0])
        draw_nearer(around, near)
        put(actor, np.eye(4))
        around.SetUserMatrix(actor.GetUserMatrix())
        return around

    def letter(
        self, text: str, place: Array, colour: str, size: float = 13.0, behind: str | None = None
    ) -> vtkTextActor:
        """A name centred at a place (3,) [m]; size [pixels of a picture 720 high]; behind: its ground's colour."""
        actor = vtkTextActor()
        actor.SetInput(text)
        actor.SetTextScaleModeToNone()
        actor.GetPositionCoordinate().SetCoordinateSystemToWorld()
        actor.GetPositionCoordinate().SetValue(*place)
        actor.SetPickable(False)
        face = actor.GetTextProperty()
        face.SetFontFamily(FONT_FILE)
        face.SetFontFile(str(FONTS["Medium"]))
        face.SetColor(*pv.Color(colour).float_rgb)
        face.SetJustificationToCentered()
        face.SetVerticalJustificationToCentered()
        if behind is not None:
            face.SetBackgroundColor(*pv.Color(behind).float_rgb)
            face.SetBackgroundOpacity(0.5)
        self._letters.append((actor, size))
        self.props.append(actor)
        return actor

    def include(self, actor: pv.Actor) -> None:
        """Take an actor that is already built."""
        self.props.append(actor)
        self.actors.append(actor)

    def set_unit(self, unit: float) -> None:
        """Set how many pixels one pixel of a picture 720 high is worth, so that lines and dots keep their look."""
        for actor, width in self._widths:
            actor.prop.line_width = max(1.0, width * unit)
        for actor, size in self._dots:
            actor.prop.point_size = max(2.0, size * unit)
        for letter, size in self._letters:
            letter.GetTextProperty().SetFontSize(max(6, round(size * unit)))

    def switch(self, on: bool) -> None:
        """Switch on or off, as the user wishes; what is off need not be moved."""
        self.on = on
        self.set_visible(on)

    def set_visible(self, on: bool) -> None:
        """Show or hide all."""
        for prop in self.props:
            prop.SetVisibility(on)


def draw_nearer(actor: pv.Actor, by: float) -> None:
    """Draw an actor nearer than it is, in 1/65000 of the depth in sight, so that it wins against what it lies on."""
    mapper = actor.mapper
    mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -by)
    mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(-1.0, -by)


def beside(axis: Array) -> Array:
    """A vector (3,) across an axis (3,), of no certain length; with the coordinate axis that is least along it."""
    return np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])


def circle(n: int) -> Array:
    """Points (n, 3) of a circle of radius 1 around z; the last one is the first."""
    turn = np.linspace(0.0, 2.0 * np.pi, n)
    return np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn])


def polyline(n: int, rgba: Array | None = None) -> pv.PolyData:
    """A line through n points, all at the origin until they are moved; rgba (n, 4) of 0 to 255."""
    return polylines([np.zeros((n, 3))], rgba)


def polylines(curves: Sequence[Array] | Array, rgba: Array | None = None) -> pv.PolyData:
    """Lines through the points (n, 3) of each curve, in one mesh; rgba of all points (m, 4) of 0 to 255."""
    if not len(curves):
        return pv.PolyData()
    mesh = pv.PolyData(np.concatenate(curves).astype(np.float32))
    mesh.verts = np.empty(0, int)
    ends = np.cumsum([len(curve) for curve in curves])
    mesh.lines = np.concatenate(
        [np.r_[len(c), end - len(c) + np.arange(len(c))] for c, end in zip(curves, ends, strict=True)]
    )
    if rgba is not None:
        mesh.point_data["rgba"] = np.asarray(rgba, np.uint8)
    return mesh


def polygons(points: np.ndarray, faces: np.ndarray, normals: np.ndarray | None = None) -> pv.PolyData:
    """Faces (m, k) of equally many corners each between points (n, 3), in one mesh; the points' normals (n, 3)."""
    mesh: pv.PolyData = pv.PolyData.from_regular_faces(points, faces)
    if normals is not None:
        mesh.point_data.active_normals = normals
    return mesh


def winding_normals(triangles: Array, least: float = 1e-30) -> Array:
    """Unit normals (n, 3) of triangles (n, 3, 3), by their winding; shorter ones of areas below half of ``least``."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), least))


def ridges(mesh: pv.PolyData) -> pv.PolyData:
    """Lines between the same points where the faces of a mesh bend or end; a mesh of lines itself."""
    if mesh.n_lines:
        return mesh
    faces = mesh.triangulate().regular_faces
    (edge, _), ends = edges_of_sides(faces), distinct_edges(faces)
    sums = np.zeros((len(ends), 3))
    np.add.at(sums, edge, np.tile(winding_normals(np.asarray(mesh.points, float)[faces]), (3, 1)))
    lines = pv.PolyData()
    lines.SetPoints(mesh.GetPoints())
    lines.lines = np.insert(ends[np.linalg.norm(sums, axis=1) < 1.999], 0, 2, axis=1)  # 2 within a plane
    return lines


def paint(mesh: pv.PolyData, rgba: np.ndarray) -> None:
    """Give the points of a mesh other colours (n, 4) of 0 to 255, in place."""
    held = mesh.GetPointData().GetScalars()
    np.asarray(held)[:] = rgba
    held.Modified()


def move(mesh: pv.PolyData, points: np.ndarray) -> None:
    """Put the points (n, 3) of a mesh elsewhere, in place."""
    held = mesh.GetPoints()
    np.asarray(held.GetData())[:] = points
    held.Modified()


def put(actor: pv.Actor, matrix: Array) -> None:
    """Give an actor the matrix (4, 4) from its own coordinates to those of the scene, in place."""
    held = actor.GetUserMatrix()
    if held is None:
        held = vtkMatrix4x4()
        actor.SetUserMatrix(held)
    if held.GetData() != (elements := tuple(matrix.ravel().tolist())):  # else a film would draw it anew
        held.DeepCopy(elements)


def merged(meshes: Sequence[pv.PolyData]) -> pv.PolyData:
    """Meshes as one, with their colours and normals."""
    return meshes[0] if len(meshes) == 1 else pv.merge(list(meshes), merge_points=False)


class Copies:
    """Meshes of bodies, in body axes, as one that moves with them: an actor of each would take 0.1 ms."""

    def __init__(self, meshes: Sequence[pv.PolyData]) -> None:
        counts = np.array([mesh.n_points for mesh in meshes])
        self._groups = [np.flatnonzero(counts == count) for count in np.unique(counts)]  # moved at once: as many points
        order = [[meshes[int(number)] for number in group] for group in self._groups]
        self.mesh = merged([mesh for group in order for mesh in group]).copy()
        self._points = [np.array([mesh.points for mesh in group], np.float32) for group in order]
        self._normals, self._key = [], (b"", b"")
        if self.mesh.point_data.active_normals is not None:
            self._normals = [np.array([mesh.point_data.active_normals for mesh in group]) for group in order]

    def show(self, turns: Array, places: Array) -> None:
        """Turn by (b, 3, 3), or draw as a point where these are 0, and move to (b, 3) [m]."""
        rows, places = turns.swapaxes(1, 2).astype(np.float32), places[:, None].astype(np.float32)
        key = rows.tobytes(), places.tobytes()
        if key == self._key:
            return
        self._key = key
        points = [own @ rows[group] + places[group] for own, group in zip(self._points, self._groups, strict=True)]
        move(self.mesh, np.concatenate([group.reshape(-1, 3) for group in points]))
        if self._normals:
            normals = [own @ rows[group] for own, group in zip(self._normals, self._groups, strict=True)]
            held = self.mesh.GetPointData().GetNormals()
            np.asarray(held)[:] = np.concatenate([group.reshape(-1, 3) for group in normals])
            held.Modified()


def rgb(colour: object) -> Array:
    """The colour as (3,) numbers of 0 to 255."""
    return 255.0 * np.asarray(pv.Color(colour).float_rgb)


def tinted(colour: object, alpha: Array) -> np.ndarray:
    """One colour (n, 4) in opacities (n,), all of 0 to 255."""
    return np.column_stack([np.tile(rgb(colour), (len(alpha), 1)), alpha]).astype(np.uint8)


def fading(colour: object, n: int, opacity: float = 1.0, power: float = 1.5, old: float = 0.25) -> np.ndarray:
    """Colours (n, 4) of 0 to 255 that grow from transparent to a colour, along a share of them, the ``old`` ones."""
    return tinted(colour, 255.0 * opacity * np.minimum(np.linspace(0.0, 1.0 / old, n), 1.0) ** power)


UNMOVED = np.eye(4)  # not to be changed


def placed(rotation: Array, position: Array, scale: float = 1.0) -> Array:
    """The matrix (4, 4) that scales, turns by (3, 3) and moves to (3,)."""
    matrix = UNMOVED.copy()
    matrix[:3, :3] = scale * rotation
    matrix[:3, 3] = position
    return matrix
