"""The table of actions: menus, tool bar, transport buttons and the list of keys are made from it.

Its texts are English, and translated where they are shown.
"""

# ruff: noqa: E501 - one row a line

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.system.language import tr
from physics.scenario.camera_modes import CAMERA_MODES


@dataclass(frozen=True)
class Action:
    """A command or switch of the window.

    Attributes
    ----------
    id : unique name
    text : for menus, sentence case, "…" if more input follows
    tip : one sentence
    keys : shortcuts, separated by spaces; the first one is shown
    icon : file name in assets/icons, without its ending, or ""
    calls : dotted name of the function to call, from the main window
    args : arguments of the call
    on : None for a command; initial state of a switch, whose call gets its state after ``args``
    """

    id: str
    text: str
    tip: str
    keys: str
    icon: str
    calls: str
    args: tuple[Any, ...] = ()
    on: bool | None = None


OFF, ON = False, True

CAMERAS = tuple(
    Action(name, mode.command or mode.title, mode.tip, mode.keys, "", "cameras.go", (name,))
    for name, mode in CAMERA_MODES.items()
    if mode.keys
)
MENUS: dict[str, tuple[Action, ...]] = {
    "File": (
        Action("open", "Open…", "Open a session, a scenario, a terrain or a body", "Ctrl+O", "open", "files.choose"),
        Action("open-results", "Open results…", "Open a folder of an ensemble's results: maps, deposits, rocks", "Ctrl+Alt+O", "", "files.choose_results"),
        Action("live", "Live sensor…", "Read a phone while it is tossed, and fit each toss as it lands", "Ctrl+Alt+P", "", "live_sensors.show"),
        Action("recent", "Open recent…", "Open a recent file", "Ctrl+Shift+O", "", "guides.show_palette", ("Recent",)),
        Action("papers", "Examples…", "Open an example, and see what to look for", "F3", "papers", "guides.show_gallery"),
        Action("new-mechanism", "New mechanism", "Begin a mechanism with one body on a joint, and build on", "Ctrl+N", "", "new_mechanism"),
        Action("save", "Save session", "Save scenario, edits, playhead and view", "Ctrl+S", "save", "files.save"),
        Action("save-as", "Save session as…", "Save the session in another file", "Ctrl+Shift+S", "", "files.save_as"),
        Action("copy-text", "Copy as text", "Copy scenario, edits and view as a file holds them", "Ctrl+Shift+C", "", "files.copy"),
        Action("paste-text", "Open copied text", "Open a scenario that was copied as text", "Ctrl+Shift+V", "", "files.paste"),
        Action("export-video", "Export…", "Write the run as a film, a picture, a page, a model or plots", "Ctrl+E", "export-video", "files.export"),
        Action("save-picture", "Save picture…", "Save the 3D view, drawn as in films", "Ctrl+P", "camera", "files.save_picture"),
        Action("save-plots", "Save plots…", "Save the plots for print (PDF, SVG), as a picture or as a table", "Ctrl+Shift+P", "", "files.save_plots"),
        Action("quit", "Quit", "Close the program", "Ctrl+Q", "", "leave_program"),
    ),
    "Edit": (
        Action("undo", "Undo", "Undo the last edit", "Ctrl+Z", "undo", "session.undo"),
        Action("redo", "Redo", "Redo the edit that was undone", "Ctrl+Shift+Z Ctrl+Y", "redo", "session.redo"),
        Action("branch", "Edit from the playhead", "Start all edits at the playhead, not only those of wind, waves and control", "Alt+B", "", "session.set_branching", (), OFF),
        Action("compare", "Compare with the previous run", "Draw the run before the last edit beside the new one", "J", "branch", "compare", (), OFF),
        Action("grips", "Edit the start in the view", "Drag the tip of the angular velocity, or turn the body itself", "I", "grips", "start_handles.set_on", (), OFF),
        Action("reset-values", "Reset values", "Reset all values to those of the scenario", "Shift+R", "", "panel.reset"),
    ),
    "Play": (
        Action("play", "Play or pause", "Play or pause; at the end, play again", "Space", "play", "session.clock.toggle"),
        Action("step-forward", "Step forward", "Go to the next stored state", "Right", "step-forward", "session.step", (1,)),
        Action("step-back", "Step back", "Go to the previous stored state", "Left", "step-back", "session.step", (-1,)),
        Action("second-forward", "1 s forward", "Go forward by one second", "Shift+Right", "", "session.shift", (1.0,)),
        Action("second-back", "1 s back", "Go back by one second", "Shift+Left", "", "session.shift", (-1.0,)),
        Action("tenth-forward", "0.1 s forward", "Go forward by a tenth of a second", "Alt+Right", "", "session.shift", (0.1,)),
        Action("tenth-back", "0.1 s back", "Go back by a tenth of a second", "Alt+Left", "", "session.shift", (-0.1,)),
        Action("to-start", "To the start", "Go to the first state", "Home", "to-start", "session.clock.seek", (0.0,)),
        Action("to-end", "To the end", "Go to the last state; while it computes, stay with the newest", "End", "to-end", "session.to_end"),
        Action("next-event", "Next event", "Go to the next impact, flip, rest, failure, edit, or place where a scheme leaves the true motion", "Ctrl+Right", "", "session.to_event", (1,)),
        Action("event-before", "Previous event", "Go to the previous impact, flip, rest, failure, edit, or place where a scheme leaves the true motion", "Ctrl+Left", "", "session.to_event", (-1,)),
        Action("slower", "Slower", "Play at the next lower speed", "-", "", "session.clock.faster", (-1,)),
        Action("faster", "Faster", "Play at the next higher speed", "= +", "", "session.clock.faster", (1,)),
        Action("real-time", "Real time", "Play one second in one second", "1", "", "session.set_speed", (1.0,)),
        Action("loop", "Loop", "At the end: stop, go on from the start, or play back and forth", "L", "loop", "session.clock.next_loop"),
        Action("in-point", "In point", "Begin loops at the playhead; press again there: at the start", "[", "", "session.mark", (True,)),
        Action("out-point", "Out point", "End loops at the playhead; press again there: at the end", "]", "", "session.mark", (False,)),
        Action("stop", "Stop computing", "Stop computing (keep recorded states)", "Ctrl+.", "", "session.stop"),
        Action("reset", "Reset", "Back to the start, paused", "R", "reset", "session.reset"),
    ),
    "View": (
        Action("overlay", "Overlay the schemes", "All schemes in one view, or side by side", "O", "overlay", "set_overlaid", (), OFF),
        Action("follow", "Follow the body", "Follow the body by the camera", "F", "follow", "set_following", (), OFF),
        Action("unfollow", "Leave the body", "Stop following the body, or end editing in the view", "Esc", "", "leave"),
        Action("fit", "Fit", "Show everything", "0", "fit", "cameras.fit"),
        *CAMERAS,
        Action("link", "Link the cameras", "Let the cameras of all views move together", "C", "", "view.set_linked", (), ON),
        Action("save-view", "Save viewpoint", "Save the camera's place with the session", "Shift+C", "", "cameras.save"),
        Action("viewpoints", "Saved viewpoints…", "Look from a saved viewpoint, or forget one", "Alt+V", "", "guides.show_palette", ("Look from",)),
        Action("full-screen", "Full screen", "Fill the screen with the window, or leave it", "F11", "", "window_layout.fill_screen"),
        Action("present", "Presentation", "Show the view, one plot and the transport alone, in large letters; Esc ends it", "F5", "", "window_layout.present", (), OFF),
        Action("larger", "Larger letters", "Enlarge all letters of the window", "Ctrl++ Ctrl+=", "", "appearance.enlarge", (1,)),
        Action("smaller", "Smaller letters", "Make all letters of the window smaller", "Ctrl+-", "", "appearance.enlarge", (-1,)),
        Action("usual-size", "Usual letters", "Show all letters in the desktop's size", "Ctrl+0", "", "appearance.enlarge", (0,)),
        Action("theme", "Dark or light", "Switch between the dark and the light look", "D", "theme", "appearance.switch"),
        Action("contrast", "High contrast", "Black, white and few strong colours, or the previous theme", "Shift+D", "", "appearance.contrast"),
        Action("system-theme", "Follow the system", "Follow the system's theme and contrast", "Alt+D", "", "appearance.follow_system"),
        Action("usual-layout", "Usual layout", "Reset panels, plots and overlays", "Alt+0", "", "window_layout.make_usual"),
        Action("language", "Language…", "Choose the window's language from the next start on", "", "", "guides.show_palette", ("Language",)),
        Action("degrees", "Angles in degrees", "Show angles of the panel in degrees, or in radians", "Ctrl+D", "", "appearance.set_degrees", (), ON),
        Action("calm", "Reduced motion", "Don't autoplay", "Alt+M", "", "appearance.set_calm", (), OFF),
        Action("ahead", "Compile ahead", "Compile in idle time what the examples use, once for each version", "Alt+C", "", "idle_compiler.set_on", (), ON),
    ),
    "Show": (
        Action("trails", "Trails", "Draw the paths", "T", "trails", "view.set_overlay", ("trails",), ON),
        Action("whole", "Whole trails", "Draw the paths of many turns, not those of the last one and a half", "Y", "", "view.set_overlay", ("whole",), OFF),
        Action("truth", "True motion", "Draw the true body beside the lane's, and the arc between them", "U", "", "view.set_overlay", ("truth",), ON),
        Action("axes", "Body axes", "Draw the axes of the body, or of the joints of a mechanism", "A", "axes", "view.set_overlay", ("axes",), OFF),
        Action("vectors", "Vectors", "Draw angular velocity and angular momentum", "V", "arrows", "view.set_overlay", ("vectors",), ON),
        Action("ghosts", "Ghosts", "Draw the body at earlier times", "G", "", "view.set_overlay", ("ghosts",), ON),
        Action("grid", "Grid", "Draw a floor to judge distances", "Shift+G", "", "view.set_overlay", ("grid",), ON),
        Action("labels", "Headline", "Say what happens, and how far off each scheme is", "Shift+L", "", "view.set_overlay", ("labels",), ON),
        Action("numbers", "Numbers", "Show all numbers of each scheme, its source, and what the signs mean", "Q", "", "view.set_overlay", ("numbers",), OFF),
        Action("poinsot", "Poinsot's construction", "Roll the ellipsoid of inertia on the invariable plane", "Shift+P", "ellipsoid", "view.set_overlay", ("poinsot",), OFF),
        Action("momentum", "Momentum sphere", "Draw the angular momentum in the body among all polhodes", "Shift+M", "sphere", "view.set_overlay", ("momentum",), OFF),
        Action("level", "Level set", "Draw the bound on the axis by Lyapunov's function", "Shift+V", "level", "view.set_overlay", ("level",), OFF),
        Action("inertial", "Inertial axes", "Draw the inertial axes", "Shift+A", "inertial", "view.set_overlay", ("inertial",), OFF),
        Action("in-body", "Curves in the body", "Draw the curves of angular velocity and angular momentum in the body", "Shift+B", "in-body", "view.set_overlay", ("in-body",), OFF),
        Action("points", "Paths of points", "Draw the paths of corners of the body, or of the points that the scenario names", "Shift+T", "points", "view.set_overlay", ("points",), OFF),
        Action("reference", "True path of the axis", "Draw the path of a top's axis in the true motion", "Shift+E", "reference", "view.set_overlay", ("reference",), OFF),
        Action("contacts", "Contacts", "Draw where a rock touches the ground, normals, slip and force", "X", "", "view.set_overlay", ("contacts",), OFF),
        Action("close-up", "Close-up", "Show a close-up of the rotating rocks in a corner of the view", "Shift+X", "", "view.set_overlay", ("close-up",), OFF),
        Action("colours", "Colour the paths", "Colour paths by the energy, or by what the scenario names", "E", "", "view.set_overlay", ("colours",), OFF),
        Action("rocks", "Rocks of the ensemble", "Draw the paths of the ensemble's rocks", "K", "", "view.set_overlay", ("rocks",), ON),
        Action("zones", "Zones", "Draw where rocks start, and zones of other soils and forests", "Z", "", "view.set_overlay", ("zones",), ON),
        Action("barriers", "Barriers", "Draw the barriers", "B", "", "view.set_overlay", ("barriers",), ON),
        Action("observed", "Measured", "Draw what was measured: stops, tracks, passages", "Shift+O", "", "view.set_overlay", ("observed",), ON),
        Action("panel", "Side panel", "Show or hide the panel at the left: scenario, schemes and values", "F9", "", "window_layout.open_panel", (), OFF),
        Action("verdicts", "Verdicts", "Say in a sentence how far each scheme is off the true motion, and since when", "Alt+J", "", "verdicts.show_wanted", (), OFF),
        Action("plots", "Plots", "Show or hide the plots", "P", "", "plots.setVisible", (), ON),
        Action("choose-plots", "Choose plots…", "Choose what is plotted", "Alt+P", "", "plots.choose"),
        Action("logarithmic", "Logarithmic errors", "Plot errors against the true motion by powers of ten, which tells small ones apart", "Alt+L", "", "plots.logarithmic.setChecked", (), OFF),
        Action("hydrostatics", "Hydrostatics…", "See how the ship floats, its righting levers GZ with the criteria, curves of form and KN", "Ctrl+H", "", "guides.show_hydrostatics"),
        Action("zoom-in", "Zoom in the plots", "Show a shorter part of the time about the playhead", "Ctrl+Alt+= Ctrl+Alt++", "", "plots.zoom", (0.5,)),
        Action("zoom-out", "Zoom out of the plots", "Show a longer part of the time about the playhead", "Ctrl+Alt+-", "", "plots.zoom", (2.0,)),
        Action("zoom-all", "All time in the plots", "Show the whole run in the plots", "Ctrl+Alt+0", "", "plots.show_all"),
    ),
    "Schemes": (
        Action("compare-schemes", "Compare schemes…", "See since when each scheme is off the true motion, by how much, and at what cost", "Ctrl+J", "", "guides.show_comparison"),
        Action("distributions", "Compare by distribution…", "Let many rocks fall with each scheme and with a reference, and compare where they stop", "", "", "guides.show_distributions"),
        Action("order", "Order of convergence…", "Halve the step, and see by how much the error falls", "H", "", "guides.show_order"),
        Action("report-card", "Report card…", "Measure what a scheme keeps, its order and its reach", "Shift+H", "", "guides.show_report_card"),
        Action("ranking", "Which integrator?…", "Rank schemes by cost at a given accuracy", "", "", "guides.show_ranking"),
        Action("own-scheme", "From a file…", "Add a scheme of your own from a Python file, whose code then runs", "Ctrl+Shift+F", "", "own_schemes.choose"),
    ),
    "Ensemble": (
        Action("ensemble", "Ensemble", "Show or hide the panel of the ensemble: many rocks, statistics, maps", "N", "ensemble", "ensembles.show_panel", (), OFF),
        Action("run-ensemble", "Run or pause the ensemble", "Let many rocks fall; press again to pause or continue", "Ctrl+R", "", "ensembles.run"),
        Action("cancel-ensemble", "Cancel the ensemble", "End the ensemble, and discard its rocks", "Ctrl+Shift+R", "", "ensembles.cancel"),
        Action("unfinished", "Unfinished ensembles…", "Continue or discard an ensemble that is incomplete or not saved", "", "", "guides.show_unfinished"),
        Action("next-map", "Next map", "Show the next map of the ensemble on the terrain", "M", "", "ensembles.next_map"),
        Action("next-rock", "Next rock", "Choose the next rock of the ensemble", ".", "", "ensembles.next_rock", (1,)),
        Action("rock-before", "Previous rock", "Choose the previous rock of the ensemble", ",", "", "ensembles.next_rock", (-1,)),
        Action("replay", "Replay the rock alone", "Play the chosen rock of the ensemble, bit for bit", "Alt+R", "", "ensembles.replay"),
        Action("save-results", "Save results…", "Write statistics, rows and maps of the ensemble in a folder", "Ctrl+Alt+S", "", "ensembles.save"),
        Action("many-starts", "Many starts…", "Run the scenario from many starts, and see in what share each outcome happens", "", "", "guides.show_starts"),
        Action("place-release", "Place the release", "Click where on the terrain rocks start", "W", "release", "ground_editor.begin", ("release.position",)),
        Action("draw-line", "Draw the release line", "Click the corners of a line on which rocks start", "Shift+W", "", "ground_editor.begin", ("release.line",)),
        Action("draw-area", "Draw the release area", "Click the corners of an area in which rocks start", "Alt+W", "", "ground_editor.begin", ("release.polygon",)),
        Action("draw-soil", "Draw a soil", "Click the corners of a zone of another soil", "Ctrl+Alt+G", "", "ground_editor.begin", ("soil.zone",)),
        Action("draw-forest", "Draw a forest", "Click the corners of a zone of another forest", "Ctrl+Alt+F", "", "ground_editor.begin", ("forest.zone",)),
        Action("draw-barrier", "Draw a barrier", "Click the corners of a line at which the ensemble is measured", "Ctrl+Alt+B", "", "ground_editor.begin", ("barrier",)),
        Action("draw-road", "Draw a line of interest", "Click the points of a road, a railway or a row of houses at which rocks are counted", "Ctrl+Alt+L", "", "ground_editor.begin", ("line",)),
    ),
    "Help": (
        Action("palette", "Find a command…", "Search commands, files and help", "Ctrl+K", "search", "guides.show_palette"),
        Action("methods", "Methods", "Read about the schemes and the papers", "F2", "", "guides.show_help"),
        Action("cite", "Copy BibTeX", "Copy the sources of the schemes that are shown", "Ctrl+B", "", "guides.copy_citation"),
        Action("keys", "Keys", "Show all keys", "F1 ?", "help", "guides.show_keys"),
        Action("menus", "Menu bar", "Open the first menu, to go on with the arrows", "F10", "", "window_layout.open_menus"),
        Action("report-problem", "Report a problem…", "Read and save a problem report; nothing is sent", "", "", "guides.report_problem"),
        Action("about", "About", "See version, licence and papers, and how to cite the program", "", "", "guides.show_about"),
    ),
}  # fmt: skip

ACTIONS = tuple(action for rows in MENUS.values() for action in rows)
TOOL_BAR = (
    *("papers", "open", "save", "|", "undo", "redo", "compare", "|", "overlay", "follow", "fit"),
    *("|", "place-release", "ensemble"),
    *("|", "save-picture", "export-video", "|", "palette", "theme"),
)
TRANSPORT = ("to-start", "step-back", "play", "step-forward", "to-end")


def make_actions(parent: QWidget) -> dict[str, QAction]:
    """A QAction for each row of the table, by id, not connected yet; its keys work in ``parent``."""
    actions = {}
    for row in ACTIONS:
        action = QAction(tr(row.text), parent, checkable=row.on is not None, checked=bool(row.on))
        action.setShortcuts([QKeySequence(key) for key in row.keys.split()])
        key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tr(row.tip)} ({key})" if key else tr(row.tip))
        action.setIconVisibleInMenu(False)  # it would hide the check mark of a switch
        action.setMenuRole(QAction.MenuRole.QuitRole if row.id == "quit" else QAction.MenuRole.NoRole)
        parent.addAction(action)
        actions[row.id] = action
    return actions


def connect_actions(actions: dict[str, QAction], find: Callable[[str], Callable[..., object]]) -> None:
    """Connect each action to the function of its row; find: the function of a dotted name."""
    for row in ACTIONS:
        action, call = actions[row.id], partial(find(row.calls), *row.args)
        if row.on is not None:
            action.toggled.connect(call)
        else:
            action.triggered.connect(lambda _=False, call=call: call())  # without the state that Qt passes


def tell_overlays(actions: dict[str, QAction], shown: Mapping[str, bool]) -> None:
    """Set the switches of overlays to those of a stage; the others are disabled."""
    for row in ACTIONS:
        if row.calls == "view.set_overlay":
            action, name = actions[row.id], row.args[0]
            action.setEnabled(name in shown)
            with QSignalBlocker(action):
                action.setChecked(shown.get(name, False))


def with_mnemonics(titles: Sequence[str], taken: str = "") -> list[str]:
    """Titles with "&" before the letter that opens each with Alt, as near to its first one as leaves one for all.

    taken : letters that open none
    """
    if not titles:
        return []
    first, *others = titles
    for place, letter in enumerate(first.upper()):
        if letter.isalpha() and letter not in taken:
            rest = with_mnemonics(others, taken + letter)
            if len(rest) == len(others):
                return [f"{first[:place]}&{first[place:]}", *rest]
    return []


def fill_menus(bar: QMenuBar, actions: dict[str, QAction]) -> dict[str, QMenu]:
    """Add the menus of the table to a bar; the menus by name."""
    menus = {}
    alone = [key[-1] for row in ACTIONS for key in row.keys.split() if key.startswith("Alt+") and len(key) == 5]
    titles = dict(zip(MENUS, with_mnemonics([tr(name) for name in MENUS], "".join(alone)), strict=True))
    for name, rows in MENUS.items():
        menu = menus[name] = bar.addMenu(titles[name])
        menu.setToolTipsVisible(True)
        menu.addActions([actions[row.id] for row in rows])
    return menus
