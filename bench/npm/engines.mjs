/* engines.mjs: the engines of npm, each as make(scene) -> {step(), poses()}
 *
 * Each keeps the settings its package has, but no body may sleep: what is compared is the solver. A body's friction is the
 * scene's; all of these rules for two bodies (mean, geometric mean, maximum) give it again. */
import {STEP, add, contacts, cross, dot, floor, pairs, poseOf, quaternion, rotation} from './boxes.mjs';

const everyone = (scene, f) => [floor, ...scene.bodies].map(f).slice(1);

/* ---- perp-lcp: the package solves, what is here moves the boxes ---- */

const MARGIN = 0.02;   /* contacts that may close within a step */
const CORRECTION = 0.2; /* the part of an overlap that a step removes */
const FREE = 30;       /* steps before a time limit holds: a level loads, and code is compiled */
const perp = limit => async (scene, {load}) => {
  const solver = await load(), n = scene.bodies.length, v = new Float64Array(6 * n), Minv = new Float64Array(36 * n);
  const state = scene.bodies.map(b => ({p: b.at, q: quaternion(b.turn), R: poseOf(b).R}));
  const still = poseOf(floor), report = {solved: 0, steps: 0, residual: 0};
  let before = new Map();
  const inverseInertia = ({half: [x, y, z], mass}) => [3 / (mass * (y * y + z * z)), 3 / (mass * (x * x + z * z)), 3 / (mass * (x * x + y * y))];
  function inverseMasses() {
    scene.bodies.forEach((body, k) => {
      const {R} = state[k], inverse = inverseInertia(body);
      for (let i = 0; i < 3; i++) {
        Minv[36 * k + 7 * i] = 1 / body.mass;
        for (let j = 0; j < 3; j++) Minv[36 * k + 6 * (i + 3) + j + 3] = R[3 * i] * inverse[0] * R[3 * j] + R[3 * i + 1] * inverse[1] * R[3 * j + 1] + R[3 * i + 2] * inverse[2] * R[3 * j + 2];
      }
    });
  }
  /* The contact of the last step that lay within a centimetre of this one */
  const last = (key, p) => before.get(key)?.find(c => add(c.p, p, -1).every(d => Math.abs(d) < 0.01))?.x;
  function step() {
    const all = [];
    for (const [i, j] of pairs(scene.bodies, state, MARGIN))
      for (const c of contacts(i < 0 ? floor : scene.bodies[i], i < 0 ? still : state[i], scene.bodies[j], state[j], MARGIN)) all.push({i, j, ...c});
    const rows = 3 * all.length, J = new Float64Array(rows * 12), c = new Float64Array(rows), start = new Float64Array(rows), body = new Int32Array(2 * all.length);
    all.forEach((contact, k) => {
      const {i, j, p, n: normal, gap} = contact, side = Math.abs(normal[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
      let t = add(side, normal, -dot(side, normal));
      t = t.map(w => w / Math.hypot(...t));
      [normal, t, cross(normal, t)].forEach((w, row) => {
        const at = (3 * k + row) * 12;
        if (i >= 0) J.set([...w.map(z => -z), ...cross(w, add(p, state[i].p, -1))], at);
        J.set([...w, ...cross(add(p, state[j].p, -1), w)], at + 6);
      });
      c[3 * k] = (gap > 0 ? gap : CORRECTION * gap) / STEP;
      body.set([i, j], 2 * k);
      const x = last(`${i} ${j}`, p);
      if (x) start.set(x, 3 * k);
    });
    for (let k = 0; k < n; k++)
      for (let i = 0; i < 3; i++) v[6 * k + i] += STEP * scene.gravity[i];
    inverseMasses();
    if (all.length) {
      const r = solver.solveContacts({bodies: n, body, J, Minv, v, c, mu: new Float64Array(all.length).fill(scene.mu)}, {tol: 1e-8, start, ...limit && report.steps >= FREE && {timeLimit: limit}});
      v.set(r.v);
      before = new Map();
      all.forEach(({i, j, p}, k) => {
        const key = `${i} ${j}`;
        before.set(key, [...before.get(key) ?? [], {p, x: r.x.slice(3 * k, 3 * k + 3)}]);
      });
      report.solved += r.solved;
      report.residual = Math.max(report.residual, r.relativeResidual);
    }
    report.steps++;
    report.solved += all.length === 0;
    state.forEach((s, k) => {
      const at = 6 * k, w = [v[at + 3], v[at + 4], v[at + 5]], angle = Math.hypot(...w) * STEP;
      s.p = add(s.p, [v[at], v[at + 1], v[at + 2]], STEP);
      if (angle > 0) {
        const f = Math.sin(angle / 2) * STEP / angle, [x, y, z, u] = [w[0] * f, w[1] * f, w[2] * f, Math.cos(angle / 2)], [a, b, d, e] = s.q;
        const q = [u * a + x * e + y * d - z * b, u * b - x * d + y * e + z * a, u * d + x * b - y * a + z * e, u * e - x * a - y * b - z * d];
        s.q = q.map(t => t / Math.hypot(...q));
        s.R = rotation(s.q);
      }
    });
  }
  return {step, poses: () => state.map(({p, R}) => ({p, R})), report};
};

/* ---- Rapier, in space and in the plane ---- */

async function rapier3d(scene, {default: RAPIER}) {
  await RAPIER.init();
  const [x, y, z] = scene.gravity, world = new RAPIER.World({x, y, z});
  world.timestep = STEP;
  const bodies = everyone(scene, b => {
    const [qx, qy, qz, qw] = quaternion(b.turn), kind = b.mass ? RAPIER.RigidBodyDesc.dynamic() : RAPIER.RigidBodyDesc.fixed();
    const body = world.createRigidBody(kind.setTranslation(...b.at).setRotation({x: qx, y: qy, z: qz, w: qw}).setCanSleep(false));
    world.createCollider(RAPIER.ColliderDesc.cuboid(...b.half).setFriction(scene.mu).setMass(b.mass), body);
    return body;
  });
  return {step: () => world.step(), poses: () => bodies.map(b => {
    const p = b.translation(), q = b.rotation();
    return {p: [p.x, p.y, p.z], R: rotation([q.x, q.y, q.z, q.w])};
  })};
}
const planar = (x, y, turn) => ({p: [x, y, 0], R: rotation(quaternion(turn))});
async function rapier2d(scene, {default: RAPIER}) {
  await RAPIER.init();
  const world = new RAPIER.World({x: scene.gravity[0], y: scene.gravity[1]});
  world.timestep = STEP;
  const bodies = everyone(scene, b => {
    const kind = b.mass ? RAPIER.RigidBodyDesc.dynamic() : RAPIER.RigidBodyDesc.fixed();
    const body = world.createRigidBody(kind.setTranslation(b.at[0], b.at[1]).setRotation(b.turn).setCanSleep(false));
    world.createCollider(RAPIER.ColliderDesc.cuboid(b.half[0], b.half[1]).setFriction(scene.mu).setMass(b.mass), body);
    return body;
  });
  return {step: () => world.step(), poses: () => bodies.map(b => planar(b.translation().x, b.translation().y, b.rotation()))};
}

/* ---- Box2D 3: four substeps in a step, as its documentation advises ---- */

async function box2d(scene, {default: factory}) {
  const B = await factory(), definition = B.b2DefaultWorldDef();
  definition.gravity.Set(scene.gravity[0], scene.gravity[1]);
  definition.enableSleep = false;
  const world = B.b2CreateWorld(definition);
  const bodies = everyone(scene, b => {
    const d = B.b2DefaultBodyDef(), s = B.b2DefaultShapeDef();
    d.type = b.mass ? B.b2BodyType.b2_dynamicBody : B.b2BodyType.b2_staticBody;
    d.position.Set(b.at[0], b.at[1]);
    d.rotation = B.b2MakeRot(b.turn);
    const body = B.b2CreateBody(world, d);
    s.density = b.mass / (4 * b.half[0] * b.half[1]);
    s.material.friction = scene.mu;
    B.b2CreatePolygonShape(body, s, B.b2MakeBox(b.half[0], b.half[1]));
    return body;
  });
  return {step: () => B.b2World_Step(world, STEP, 4), poses: () => bodies.map(b => {
    const p = B.b2Body_GetPosition(b), q = B.b2Body_GetRotation(b);
    return planar(p.x, p.y, Math.atan2(q.s, q.c));
  })};
}

/* ---- Jolt ---- */

async function jolt(scene, {default: initialise}) {
  const Jolt = await initialise(), settings = new Jolt.JoltSettings();
  const layers = new Jolt.ObjectLayerPairFilterTable(2), phases = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  layers.EnableCollision(0, 1);
  layers.EnableCollision(1, 1);
  phases.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
  phases.MapObjectToBroadPhaseLayer(1, new Jolt.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = layers;
  settings.mBroadPhaseLayerInterface = phases;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(phases, 2, layers, 2);
  const world = new Jolt.JoltInterface(settings), system = world.GetPhysicsSystem(), bodyInterface = system.GetBodyInterface();
  system.SetGravity(new Jolt.Vec3(...scene.gravity));
  const bodies = everyone(scene, b => {
    const size = Math.min(...b.half), shape = new Jolt.BoxShape(new Jolt.Vec3(...b.half), Math.min(0.05, size / 2));
    const creation = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(...b.at), new Jolt.Quat(...quaternion(b.turn)),
                                                   b.mass ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static, b.mass ? 1 : 0);
    creation.mFriction = scene.mu;
    creation.mAllowSleeping = false;
    if (b.mass) {
      creation.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
      creation.mMassPropertiesOverride.mMass = b.mass;
      creation.mLinearDamping = creation.mAngularDamping = 0;
    }
    const body = bodyInterface.CreateBody(creation);
    bodyInterface.AddBody(body.GetID(), Jolt.EActivation_Activate);
    return body;
  });
  return {step: () => world.Step(STEP, 1), poses: () => bodies.map(b => {
    const p = b.GetPosition(), q = b.GetRotation();
    return {p: [p.GetX(), p.GetY(), p.GetZ()], R: rotation([q.GetX(), q.GetY(), q.GetZ(), q.GetW()])};
  })};
}

/* ---- MuJoCo: its elliptic cones are those of Coulomb ---- */

async function mujoco(scene, {default: load}) {
  const M = await load();
  const geom = b => `<geom type="box" size="${b.half.join(' ')}" friction="${scene.mu} 0.005 0.0001"${b.mass ? ` mass="${b.mass}"` : ''}/>`;
  const place = b => `pos="${b.at.join(' ')}" euler="0 0 ${b.turn}"`;
  const xml = `<mujoco><compiler angle="radian"/><option timestep="${STEP}" gravity="${scene.gravity.join(' ')}" cone="elliptic"/>
    <size memory="200M"/><worldbody><body ${place(floor)}>${geom(floor)}</body>
    ${scene.bodies.map(b => `<body ${place(b)}><freejoint/>${geom(b)}</body>`).join('\n')}</worldbody></mujoco>`;
  const model = M.MjModel.from_xml_string ? M.MjModel.from_xml_string(xml) : M.MjModel.loadFromXML(xml), data = new M.MjData(model);
  return {step: () => M.mj_step(model, data), poses: () => {
    const q = data.qpos;
    return scene.bodies.map((_, k) => ({p: [...q.slice(7 * k, 7 * k + 3)], R: rotation([q[7 * k + 4], q[7 * k + 5], q[7 * k + 6], q[7 * k + 3]])}));
  }};
}

export const engines = {
  'perp-lcp': {make: perp(0)},
  'perp-lcp 16': {make: perp(0.016)}, /* at most 16 ms for a solve */
  rapier3d: {make: rapier3d, from: '@dimforge/rapier3d-compat'},
  rapier2d: {make: rapier2d, from: '@dimforge/rapier2d-compat'},
  jolt: {make: jolt, from: 'jolt-physics'},
  box2d: {make: box2d, from: 'box2d3-wasm'},
  mujoco: {make: mujoco, from: '@mujoco/mujoco'},
};
