"""Render the model beside this file in Blender's Cycles: blender -b -P NAME.py [-- FIRST LAST STEP]

Pictures go to a folder of the model's name: frames FIRST to LAST, each STEP-th; all without numbers.
"""

import sys
from pathlib import Path

import bpy

MODEL = Path(__file__).with_suffix(".glb").resolve()
SIZE, SAMPLES, FPS = (1920, 1080), 128, 30

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = FPS  # before the import, which turns seconds into frames
bpy.ops.import_scene.gltf(filepath=str(MODEL), export_import_convert_lighting_mode="RAW")
scene.camera = next(one for one in scene.objects if one.type == "CAMERA")

sky = bpy.data.worlds.new("sky")
sky.use_nodes = True
sky.node_tree.nodes["Background"].inputs["Color"].default_value = (0.10, 0.14, 0.20, 1.0)
scene.world = sky

# the ground of the file has its light painted on it; here it takes that of the lamps, with the shadows of the bodies
for material in bpy.data.materials:
    nodes, links = (material.node_tree.nodes, material.node_tree.links) if material.node_tree else ((), ())
    painted = [node for node in nodes if node.type in ("TEX_IMAGE", "VERTEX_COLOR", "ATTRIBUTE")]
    if material.name.startswith("ground") and painted:
        surface = nodes.new("ShaderNodeBsdfPrincipled")
        surface.inputs["Roughness"].default_value = 0.8
        links.new(painted[0].outputs["Color"], surface.inputs["Base Color"])
        links.new(painted[0].outputs["Alpha"], surface.inputs["Alpha"])
        output = next(node for node in nodes if node.type == "OUTPUT_MATERIAL")
        links.new(surface.outputs["BSDF"], output.inputs["Surface"])

scene.render.engine = "CYCLES"
scene.cycles.samples, scene.cycles.use_denoising = SAMPLES, True
scene.view_settings.view_transform = "Standard"  # colours as in the program
scene.render.resolution_x, scene.render.resolution_y = SIZE
ends = [action.frame_range[1] for action in bpy.data.actions]
given = [int(word) for word in sys.argv[sys.argv.index("--") + 1 :]] if "--" in sys.argv else []
first, last, step = (*given, *(0, int(max(ends, default=0)), 1)[len(given) :])
scene.frame_start, scene.frame_end, scene.frame_step = first, last, step
scene.render.filepath = str(MODEL.with_suffix("")) + "/"
bpy.ops.render.render(animation=True)
