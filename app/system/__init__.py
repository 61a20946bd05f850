"""The operating system and what runs beside the program: signals, memory, processes, OpenGL, ffmpeg."""
