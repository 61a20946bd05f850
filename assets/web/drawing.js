// Drawing: solids with a studio's light, painted ground, and curves as bands of even width.
"use strict";

const SOLID = [`#version 300 es
  in vec3 POSITION, NORMAL; in vec4 COLOR_0; in vec2 TEXCOORD_0;
  uniform mat4 model, view, lens; uniform bool lit;
  out vec3 normal; out vec4 colour; out vec2 place;
  void main() {
    vec4 seen = view * model * vec4(POSITION, 1.0);
    normal = lit ? mat3(view) * mat3(model) * NORMAL : vec3(0.0);
    colour = COLOR_0; place = TEXCOORD_0;
    gl_Position = lens * seen;
  }`, `#version 300 es
  precision highp float;
  in vec3 normal; in vec4 colour; in vec2 place;
  uniform bool lit, painted, tinted; uniform vec3 tint; uniform float opacity; uniform sampler2D picture;
  out vec4 result;
  void main() {
    if (painted) { result = texture(picture, place); return; }
    vec3 c = tinted ? tint : pow(colour.rgb, vec3(1.0 / 2.2));
    if (lit) {
      vec3 n = normalize(gl_FrontFacing ? normal : -normal);
      if (dot(n, normalize(normal)) < 0.0) n = -n;
      float key = max(dot(n, normalize(vec3(-0.55, 0.8, 1.0))), 0.0);
      float fill = max(dot(n, normalize(vec3(1.0, 0.1, 0.9))), 0.0);
      float low = max(dot(n, normalize(vec3(0.0, -0.6, 1.0))), 0.0);
      c *= vec3(0.16) + key * vec3(0.74, 0.71, 0.68) + fill * vec3(0.35, 0.38, 0.42) + 0.22 * low;
    }
    float seen = opacity * (lit ? 1.0 : colour.a);
    result = vec4(c * seen, seen);
  }`];

const BAND = [`#version 300 es
  in vec3 start, end; in vec2 corner;
  uniform mat4 view, lens; uniform vec2 size; uniform float width, count, fade, nearer; uniform vec3 offset;
  out float strength;
  void main() {
    vec4 a = lens * view * vec4(start + offset, 1.0), b = lens * view * vec4(end + offset, 1.0);
    vec2 along = (b.xy / b.w - a.xy / a.w) * size;
    vec2 aside = length(along) > 1e-4 ? normalize(vec2(-along.y, along.x)) : vec2(0.0, 1.0);
    vec4 p = corner.x < 0.5 ? a : b;
    p.xy += aside * (corner.y * width / 2.0) / size * 2.0 * p.w;
    p.z -= nearer * p.w;
    strength = fade > 0.5 ? pow((float(gl_InstanceID) + corner.x) / count, 1.5) : 1.0;
    gl_Position = p;
  }`, `#version 300 es
  precision highp float;
  in float strength; uniform vec3 ink; uniform float opacity; out vec4 result;
  void main() { float a = strength * opacity; result = vec4(ink * a, a); }`];

class Drawing {
  constructor(canvas) {
    this.gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
    if (!this.gl) throw new Error("This page needs WebGL 2, which this browser does not offer.");
    this.solid = this.program(SOLID);
    this.band = this.program(BAND);
    this.quad = this.data(new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]));
  }

  program(sources) {
    const gl = this.gl, program = gl.createProgram();
    [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].forEach((kind, i) => {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, sources[i]);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    });
    gl.linkProgram(program);
    const found = { program };
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const name = gl.getActiveUniform(program, i).name;
      found[name] = gl.getUniformLocation(program, name);
    }
    return found;
  }

  data(values, target = this.gl.ARRAY_BUFFER) {
    const buffer = this.gl.createBuffer();
    this.gl.bindBuffer(target, buffer);
    this.gl.bufferData(target, values, this.gl.STATIC_DRAW);
    return buffer;
  }

  attribute(program, name, buffer, width, kind = this.gl.FLOAT, offset = 0, each = 0) {
    const gl = this.gl, place = gl.getAttribLocation(program.program, name);
    if (place < 0) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, width, kind, kind !== gl.FLOAT, 0, offset);
    gl.vertexAttribDivisor(place, each);
  }

  // A mesh in the memory of the graphics card; a picture comes when it is decoded.
  async mesh(mesh) {
    const gl = this.gl, made = { array: gl.createVertexArray(), count: mesh.faces.data.length, lit: !!mesh.NORMAL };
    Object.assign(made, { lines: mesh.lines, clear: mesh.clear });
    gl.bindVertexArray(made.array);
    for (const name of ["POSITION", "NORMAL", "COLOR_0", "TEXCOORD_0"])
      if (mesh[name]) this.attribute(this.solid, name, this.data(mesh[name].data), mesh[name].width, mesh[name].kind);
    this.data(mesh.faces.data, gl.ELEMENT_ARRAY_BUFFER);
    gl.bindVertexArray(null);
    if (mesh.picture) {
      const picture = await createImageBitmap(mesh.picture, { premultiplyAlpha: "premultiply" });
      made.texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, made.texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
      gl.generateMipmap(gl.TEXTURE_2D);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    }
    return made;
  }

  begin(width, height) {
    const gl = this.gl;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  // Draw into a part [x, y, width, height] of the canvas, seen through a camera.
  view(part, view, lens) {
    this.gl.viewport(...part);
    Object.assign(this, { part, seen: view, lens });
  }

  // tint: a colour in place of the mesh's own
  drawMesh(made, model, opacity = 1, tint = null) {
    const gl = this.gl, at = this.solid;
    gl.useProgram(at.program);
    gl.uniformMatrix4fv(at.model, false, model);
    gl.uniformMatrix4fv(at.view, false, this.seen);
    gl.uniformMatrix4fv(at.lens, false, this.lens);
    gl.uniform1i(at.lit, made.lit);
    gl.uniform1i(at.painted, !!made.texture);
    gl.uniform1i(at.tinted, !!tint);
    if (tint) gl.uniform3fv(at.tint, tint);
    gl.uniform1f(at.opacity, opacity);
    if (made.texture) gl.bindTexture(gl.TEXTURE_2D, made.texture);
    gl.bindVertexArray(made.array);
    gl.depthMask(!made.clear);
    gl.drawElements(made.lines ? gl.LINES : gl.TRIANGLES, made.count, gl.UNSIGNED_INT, 0);
    gl.depthMask(true);
    gl.bindVertexArray(null);
  }

  // The pieces first to last of a curve through points.
  drawCurve(buffer, first, last, look) {
    if (last <= first) return;
    const gl = this.gl, at = this.band;
    gl.useProgram(at.program);
    gl.uniformMatrix4fv(at.view, false, this.seen);
    gl.uniformMatrix4fv(at.lens, false, this.lens);
    gl.uniform2f(at.size, this.part[2], this.part[3]);
    gl.uniform1f(at.width, look.width);
    gl.uniform1f(at.count, last - first);
    gl.uniform1f(at.fade, look.fade ? 1 : 0);
    gl.uniform1f(at.nearer, look.nearer || 0);
    gl.uniform1f(at.opacity, look.opacity);
    gl.uniform3fv(at.ink, look.ink);
    gl.uniform3fv(at.offset, look.offset || [0, 0, 0]);
    this.attribute(at, "corner", this.quad, 2);
    this.attribute(at, "start", buffer, 3, gl.FLOAT, 12 * first, 1);
    this.attribute(at, "end", buffer, 3, gl.FLOAT, 12 * (first + 1), 1);
    gl.depthMask(false); // a curve that passes twice must not cut itself
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, last - first);
    gl.depthMask(true);
    for (const name of ["corner", "start", "end"]) {
      const place = gl.getAttribLocation(at.program, name);
      gl.vertexAttribDivisor(place, 0);
      gl.disableVertexAttribArray(place);
    }
  }
}
