"""OpenGL without a display, chosen before VTK decides how to draw; and the names of software renderers."""

from __future__ import annotations

import ctypes
import os
import sys

SOFTWARE = (
    *("llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader", "lavapipe"),
    *("gdi generic", "basic render driver", "apple software renderer"),
)
_PLATFORM_DEVICE = 0x313F  # EGL_PLATFORM_DEVICE_EXT


def prepare() -> None:
    """Make VTK draw through EGL on Linux if possible, with or without a display."""
    if sys.platform == "linux" and _egl_works():
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")


def _egl_works() -> bool:
    """True if EGL can draw on one of its devices, as VTK will have it do."""
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError:
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


def is_software(capabilities: str) -> bool:
    """True for the name, or the OpenGL capabilities that VTK reports, of a software renderer."""
    text = capabilities.lower()
    return any(name in text for name in SOFTWARE)
