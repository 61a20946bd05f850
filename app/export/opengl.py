"""OpenGL without a display: asked for before VTK is, which ends the process where there is none."""

from __future__ import annotations

import ctypes
import os
import sys

from physics import PhysicsError

_PLATFORM_DEVICE = 0x313F  # EGL_PLATFORM_DEVICE_EXT


def prepare() -> None:
    """Make VTK draw through EGL on Linux, display or not; PhysicsError where nothing can draw."""
    if sys.platform != "linux":
        return
    if _egl_works():
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    elif not os.environ.get("DISPLAY") and not any(_library(f"libOSMesa.so{end}") for end in ("", ".6", ".8")):
        raise PhysicsError("no OpenGL to draw with; on Debian and Ubuntu: apt install libegl1")


def _library(name: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def _egl_works() -> bool:
    """Whether EGL can draw on one of its devices, as VTK will ask it to."""
    egl = _library("libEGL.so.1")
    if egl is None:
        return False
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    query, get = (egl.eglGetProcAddress(name) for name in (b"eglQueryDevicesEXT", b"eglGetPlatformDisplayEXT"))
    if not query or not get:
        return False
    handle = ctypes.c_void_p
    devices, count = (handle * 16)(), ctypes.c_int()
    found = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, handle, handle)(query)(16, devices, ctypes.byref(count))
    display_of = ctypes.CFUNCTYPE(handle, ctypes.c_uint, handle, handle)(get)
    displays = [display_of(_PLATFORM_DEVICE, device, None) for device in devices[: count.value]] if found else []
    return any(display and egl.eglInitialize(handle(display), None, None) for display in displays)
