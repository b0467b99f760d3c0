/* engines.mjs: the engines of npm, each as make(scene) -> {step(sweeps), poses()}
 *
 * A scene has bodies as in boxes.mjs, of which some may be spheres of the radius half[0] or discs (spheres in the plane z = 0 with
 * the inertia of discs; circles in 2D engines), the ground under them, and a time step dt. Each engine keeps the settings its package
 * has, except for a number of sweeps if a step is called with one, but no body may sleep: what is compared is the solver. A body's
 * friction is the scene's; all of these rules for two bodies (mean, geometric mean, maximum) give it again. */
import {STEP, add, contacts, cross, dot, floor, orientation, pairs, poseOf, rotation} from './boxes.mjs';

const everyone = ({ground, bodies}, f) => [...ground, ...bodies].map(f).slice(ground.length);
const discInertia = b => b.mass * b.half[0] ** 2 / 2;

/* ---- perp-lcp: the package solves, what is here moves the boxes ---- */

const MARGIN = 0.02;   /* contacts that may close within a step */
const CORRECTION = 0.2; /* the part of an overlap that a step removes */
const FREE = 30;       /* steps before a time limit holds: a level loads, and code is compiled */
const perp = limit => async (scene, {load}) => {
  const solver = await load(), n = scene.bodies.length, v = new Float64Array(6 * n), Minv = new Float64Array(36 * n);
  const state = scene.bodies.map(b => ({p: b.at, q: orientation(b), R: poseOf(b).R}));
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

function iterate(world, sweeps) {
  if (sweeps) world.numSolverIterations = sweeps;
  world.step();
}
async function rapier3d(scene, {default: RAPIER}) {
  await RAPIER.init();
  const [x, y, z] = scene.gravity, world = new RAPIER.World({x, y, z});
  world.timestep = scene.dt;
  const bodies = everyone(scene, b => {
    const [qx, qy, qz, qw] = orientation(b), desc = b.mass ? RAPIER.RigidBodyDesc.dynamic() : RAPIER.RigidBodyDesc.fixed();
    const shape = b.sphere ? RAPIER.ColliderDesc.ball(b.half[0]) : RAPIER.ColliderDesc.cuboid(...b.half), disc = b.planar && b.mass;
    if (disc) {
      const i = discInertia(b);
      desc.setAdditionalMassProperties(b.mass, {x: 0, y: 0, z: 0}, {x: i, y: i, z: i}, {x: 0, y: 0, z: 0, w: 1});
      desc.enabledTranslations(true, true, false).enabledRotations(false, false, true);
    }
    const body = world.createRigidBody(desc.setTranslation(...b.at).setRotation({x: qx, y: qy, z: qz, w: qw}).setCanSleep(false));
    world.createCollider(shape.setFriction(scene.mu).setMass(disc ? 0 : b.mass), body);
    return body;
  });
  return {step: sweeps => iterate(world, sweeps), poses: () => bodies.map(b => {
    const p = b.translation(), q = b.rotation();
    return pose([p.x, p.y, p.z], [q.x, q.y, q.z, q.w]);
  })};
}
const pose = (p, q) => ({p, q, R: rotation(q)});
const planar = (x, y, turn) => pose([x, y, 0], orientation({turn}));
async function rapier2d(scene, {default: RAPIER}) {
  await RAPIER.init();
  const world = new RAPIER.World({x: scene.gravity[0], y: scene.gravity[1]});
  world.timestep = scene.dt;
  const bodies = everyone(scene, b => {
    const kind = b.mass ? RAPIER.RigidBodyDesc.dynamic() : RAPIER.RigidBodyDesc.fixed();
    const body = world.createRigidBody(kind.setTranslation(b.at[0], b.at[1]).setRotation(b.turn).setCanSleep(false));
    const shape = b.sphere ? RAPIER.ColliderDesc.ball(b.half[0]) : RAPIER.ColliderDesc.cuboid(b.half[0], b.half[1]);
    world.createCollider(shape.setFriction(scene.mu).setMass(b.mass), body);
    return body;
  });
  return {step: sweeps => iterate(world, sweeps), poses: () => bodies.map(b => planar(b.translation().x, b.translation().y, b.rotation()))};
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
    s.density = b.mass / (b.sphere ? Math.PI * b.half[0] ** 2 : 4 * b.half[0] * b.half[1]);
    s.material.friction = scene.mu;
    if (b.sphere) {
      const circle = new B.b2Circle();
      circle.radius = b.half[0];
      B.b2CreateCircleShape(body, s, circle);
    } else
      B.b2CreatePolygonShape(body, s, B.b2MakeBox(b.half[0], b.half[1]));
    return body;
  });
  return {step: (sweeps = 4) => B.b2World_Step(world, scene.dt, sweeps), poses: () => bodies.map(b => {
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
    const size = Math.min(...b.half), disc = b.planar && b.mass;
    const shape = b.sphere ? new Jolt.SphereShape(b.half[0]) : new Jolt.BoxShape(new Jolt.Vec3(...b.half), Math.min(0.05, size / 2));
    const creation = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(...b.at), new Jolt.Quat(...orientation(b)),
                                                   b.mass ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static, b.mass ? 1 : 0);
    creation.mFriction = scene.mu;
    creation.mAllowSleeping = false;
    if (b.mass) {
      creation.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
      creation.mMassPropertiesOverride.mMass = b.mass;
      creation.mLinearDamping = creation.mAngularDamping = 0;
    }
    if (disc) creation.mAllowedDOFs = Jolt.EAllowedDOFs_Plane2D;
    const body = bodyInterface.CreateBody(creation);
    if (disc) body.GetMotionProperties().SetInverseInertia(new Jolt.Vec3(0, 0, 1 / discInertia(b)), new Jolt.Quat(0, 0, 0, 1));
    bodyInterface.AddBody(body.GetID(), Jolt.EActivation_Activate);
    return body;
  });
  const step = sweeps => {
    if (sweeps) {
      const all = system.GetPhysicsSettings();
      all.mNumVelocitySteps = sweeps;
      system.SetPhysicsSettings(all);
    }
    world.Step(scene.dt, 1);
  };
  return {step, poses: () => bodies.map(b => {
    const p = b.GetPosition(), q = b.GetRotation();
    return pose([p.GetX(), p.GetY(), p.GetZ()], [q.GetX(), q.GetY(), q.GetZ(), q.GetW()]);
  })};
}

/* ---- MuJoCo: boxes with its elliptic cones, which are those of Coulomb; crowds with its defaults; sweeps are iterations of CG ---- */

async function mujoco(scene, {default: load}) {
  const M = await load();
  const mass = b => b.mass && !b.planar ? ` mass="${b.mass}"` : '';
  const geom = b => `<geom type="${b.sphere ? `sphere" size="${b.half[0]}` : `box" size="${b.half.join(' ')}`}" friction="${scene.mu} 0.005 0.0001"${mass(b)}/>`;
  const inertial = b => `<inertial pos="0 0 0" mass="${b.mass}" diaginertia="${[1, 1, 1].map(k => k * discInertia(b)).join(' ')}"/>`;
  const plane = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="hinge" axis="0 0 1"/>';
  const joint = b => !b.mass ? '' : b.planar ? inertial(b) + plane : '<freejoint/>';
  const place = b => {
    const [x, y, z, w] = orientation(b);
    return `pos="${b.at.join(' ')}" quat="${[w, x, y, z].join(' ')}"`;
  };
  const xml = `<mujoco><option timestep="${scene.dt}" gravity="${scene.gravity.join(' ')}" ${scene.mujoco ?? 'cone="elliptic"'}/>
    <size memory="${scene.memory ?? '200M'}"/><worldbody>${[...scene.ground, ...scene.bodies].map(b => `<body ${place(b)}>${joint(b)}${geom(b)}</body>`).join('\n')}</worldbody></mujoco>`;
  const model = M.MjModel.from_xml_string ? M.MjModel.from_xml_string(xml) : M.MjModel.loadFromXML(xml), data = new M.MjData(model);
  const step = sweeps => {
    if (sweeps) model.opt.iterations = sweeps;
    M.mj_step(model, data);
  };
  return {step, poses: () => {
    M.mj_kinematics(model, data);
    const first = 1 + scene.ground.length, at = data.xpos, turn = data.xquat;
    return scene.bodies.map((_, k) => {
      const [w, x, y, z] = turn.slice(4 * (first + k), 4 * (first + k) + 4);
      return pose([...at.slice(3 * (first + k), 3 * (first + k) + 3)], [x, y, z, w]);
    });
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
