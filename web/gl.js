/* web/gl.js: pictures by WebGL2, with one context for all pictures of a page
 *
 * A picture is drawn on a separate canvas with a transparent background, and copied to the canvas
 * of the page, on which grids, arrows and paths are drawn before and after.
 *
 * Plane. A body is made of triangles from its middle to each edge, with the distances to that edge
 * and to its two neighbours at the corners; pixels whose least distance is below a line's width
 * form the outline. The triangles stay on the card; poses and colours are a texture of two texels a
 * body. A liquid is drawn into a texture: each particle adds a soft spot of its colour, and pixels
 * that are covered enough show the mean colour.
 *
 * Space. One mesh for boxes, one for balls and capsules and one for each body of triangles, drawn
 * for every body: a vertex is c * size + n * radius, turned and moved, with n its normal. The sun
 * sees the scene first and keeps the depth of what it sees; what lies deeper is in shadow. The
 * ground is a disc with a grid of round distances that fades out. */
'use strict';

const SUN_MAP = 1024; /* pixels of the sun's picture, to a side */

const GLSL = {
  plane: [
    `
    in vec4 corner; in vec3 far; /* x, y, 1 on discs, which body; distances to edges */
    uniform sampler2D bodies; uniform vec4 view;
    out vec2 own; out vec3 rims; flat out float disc; flat out vec4 colour;
    void main() {
      int k = int(corner.w), x = 2 * (k % 256), y = k / 256;
      vec4 p = texelFetch(bodies, ivec2(x, y), 0);
      colour = texelFetch(bodies, ivec2(x + 1, y), 0); own = corner.xy; rims = far; disc = corner.z;
      gl_Position = vec4(view.xy * (p.xy + mat2(p.zw, -p.w, p.z) * own) + view.zw, 0, 1);
    }`,
    `
    in vec2 own; in vec3 rims; flat in float disc; flat in vec4 colour;
    uniform float pixel; uniform vec3 accent; out vec4 seen;
    void main() {
      bool held = colour.a > 0.0;
      float rim = min(rims.x, min(rims.y, rims.z));
      float line = 1.0 - smoothstep(0.5, 1.5, rim / pixel / (held ? 3.0 : 1.0));
      if (disc > 0.5 && own.x > 0.0)
        line = max(line, 1.0 - smoothstep(0.4, 1.2, abs(own.y) / pixel));
      seen = vec4(mix(colour.rgb, held ? accent : 0.55 * colour.rgb, line), 1);
    }`
  ],
  spots: [
    `
    in vec3 place; in float byte;
    uniform vec3 lo, size; uniform mat4 toClip; uniform sampler2D palette; uniform float wide;
    flat out vec3 colour;
    void main() {
      gl_Position = toClip * vec4(lo + size * place, 1);
      gl_PointSize = max(2.0, wide / gl_Position.w);
      colour = texelFetch(palette, ivec2(int(byte * 255.0 + 0.5), 0), 0).rgb;
    }`,
    `
    flat in vec3 colour; uniform float solid; uniform vec3 toEyeSun; out vec4 seen;
    void main() {
      vec2 d = 2.0 * gl_PointCoord - 1.0; float r = dot(d, d);
      if (r > 1.0) discard;
      float soft = (1.0 - r) * (1.0 - r);
      float light = 0.72 + 0.4 * dot(vec3(d.x, -d.y, -sqrt(1.0 - r)), toEyeSun);
      seen = solid > 0.5 ? vec4(colour * light, 1) : vec4(colour, 1) * soft;
    }`
  ],
  liquid: [
    `
    out vec2 at;
    void main() {
      at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
      gl_Position = vec4(2.0 * at - 1.0, 0, 1);
    }`,
    `
    in vec2 at; uniform sampler2D spots; uniform vec2 share; out vec4 seen;
    void main() {
      vec4 t = texture(spots, at * share);
      float cover = smoothstep(0.3, 0.45, t.a);
      seen = vec4(t.rgb / max(t.a, 0.01) * mix(0.72, 1.0, smoothstep(0.45, 0.75, t.a)), 1) * cover;
    }`
  ],
  solid: [
    `
    in vec3 c, n, place; in vec4 turn, size; in vec3 tint;
    uniform mat4 toClip;
    out vec3 p, normal, corner, colour; flat out vec3 own; flat out vec4 most;
    vec3 turned(vec3 v) { return v + 2.0 * cross(turn.yzw, cross(turn.yzw, v) + turn.x * v); }
    void main() {
      p = place + turned(c * size.xyz + n * size.w);
      normal = turned(n); colour = tint; corner = c; own = n; most = size;
      gl_Position = toClip * vec4(p, 1);
    }`,
    `
    in vec3 p, normal, corner, colour; flat in vec3 own; flat in vec4 most; out vec4 seen;
    SHADOW
    void main() {
      float light = 0.6 + 0.1 * normal.z + 0.42 * max(0.0, dot(normal, sun)) * lit(p, normal);
      /* pixels from the edges of a face */
      vec3 far = (1.0 - abs(corner)) / max(fwidth(corner), 1e-9) + 1e6 * abs(own);
      /* of a face of a few pixels the edges would be all that is seen */
      vec3 wide = fwidth(corner);
      float dark = 0.4 * clamp(1.2 - 3.0 * max(wide.x, max(wide.y, wide.z)), 0.2, 1.0);
      if (most.w == 0.0)
        light *= 1.0 - dark * (1.0 - smoothstep(0.3, 1.5, min(far.x, min(far.y, far.z))));
      seen = vec4(min(vec3(1), colour * light), 1);
    }`
  ],
  ground: [
    `
    uniform mat4 toClip; uniform vec4 disc; out vec3 p;
    void main() {
      p = vec3(disc.xy + 2.0 * disc.w * (vec2(gl_VertexID & 1, gl_VertexID >> 1) - 0.5), disc.z);
      gl_Position = toClip * vec4(p, 1);
    }`,
    `
    in vec3 p; uniform vec4 disc; uniform float gap, line; uniform vec3 colour; out vec4 seen;
    SHADOW
    void main() {
      vec2 q = p.xy / gap, wide = fwidth(q), off = abs(q - round(q)) / max(wide, 1e-9);
      vec2 faint = clamp(1.0 - 3.0 * wide, 0.0, 1.0) * (1.0 - smoothstep(0.5, 1.5, off));
      float fade = 1.0 - smoothstep(0.35, 1.0, length(p.xy - disc.xy) / disc.w);
      float grid = 1.0 + line * max(faint.x, faint.y), light = 0.6 + 0.4 * lit(p, vec3(0, 0, 1));
      seen = vec4(colour * grid * light, 1) * fade;
    }`
  ],
  depth: [null, `void main() {}`],
};
/* taps: rays to the sun on either side of the middle one, in two directions; more are softer. */
const shadow = taps => `
    uniform highp sampler2DShadow sunMap; uniform mat4 toSun; uniform vec3 sun; uniform float texel;
    float lit(vec3 p, vec3 normal) { /* the share of the rays to the sun that meet nothing */
      vec3 s = (toSun * vec4(p + ${1 + taps}.0 * texel * normal, 1)).xyz * 0.5 + 0.5;
      if (any(lessThan(s, vec3(0))) || any(greaterThan(s, vec3(1)))) return 1.0;
      float sum = 0.0;
      for (int i = -${taps}; i <= ${taps}; i++)
        for (int j = -${taps}; j <= ${taps}; j++)
          sum += texture(sunMap, vec3(s.xy + vec2(i, j) / ${SUN_MAP}.0, s.z - 0.0015));
      return sum / ${(2 * taps + 1) ** 2}.0;
    }`;

/* The matrix, column by column, of f, which takes points to four numbers by a linear rule. */
function matrixOf(f) {
  const o = f([0, 0, 0]),
        columns = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(e => f(e).map((v, k) => v - o[k]));
  return Float32Array.from([...columns.flat(), ...o]);
}
/* Triangles of a body of the plane: x, y, 1 on discs, number, and the distances to three edges. */
function trianglesOf(shape, number, out) {
  const round = shape.kind === 'disc' ? 1 : 0, r = shape.size[0],
        corner = round ?
      Array.from(
          {length: 128}, (_, k) => r * [Math.cos, Math.sin][k % 2](Math.PI * (k >> 1) / 32)) :
      shape.corner;
  const count = corner.length / 2, at = k => {
    const j = (k + count) % count;
    return [corner[2 * j], corner[2 * j + 1]];
  };
  const m = [0, 1].map(d => corner.reduce((a, v, k) => k % 2 === d ? a + v / count : a, 0));
  const far = (p, k) => {
    const a = at(k), b = at(k + 1), e = [b[0] - a[0], b[1] - a[1]];
    return Math.abs(e[0] * (p[1] - a[1]) - e[1] * (p[0] - a[0])) / (Math.hypot(...e) || 1);
  };
  for (let k = 0; k < count; k++)
    for (const p of [m, at(k), at(k + 1)])
      out.push(...p, round, number, far(p, k), far(p, k - 1), far(p, k + 1));
}
const boxMesh = () => [0, 1, 2].flatMap(
    d => [1, -1].flatMap(
        s => [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]].flatMap(([u, v]) => {
          const c = [0, 0, 0], n = [0, 0, 0];
          c[d] = n[d] = s;
          c[(d + 1) % 3] = u;
          c[(d + 2) % 3] = v;
          return [...c, ...n];
        })));
/* A ball whose halves are moved apart along z. */
function roundMesh(around = 24, rings = 12) {
  const at = (i, j) => {
    const a = 2 * Math.PI * i / around, b = Math.PI * j / rings;
    return [Math.sin(b) * Math.cos(a), Math.sin(b) * Math.sin(a), Math.cos(b)];
  };
  const out = [], put = (n, z) => out.push(0, 0, z, ...n),
        quad = (a, za, b, zb) => a.forEach((_, i) => {
          if (i < around) {
            const k = i + 1;
            put(a[i], za);
            put(b[i], zb);
            put(b[k], zb);
            put(a[i], za);
            put(b[k], zb);
            put(a[k], za);
          }
        });
  const ring = j => Array.from({length: around + 1}, (_, i) => at(i, j));
  for (let j = 0; j < rings; j++)
    quad(ring(j), j < rings / 2 ? 1 : -1, ring(j + 1), j < rings / 2 ? 1 : -1);
  quad(ring(rings / 2), 1, ring(rings / 2), -1);
  return out;
}

/* Triangles with the normal of their plane. */
function triangleMesh(corner) {
  const out = [];
  for (let k = 0; k < corner.length; k += 9) {
    const [p, q, r] = [0, 3, 6].map(i => corner.slice(k + i, k + i + 3)),
                 n = cross(plus(q, -1, p), plus(r, -1, p)), l = Math.hypot(...n) || 1;
    for (const c of [p, q, r]) out.push(...c, ...n.map(v => v / l));
  }
  return out;
}

function hasCard() {
  const gl = document.createElement('canvas').getContext('webgl2'),
        more = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl ? gl.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return !/swiftshader|llvmpipe|software|basic render/i.test(name);
}
function makeRenderer() {
  /* With software rendering: no smooth edges, harder shadows, and in 3D pixels of double the size,
   * unless a fine picture is wanted. */
  const card = look.fine || hasCard();
  let share = 1;
  const canvas = document.createElement('canvas'),
        gl = canvas.getContext('webgl2', {antialias: card});
  if (!gl) return null;
  const UNITS = ['bodies', 'palette', 'sunMap', 'spots'];
  function program([vertex, fragment], names) {
    const own = gl.createProgram();
    for (const [kind, text] of [
             [gl.VERTEX_SHADER, vertex],
             [gl.FRAGMENT_SHADER, fragment.replace('SHADOW', shadow(card ? 3 : 1))]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(
          shader, `#version 300 es\nprecision highp float; precision highp int;${text}`);
      gl.compileShader(shader);
      gl.attachShader(own, shader);
    }
    names.forEach((name, k) => gl.bindAttribLocation(own, k, name));
    gl.linkProgram(own);
    if (!gl.getProgramParameter(own, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(
          gl.getAttachedShaders(own).map(s => gl.getShaderInfoLog(s)).join('') +
          gl.getProgramInfoLog(own));
    gl.useProgram(own);
    UNITS.forEach((name, unit) => gl.uniform1i(gl.getUniformLocation(own, name), unit));
    return {own, at: {}};
  }
  function use(p, values) {
    gl.useProgram(p.own);
    for (const [name, v] of Object.entries(values)) {
      const at = p.at[name] ??= gl.getUniformLocation(p.own, name);
      if (typeof v === 'number')
        gl.uniform1f(at, v);
      else if (v.length === 16)
        gl.uniformMatrix4fv(at, false, v);
      else
        gl[`uniform${v.length}fv`](at, v);
    }
  }
  const SOLID = ['c', 'n', 'place', 'turn', 'size', 'tint'];
  const programs = {
    plane: program(GLSL.plane, ['corner', 'far']),
    spots: program(GLSL.spots, ['place', 'byte']),
    liquid: program(GLSL.liquid, []),
    solid: program(GLSL.solid, SOLID),
    ground: program(GLSL.ground, []),
    depth: program([GLSL.solid[0], GLSL.depth[1]], SOLID),
    spotDepth: program([GLSL.spots[0], GLSL.depth[1]], ['place', 'byte'])
  };
  const fill = (buffer, data) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
  };
  /* Attributes [location, numbers] one after another in a buffer of floats; divisor 1: for each
   * body. */
  function floats(buffer, list, divisor = 0) {
    const stride = 4 * list.reduce((a, [, n]) => a + n, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    let offset = 0;
    for (const [at, n] of list) {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, n, gl.FLOAT, false, stride, offset);
      gl.vertexAttribDivisor(at, divisor);
      offset += 4 * n;
    }
  }
  function solids(mesh) {
    const vao = gl.createVertexArray(), corners = gl.createBuffer(), bodies = gl.createBuffer();
    gl.bindVertexArray(vao);
    fill(corners, Float32Array.from(mesh));
    floats(corners, [[0, 3], [1, 3]]);
    fill(bodies, new Float32Array(14));
    floats(bodies, [[2, 3], [3, 4], [4, 4], [5, 3]], 1);
    return {vao, bodies, corners: mesh.length / 6, count: 0};
  }
  const texture = (unit, filter) => {
    const own = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, own);
    for (const [name, v] of [
             [gl.TEXTURE_MIN_FILTER, filter], [gl.TEXTURE_MAG_FILTER, filter],
             [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]])
      gl.texParameteri(gl.TEXTURE_2D, name, v);
    return own;
  };
  const boxes = solids(boxMesh()), rounds = solids(roundMesh()), empty = gl.createVertexArray();
  const dots = {vao: gl.createVertexArray(), place: gl.createBuffer(), byte: gl.createBuffer()};
  UNITS.forEach(
      (_, unit) =>
          texture(unit, unit < 2 ? gl.NEAREST : gl.LINEAR)); /* bound to their units for good */
  /* ---- The sun's picture, and that of a liquid ---- */
  const target = (unit, attachment) => {
    const own = gl.createFramebuffer();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindFramebuffer(gl.FRAMEBUFFER, own);
    gl.framebufferTexture2D(
        gl.FRAMEBUFFER, attachment, gl.TEXTURE_2D, gl.getParameter(gl.TEXTURE_BINDING_2D), 0);
    return own;
  };
  gl.activeTexture(gl.TEXTURE2);
  gl.texImage2D(
      gl.TEXTURE_2D, 0, gl.DEPTH_COMPONENT24, SUN_MAP, SUN_MAP, 0, gl.DEPTH_COMPONENT,
      gl.UNSIGNED_INT, null);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  const sunTarget = target(2, gl.DEPTH_ATTACHMENT), spotTarget = target(3, gl.COLOR_ATTACHMENT0);
  let spotSize = [0, 0];
  const toScreen = (width, height) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, Math.ceil(width * share), Math.ceil(height * share));
  };

  /* ---- The plane ---- */
  const meshes = new WeakMap(); /* of lists of shapes */
  function meshOf(shapes) {
    if (!meshes.has(shapes)) {
      const list = [], vao = gl.createVertexArray(), buffer = gl.createBuffer();
      shapes.forEach((shape, k) => {
        if (!shape.wire) trianglesOf(shape, k, list);
      });
      gl.bindVertexArray(vao);
      fill(buffer, Float32Array.from(list));
      floats(buffer, [[0, 4], [1, 3]]);
      meshes.set(shapes, {vao, count: list.length / 7});
    }
    return meshes.get(shapes);
  }
  function drawPlane(run, frame, view) {
    const n = run.shapes.length, rows = Math.ceil(n / 256), data = new Float32Array(2048 * rows),
          sx = 2 * view.s / view.width, sy = 2 * view.s / view.height,
          [ox, oy] = view.screen([0, 0]);
    for (let k = 0; k < n; k++) {
      const at = 3 * (frame * n + k), a = run.pose[at + 2], c = colourOf(run, k, frame);
      data.set(
          [
            run.pose[at], run.pose[at + 1], Math.cos(a), Math.sin(a), c[0] / 255, c[1] / 255,
            c[2] / 255, run.held === k ? 1 : 0
          ],
          8 * k);
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 512, rows, 0, gl.RGBA, gl.FLOAT, data);
    const {vao, count} = meshOf(run.shapes);
    use(programs.plane, {
      view: [sx, sy, 2 * ox / view.width - 1, 1 - 2 * oy / view.height],
      pixel: Math.max(1, view.width / 900) / view.s,
      accent: accent()
    });
    gl.bindVertexArray(vao);
    gl.drawArrays(gl.TRIANGLES, 0, count);
  }
  const accent = () =>
      (css('--accent').match(/\w\w/g) ?? ['25', '63', 'b8']).map(t => parseInt(t, 16) / 255);

  /* ---- Liquids ---- */
  /* The particles of a frame, on the card; returns how many. */
  function loadDots(run, frame) {
    const D = run.dimension, {byte, colours} = dropColours(run, frame);
    gl.bindVertexArray(dots.vao);
    /* Four numbers each: SwiftShader on ARM ends by an illegal instruction if there are three. */
    const from = run.first[frame], place = new Uint16Array(4 * byte.length);
    for (let k = 0; k < byte.length; k++)
      place.set(run.particle.subarray(D * (from + k), D * (from + k + 1)), 4 * k);
    fill(dots.place, place);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.UNSIGNED_SHORT, true, 8, 0);
    fill(dots.byte, byte);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 1, gl.UNSIGNED_BYTE, true, 1, 0);
    gl.activeTexture(gl.TEXTURE1);
    gl.texImage2D(
        gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE,
        Uint8Array.from(
            {length: 1024},
            (_, k) => k % 4 === 3 ? 255 : colours[Math.min(k >> 2, colours.length - 1)][k % 4]));
    return byte.length;
  }
  const drawDots = (p, run, count, values) => {
    use(p, {lo: run.lo, size: run.hi.map((v, d) => v - run.lo[d]), ...values});
    gl.bindVertexArray(dots.vao);
    gl.drawArrays(gl.POINTS, 0, count);
  };
  /* At half the resolution: spots are soft. */
  function drawLiquid(run, frame, view) {
    const count = loadDots(run, frame), w = Math.ceil(view.width / 2),
          h = Math.ceil(view.height / 2);
    if (!count) return;
    gl.bindFramebuffer(gl.FRAMEBUFFER, spotTarget);
    if (spotSize[0] < w || spotSize[1] < h) {
      spotSize = [Math.max(w, spotSize[0]), Math.max(h, spotSize[1])];
      gl.activeTexture(gl.TEXTURE3);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, ...spotSize, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    }
    gl.viewport(0, 0, w, h);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const toClip = matrixOf(p => {
      const [x, y] = view.screen(p);
      return [2 * x / view.width - 1, 1 - 2 * y / view.height, 0, 1];
    });
    drawDots(
        programs.spots, run, count,
        {toClip, wide: Math.max(3, 2.1 * view.s * run.grain), solid: 0, toEyeSun: [0, 0, 0]});
    toScreen(view.width, view.height);
    use(programs.liquid, {share: [w / spotSize[0], h / spotSize[1]]});
    gl.bindVertexArray(empty);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /* ---- Space ---- */
  const triangles = new WeakMap(); /* of shapes */
  let sets = [boxes, rounds];
  function loadSolids(run, frame) {
    const n = run.shapes.length, list = {box: [], round: []}, bright = accent().map(v => 255 * v),
          meshes = [];
    run.shapes.forEach((shape, k) => {
      if (shape.wire || isGround(run, frame, k)) return;
      const at = 7 * (frame * n + k), [a, b] = shape.size, own = colourOf(run, k, frame),
            c = run.held === k ? mix(own, bright, 0.6) : own;
      const size = shape.kind === 'mesh' ? [1, 1, 1, 1e-9] : /* without edges */
          shape.kind === 'box' ? [...shape.size, 0] :
                                 [0, 0, shape.kind === 'capsule' ? b : 0, a];
      const data = [...run.pose.subarray(at, at + 7), ...size, ...[0, 1, 2].map(d => c[d] / 255)];
      if (shape.kind === 'mesh') {
        if (!triangles.has(shape)) triangles.set(shape, solids(triangleMesh(shape.corner)));
        meshes.push([triangles.get(shape), data]);
      } else
        list[shape.kind === 'box' ? 'box' : 'round'].push(...data);
    });
    const all = [[boxes, list.box], [rounds, list.round], ...meshes];
    for (const [set, data] of all) {
      fill(set.bodies, Float32Array.from(data));
      set.count = data.length / 14;
    }
    sets = all.map(([set]) => set);
  }
  const drawSolids = () => {
    for (const set of sets) {
      gl.bindVertexArray(set.vao);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, set.corners, set.count);
    }
  };
  function drawSpace(run, frame, view) {
    const {width, height, focal, cx, cy, near, extent} = view, far = view.distance + 8 * extent,
                                               l = Math.hypot(...SUN), sun = SUN.map(v => v / l);
    const toClip = matrixOf(p => {
      const e = view.eye(p);
      return [
        (2 * cx / width - 1) * e[2] + 2 * focal / width * e[0],
        (1 - 2 * cy / height) * e[2] + 2 * focal / height * e[1],
        (far + near) / (far - near) * e[2] - 2 * far * near / (far - near), e[2]
      ];
    });
    /* across the sun's rays: u level, v up */
    const level = Math.hypot(sun[0], sun[1]), u = [-sun[1] / level, sun[0] / level, 0],
          v = [-sun[2] * u[1], sun[2] * u[0], level], reach = 0.62 * extent;
    const toSun = matrixOf(p => {
      const q = plus(p, -1, view.middle);
      return [dot(q, u) / reach, dot(q, v) / reach, -dot(q, sun) / (2 * reach), 1];
    });
    loadSolids(run, frame);
    const count = run.particle.length ? loadDots(run, frame) : 0,
          shade = {toClip, toSun, sun, texel: 2 * reach / SUN_MAP};
    gl.enable(gl.DEPTH_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, sunTarget);
    gl.viewport(0, 0, SUN_MAP, SUN_MAP);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    use(programs.depth, {toClip: toSun});
    drawSolids();
    if (count)
      drawDots(
          programs.spotDepth, run, count,
          {toClip: toSun, wide: 1.3 * run.grain / reach * SUN_MAP / 2});
    toScreen(width, height);
    const dark = isDark(), at = view.middle;
    if (view.world([0, 0, 0])[2] > run.floor) {
      use(programs.ground, {
        ...shade,
        disc: [at[0], at[1], run.floor, 2.2 * extent],
        gap: roundStep(extentOf(run)),
        line: dark ? 0.35 : -0.1,
        colour: dark ? [0.17, 0.19, 0.23] : [0.88, 0.89, 0.9]
      });
      gl.bindVertexArray(empty);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    use(programs.solid, shade);
    drawSolids();
    if (count)
      drawDots(
          programs.spots, run, count,
          {toClip, wide: 1.3 * run.grain * focal * share, solid: 1, toEyeSun: view.turn(sun)});
    gl.disable(gl.DEPTH_TEST);
  }
  function draw(run, frame, g, view) {
    share = card || run.sharp || run.dimension === 2 ? 1 : 0.5;
    const {width, height} = view, w = Math.ceil(width * share), h = Math.ceil(height * share);
    if (canvas.width < w || canvas.height < h) {
      canvas.width = Math.max(canvas.width, w);
      canvas.height = Math.max(canvas.height, h);
    }
    toScreen(width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (run.dimension === 3)
      drawSpace(run, frame, view);
    else {
      if (run.particle.length) drawLiquid(run, frame, view);
      drawPlane(run, frame, view);
    } /* walls before the liquid */
    g.drawImage(canvas, 0, canvas.height - h, w, h, 0, 0, width, height);
  }
  canvas.addEventListener('webglcontextlost', () => {
    renderer = null;
    setTimeout(() => {
      renderer = undefined;
    }, 1000);
  });
  return {draw, canvas, gl};
}
