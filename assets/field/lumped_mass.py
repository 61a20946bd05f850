"""A lumped mass as an entry of `polhode benchmark entries`: python lumped_mass.py writes lumped_mass.csv.

A point flies, keeps shares of its speed across and along the ground at each bounce, and slides where it hardly bounces.
The shares are those in common use for slopes with vegetation; nothing is fitted.
"""

import csv
import sys
from pathlib import Path

import numpy as np

HERE, ROCKS, STEP = Path(__file__).parent, 20, 0.01  # rocks of each run, [s]
ACROSS, ALONG, SPREAD, FRICTION, BOUNCE, REST = 0.32, 0.80, 0.04, np.tan(np.radians(30.0)), 0.5, 0.1  # [m/s] the last
random = np.random.default_rng(1)


def read(name):
    return list(csv.DictReader((HERE / name).read_text(encoding="utf-8").splitlines()))


def ground(heights, x, y, cell=5.0, west=-35.0, south=85.0):  # height and unit normal, bilinear between the nodes
    u, v = np.clip((x - west) / cell, 0, heights.shape[1] - 1.001), np.clip((y - south) / cell, 0, len(heights) - 1.001)
    i, j, u, v = v.astype(int), u.astype(int), u % 1, v % 1
    a, b, c, d = heights[i, j], heights[i, j + 1], heights[i + 1, j], heights[i + 1, j + 1]
    slopes = ((b - a) * (1 - v) + (d - c) * v) / cell, ((c - a) * (1 - u) + (d - b) * u) / cell
    normal = np.stack([-slopes[0], -slopes[1], np.ones_like(u)])
    return (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v, normal / np.linalg.norm(normal, axis=0)


def fall(heights, blocks):  # where each of the rocks stops, (3, rocks)
    start = np.array([[float(row[f"{name} [m/s]" if "v" in name else f"{name} [m]"]) for row in blocks]
                      for name in ("x", "y", "vx", "vy", "vz")])  # fmt: skip
    x, v = np.vstack([start[:2], ground(heights, *start[:2])[0] + 0.3]), start[2:]
    moving, along = np.ones(len(blocks), bool), random.normal(ALONG, SPREAD, len(blocks))
    for _ in range(6000):
        v[2] -= 9.81 * STEP * moving
        x += v * STEP * moving
        height, normal = ground(heights, x[0], x[1])
        into = (v * normal).sum(axis=0)
        hit, flat = (x[2] <= height) & (into < 0), v - into * normal
        speed = np.maximum(np.linalg.norm(flat, axis=0), 1e-9)
        slid = flat * np.maximum(0, 1 - FRICTION * 9.81 * normal[2] * STEP / speed)
        v = np.where(hit, np.where(-into > BOUNCE, along * flat - ACROSS * into * normal, slid), v)
        x[2] = np.where(hit, height, x[2])
        moving &= ~(hit & (np.linalg.norm(v, axis=0) < REST))
    return x


with Path(sys.argv[1] if len(sys.argv) > 1 else "lumped_mass.csv").open("w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["site", "run", "rock", "x", "y", "z", "energy"])
    heights = np.loadtxt(HERE / "tschamut" / "terrain.asc", skiprows=6)[::-1]  # from south to north
    for site, name in (("tschamut", "other-blocks.csv"), ("tschamut-18", "blocks.csv")):
        blocks = [row for row in read(f"tschamut/{name}") for _ in range(ROCKS)]
        for i, place in enumerate(fall(heights, blocks).T):
            table.writerow([site, blocks[i]["name"], i % ROCKS, *(f"{value:.3f}" for value in place), ""])
    for row in read("chant-sura/chant-sura-2019.csv"):
        angle = np.radians(float(row["into [°]"]))
        for rock, along in enumerate(random.normal(ALONG, SPREAD, ROCKS)):
            share = (along * np.cos(angle)) ** 2 + (ACROSS * np.sin(angle)) ** 2
            energy = 0.5 * float(row["mass [kg]"]) * float(row["speed [m/s]"]) ** 2 * share
            table.writerow(["chant-sura-2019", row["run"], rock, "", "", "", f"{energy:.0f}"])
