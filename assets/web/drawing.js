// Drawing: solids in the stage's light, painted ground, soft shadows, and curves as bands of even width.
"use strict";

const SOLID = [`#version 300 es
  in vec3 POSITION, NORMAL; in vec4 COLOR_0; in vec2 TEXCOORD_0;
  uniform mat4 model, view, lens; uniform bool lit;
  out vec3 normal, sight; out vec4 colour; out vec2 place;
  void main() {
    vec4 seen = view * model * vec4(POSITION, 1.0);
    sight = -seen.xyz;
    normal = lit ? mat3(view) * mat3(model) * NORMAL : vec3(0.0);
    colour = COLOR_0; place = TEXCOORD_0;
    gl_Position = lens * seen;
  }`, `#version 300 es
  precision highp float;
  const int MOST = 4; // lights
  in vec3 normal, sight; in vec4 colour; in vec2 place;
  uniform bool lit, painted, shaded, tinted; uniform vec3 tint; uniform float opacity; uniform sampler2D picture;
  uniform int lights; uniform vec3 ways[MOST], inks[MOST], shine; // ambient, reflected, power of the reflection
  out vec4 result;
  vec3 display(vec3 light) {
    return mix(1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, 12.92 * light, lessThan(light, vec3(0.0031308)));
  }
  void main() {
    if (painted) {
      vec4 shade = shaded ? vec4(display(colour.rgb), 1.0) * colour.a : vec4(1.0);
      result = texture(picture, place) * shade;
      return;
    }
    vec3 c = tinted ? tint : display(colour.rgb);
    if (lit) {
      vec3 n = normalize(gl_FrontFacing ? normal : -normal);
      if (dot(n, normalize(normal)) < 0.0) n = -n;
      vec3 diffuse = vec3(shine.x), mirrored = vec3(0.0), eye = normalize(sight);
      for (int i = 0; i < lights; i++) {
        float facing = dot(n, ways[i]);
        if (facing <= 0.0) continue;
        diffuse += facing * inks[i];
        mirrored += pow(max(dot(reflect(-ways[i], n), eye), 0.0), shine.z) * inks[i];
      }
      c = min(c * diffuse + shine.y * mirrored, 1.0);
    }
    float seen = opacity * (lit ? 1.0 : colour.a);
    result = vec4(c * seen, seen);
  }`];

// A disc, or a ring around its middle, that fades from dark to nothing.
const BLOB = [`#version 300 es
  in vec2 corner; uniform mat4 view, lens; uniform vec4 reach; uniform vec3 centre; out vec2 across;
  void main() {
    across = vec2(2.0 * corner.x - 1.0, corner.y);
    vec2 offset = reach.xy * across.x + reach.zw * across.y;
    gl_Position = lens * view * vec4(centre + vec3(offset, 0.0), 1.0);
  }`, `#version 300 es
  precision highp float;
  in vec2 across; uniform float darkness; uniform bool bored; out vec4 result;
  void main() {
    float r = length(across);
    r = min(bored ? abs(r - 0.61) / 0.39 : r, 1.0); // points of a ring are 1.41 of 2.3 standard deviations away
    result = vec4(0.0, 0.0, 0.0, darkness * pow(0.5 + 0.5 * cos(3.14159265 * r), 1.4));
  }`];

const BAND = [`#version 300 es
  in vec3 start, end; in vec2 corner;
  uniform mat4 view, lens; uniform vec2 size; uniform float width, count, fade, nearer; uniform mat4 model;
  out float strength;
  void main() {
    mat4 seen = lens * view * model;
    vec4 a = seen * vec4(start, 1.0), b = seen * vec4(end, 1.0);
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
    if (!this.gl) throw new Error(about.words.no_webgl);
    this.solid = this.program(SOLID);
    this.band = this.program(BAND);
    this.blob = this.program(BLOB);
    this.quad = this.data(new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]));
    this.line = this.gl.createBuffer();
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
    Object.assign(made, { lines: mesh.lines, clear: mesh.clear, shaded: !!mesh.COLOR_0 });
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
      for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
        gl.texParameteri(gl.TEXTURE_2D, side, made.shaded ? gl.REPEAT : gl.CLAMP_TO_EDGE);
      const sharp = gl.getExtension("EXT_texture_filter_anisotropic");
      if (sharp) gl.texParameterf(gl.TEXTURE_2D, sharp.TEXTURE_MAX_ANISOTROPY_EXT, 8);
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

  // Draw into a part [x, y, width, height] of the canvas, seen through a camera, in some lights.
  view(part, view, lens, lights) {
    this.gl.viewport(...part);
    const turned = ([x, y, z]) => [0, 1, 2].map((k) => view[k] * x + view[4 + k] * y + view[8 + k] * z);
    const ways = lights.flatMap((light) => (light.fixed ? light.way : turned(light.way)));
    Object.assign(this, { part, seen: view, lens, ways, inks: lights.flatMap((light) => light.ink) });
  }

  // A square of the picture in one colour [r, g, b], to draw into from now on.
  square(part, colour) {
    const gl = this.gl;
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(...part);
    gl.clearColor(...colour, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.disable(gl.SCISSOR_TEST);
  }

  // tint: a colour in place of the mesh's own; shine: see the shader
  drawMesh(made, model, opacity = 1, tint = null, shine = [0, 0.25, 40]) {
    const gl = this.gl, at = this.solid;
    gl.useProgram(at.program);
    gl.uniformMatrix4fv(at.model, false, model);
    gl.uniformMatrix4fv(at.view, false, this.seen);
    gl.uniformMatrix4fv(at.lens, false, this.lens);
    gl.uniform1i(at.lit, made.lit);
    gl.uniform1i(at.painted, !!made.texture);
    gl.uniform1i(at.shaded, made.shaded);
    gl.uniform1i(at.lights, this.inks.length / 3);
    gl.uniform3fv(at["ways[0]"], this.ways);
    gl.uniform3fv(at["inks[0]"], this.inks);
    gl.uniform3fv(at.shine, shine);
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

  // Whether what is drawn from now on is in front of all that was drawn.
  nearest(on) {
    this.gl.depthRange(0, on ? 0.001 : 1);
  }

  // What is drawn from now on is before all that was drawn.
  forget() {
    this.gl.clear(this.gl.DEPTH_BUFFER_BIT);
  }

  // A body that one sees through, and those of its lines that it does not hide.
  drawGhost(made, lines, model, tint, opacity) {
    const gl = this.gl;
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    gl.colorMask(false, false, false, false); // at first its front alone
    this.drawMesh(made, model);
    gl.colorMask(true, true, true, true);
    this.drawMesh(made, model, opacity, [1, 1, 1]);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    this.drawMesh(lines, model, 1, tint);
    gl.depthFunc(gl.LESS);
  }

  // A soft shadow about a place, that reaches so far [x, y] two ways.
  drawShadow(centre, one, other, darkness, bored) {
    const gl = this.gl, at = this.blob;
    gl.useProgram(at.program);
    gl.uniformMatrix4fv(at.view, false, this.seen);
    gl.uniformMatrix4fv(at.lens, false, this.lens);
    gl.uniform3fv(at.centre, centre);
    gl.uniform4fv(at.reach, [...one, ...other]);
    gl.uniform1f(at.darkness, darkness);
    gl.uniform1i(at.bored, bored ? 1 : 0);
    this.attribute(at, "corner", this.quad, 2);
    gl.depthMask(false);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthMask(true);
    gl.disableVertexAttribArray(gl.getAttribLocation(at.program, "corner"));
  }

  // A line through points [x, y, z], on a wider and darker one, as wide as two widths say.
  drawLine(points, inks, widths, opacity) {
    const gl = this.gl, model = placed([0, 0, 0, 1], [0, 0, 0]);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.line);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points.flat()), gl.STREAM_DRAW);
    for (const k of [1, 0])
      this.drawCurve(this.line, 0, points.length - 1, { ink: inks[k], width: widths[k], opacity: opacity[k], model, nearer: 2e-3 - 1e-3 * k });
  }

  // A dot of so many pixels, as far from the eye.
  drawDot(place, tint, pixels, far) {
    const size = (pixels * far * Math.tan(ANGLE / 2)) / Math.min(this.part[2], this.part[3]);
    this.drawMesh(this.ball, placed([0, 0, 0, 1], place, size), 1, tint);
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
    gl.uniformMatrix4fv(at.model, false, look.model);
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

// A ball of radius 1, of triangles between circles of n points.
function ball(n = 12) {
  const points = [], faces = [];
  for (let i = 0; i <= n; i++)
    for (let k = 0; k < n; k++) {
      const a = (Math.PI * i) / n, b = (2 * Math.PI * k) / n, next = (k + 1) % n;
      points.push(Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a));
      if (i) faces.push((i - 1) * n + k, i * n + k, i * n + next, (i - 1) * n + k, i * n + next, (i - 1) * n + next);
    }
  return { POSITION: { data: new Float32Array(points), width: 3, kind: 5126 }, faces: { data: new Uint32Array(faces) } };
}
