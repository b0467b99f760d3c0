# The source files of the two libraries. A new file is one line here. A new method is one line in
# the list of its family, and one in src/method/registry.c.

set(PERP_BASE
  src/base/clock.c
  src/base/elementary.c
  src/base/library.c
  src/base/memory.c
  src/base/message.c
  src/base/names.c
  src/base/number.c
  src/base/parameter.c
  src/base/random.c
  src/base/system_$<IF:$<PLATFORM_ID:Windows>,windows,posix>.c
  src/base/threads.c)

set(PERP_LINALG
  src/linalg/active.c
  src/linalg/alone.c
  src/linalg/band.c
  src/linalg/block_factor.c
  src/linalg/block_graph.c
  src/linalg/block_lu.c
  src/linalg/dense.c
  src/linalg/eigen.c
  src/linalg/exact.c
  src/linalg/ilu.c
  src/linalg/incomplete.c
  src/linalg/krylov.c
  src/linalg/lanczos.c
  src/linalg/lapack.c
  src/linalg/ldlt.c
  src/linalg/rows.c
  src/linalg/sparse_cholmod.c
  src/linalg/sparse_factor.c
  src/linalg/sparse_lu.c
  src/linalg/sparse_order.c
  src/linalg/sparse_own.c
  src/linalg/update.c
  src/linalg/vector.c)

set(PERP_SET
  src/set/bounds.c
  src/set/set.c)

set(PERP_OPERATOR
  src/operator/assemble.c
  src/operator/block_order.c
  src/operator/block_relax.c
  src/operator/bsr.c
  src/operator/contact/contact.c
  src/operator/contact/block.c
  src/operator/contact/check.c
  src/operator/contact/group.c
  src/operator/contact/pack.c
  src/operator/contact/planar.c
  src/operator/contact/planar_sweep.c
  src/operator/contact/relax.c
  src/operator/contact/rigid.c
  src/operator/contact/rigid_sweep.c
  src/operator/contact/schedule.c
  src/operator/csr.c
  src/operator/dense.c
  src/operator/operator.c
  src/operator/pattern.c
  src/operator/relax.c
  src/operator/shell.c
  src/operator/stencil/stencil.c
  src/operator/stencil/incomplete.c
  src/operator/stencil/recognise.c
  src/operator/stencil/relax.c
  src/operator/stencil/sweep.c)

set(PERP_PROBLEM
  src/problem/entries.c
  src/problem/facts.c
  src/problem/judge.c
  src/problem/local_contact.c
  src/problem/merit.c
  src/problem/problem.c
  src/problem/residual.c
  src/problem/spectrum.c)

set(PERP_IO
  src/io/file.c
  src/io/folder.c
  src/io/folder_write.c
  src/io/mtx.c
  src/io/mtx_form.c
  src/io/structure.c
  src/io/vector.c)

set(PERP_GENERATE
  src/generate/contact_csr.c
  src/generate/contact_forms.c
  src/generate/contact_plant.c
  src/generate/finance.c
  src/generate/finance_two.c
  src/generate/fluid.c
  src/generate/grid.c
  src/generate/hard.c
  src/generate/journal.c
  src/generate/membrane.c
  src/generate/notes.c
  src/generate/particle.c
  src/generate/plant.c
  src/generate/random_dense.c
  src/generate/random_sparse.c
  src/generate/random_spectrum.c
  src/generate/registry.c
  src/generate/rows.c
  src/generate/scene.c
  src/generate/scene_arch.c
  src/generate/scene_cards.c
  src/generate/scene_pile.c
  src/generate/scene_stack.c
  src/generate/scene_wall.c)

set(PERP_FRAME
  src/frame/contacts.c
  src/frame/islands.c
  src/frame/ode.c
  src/frame/record.c)

set(PERP_SCENE
  src/scene/contact.c)

set(PERP_SIMULATE
  src/simulate/fluid/fluid.c
  src/simulate/fluid/grid.c
  src/simulate/fluid/particles.c
  src/simulate/fluid/pressure.c
  src/simulate/fluid/scenes.c
  src/simulate/fluid/volume.c
  src/simulate/particle.c
  src/simulate/rigid/solve.c
  src/simulate/rigid/world.c
  src/simulate/rigid2d/broad.c
  src/simulate/rigid2d/collide.c
  src/simulate/rigid2d/scenes.c
  src/simulate/rigid2d/world.c
  src/simulate/rigid3d/broad.c
  src/simulate/rigid3d/build.c
  src/simulate/rigid3d/collide_ode.c
  src/simulate/rigid3d/joints.c
  src/simulate/rigid3d/scenes_built.c
  src/simulate/rigid3d/scenes_piled.c
  src/simulate/rigid3d/world.c
  src/simulate/scenes.c
  src/simulate/simulate.c
  src/simulate/stepper.c)

set(PERP_METHOD
  src/method/run/attempt.c
  src/method/auto/auto.c
  src/method/auto/table.c
  src/method/run/certificate.c
  src/method/components.c
  src/method/run/driver.c
  src/method/system/body_matrix.c
  src/method/system/dense.c
  src/method/system/eigenvalue.c
  src/method/system/gather.c
  src/method/system/lu.c
  src/method/auto/inspect.c
  src/method/system/preconditioner.c
  src/method/system/linear.c
  src/method/system/linear_open.c
  src/method/registry.c
  src/method/run/scaling.c
  src/method/run/outcome.c
  src/method/run/run.c
  src/method/run/solver.c
  src/method/run/start.c
  src/method/system/velocities.c)

# ---- methods, by family ----

set(PERP_PIVOTING
  src/method/pivoting/baraff.c
  src/method/pivoting/blockpivot.c
  src/method/pivoting/dantzig/coupling.c
  src/method/pivoting/dantzig/coupling_small.c
  src/method/pivoting/dantzig/coupling_solve.c
  src/method/pivoting/dantzig/dantzig.c
  src/method/pivoting/direct/direct.c
  src/method/pivoting/direct/small_lcp.c
  src/method/pivoting/enumerate/enumerate.c
  src/method/pivoting/enumerate/face.c
  src/method/pivoting/exchange.c
  src/method/pivoting/grow.c
  src/method/pivoting/keller.c
  src/method/pivoting/lemke/lemke.c
  src/method/pivoting/lemke/basis.c
  src/method/pivoting/lemke/exchange.c
  src/method/pivoting/lemke/free.c
  src/method/pivoting/lemke/friction.c
  src/method/pivoting/lemke/path.c
  src/method/pivoting/lemke/ray.c
  src/method/pivoting/lemke/scale.c
  src/method/pivoting/minor.c
  src/method/pivoting/murty.c
  src/method/pivoting/principal/principal.c
  src/method/pivoting/principal/drive.c
  src/method/pivoting/principal/matrix.c)

set(PERP_GRADIENT
  src/method/gradient/admm.c
  src/method/gradient/apgd.c
  src/method/gradient/face.c
  src/method/gradient/frame.c
  src/method/gradient/gpcg.c
  src/method/gradient/mprgp.c
  src/method/gradient/spg.c)

set(PERP_MULTILEVEL
  src/method/multilevel/algebraic/aggregation.c
  src/method/multilevel/algebraic/algebraic.c
  src/method/multilevel/algebraic/start.c
  src/method/multilevel/grid/finest.c
  src/method/multilevel/grid/finest_residual.c
  src/method/multilevel/grid/build.c
  src/method/multilevel/grid/cycle.c
  src/method/multilevel/grid/block.c
  src/method/multilevel/grid/network.c
  src/method/multilevel/grid/start.c
  src/method/multilevel/grid/transfer.c
  src/method/multilevel/mg.c
  src/method/multilevel/policy.c
  src/method/multilevel/precondition.c)

set(PERP_PROX
  src/method/prox/lengths.c
  src/method/prox/prox.c)

set(PERP_STAGGERED
  src/method/staggered/shock.c
  src/method/staggered/staggered.c)

set(PERP_NEWTON
  src/method/newton/alm.c
  src/method/newton/descent.c
  src/method/newton/difference.c
  src/method/newton/direction.c
  src/method/newton/fischer.c
  src/method/newton/homotopy.c
  src/method/newton/map.c
  src/method/newton/minmap.c
  src/method/newton/newton.c
  src/method/newton/primal/primal.c
  src/method/newton/primal/hessian.c
  src/method/newton/primal/polish.c
  src/method/newton/primal/response.c
  src/method/newton/primal/rows.c
  src/method/newton/ssn/ssn.c
  src/method/newton/ssn/cone.c
  src/method/newton/ssn/krylov.c
  src/method/newton/ssn/model.c
  src/method/newton/ssn/step.c
  src/method/newton/ssn/warm.c)

set(PERP_SPLITTING
  src/method/splitting/bgs.c
  src/method/splitting/bjacobi.c
  src/method/splitting/blocks.c
  src/method/splitting/jacobi.c
  src/method/splitting/nncg.c
  src/method/splitting/psor.c
  src/method/splitting/sweep.c)

set(PERP_INTERIOR
  src/method/interior/friction.c
  src/method/interior/ipm.c)

set(PERP_SUBSPACE
  src/method/subspace/cycle.c
  src/method/subspace/pgssm.c
  src/method/subspace/system.c)

# libperp
set(PERP_SOURCES
  ${PERP_BASE} ${PERP_LINALG} ${PERP_SET} ${PERP_OPERATOR} ${PERP_PROBLEM} ${PERP_IO}
  ${PERP_FRAME} ${PERP_METHOD} ${PERP_PIVOTING} ${PERP_SPLITTING} ${PERP_GRADIENT} ${PERP_NEWTON}
  ${PERP_INTERIOR} ${PERP_SUBSPACE} ${PERP_MULTILEVEL} ${PERP_PROX} ${PERP_STAGGERED})

# libperp-lab
set(PERP_LAB_SOURCES
  ${PERP_SCENE} ${PERP_GENERATE} ${PERP_SIMULATE}
  src/io/mat.c
  src/io/png.c
  src/lab/components.c)

set(PERP_HEADERS
  include/perp/base.h
  include/perp/frame.h
  include/perp/generate.h
  include/perp/image.h
  include/perp/io.h
  include/perp/lab.h
  include/perp/matlab.h
  include/perp/ode.h
  include/perp/operator.h
  include/perp/perp.h
  include/perp/problem.h
  include/perp/record.h
  include/perp/set.h
  include/perp/simulate.h
  include/perp/solver.h)
