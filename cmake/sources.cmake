# What the two libraries are made of. A new file is one line here; a new method is one line in its
# family's list (and one in src/method/registry.c).

set(PERP_BASE
  src/base/clock.c
  src/base/elementary.c
  src/base/library.c
  src/base/memory.c
  src/base/message.c
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
  src/linalg/small_lcp.c
  src/linalg/sparse_cholmod.c
  src/linalg/sparse_factor.c
  src/linalg/sparse_lu.c
  src/linalg/sparse_order.c
  src/linalg/sparse_own.c
  src/linalg/update.c
  src/linalg/vector.c)

set(PERP_OPERATOR
  src/operator/assemble.c
  src/operator/block_order.c
  src/operator/block_relax.c
  src/operator/bsr.c
  src/operator/contact.c
  src/operator/contact_block.c
  src/operator/contact_check.c
  src/operator/contact_group.c
  src/operator/contact_pack.c
  src/operator/contact_planar.c
  src/operator/contact_planar_sweep.c
  src/operator/contact_relax.c
  src/operator/contact_rigid.c
  src/operator/contact_rigid_sweep.c
  src/operator/contact_schedule.c
  src/operator/csr.c
  src/operator/dense.c
  src/operator/operator.c
  src/operator/pattern.c
  src/operator/relax.c
  src/operator/shell.c
  src/operator/stencil.c
  src/operator/stencil_incomplete.c
  src/operator/stencil_recognise.c
  src/operator/stencil_relax.c
  src/operator/stencil_sweep.c)

set(PERP_PROBLEM
  src/problem/entries.c
  src/problem/facts.c
  src/problem/judge.c
  src/problem/local_contact.c
  src/problem/merit.c
  src/problem/problem.c
  src/problem/residual.c
  src/problem/set.c
  src/problem/spectrum.c)

set(PERP_IO
  src/io/file.c
  src/io/folder.c
  src/io/folder_write.c
  src/io/mtx.c
  src/io/mtx_form.c
  src/io/record.c
  src/io/structure.c
  src/io/vector.c)

set(PERP_GENERATE
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
  src/generate/scene_jacobian.c
  src/generate/scene_pile.c
  src/generate/scene_stack.c
  src/generate/scene_wall.c)

set(PERP_FRAME
  src/frame/contacts.c
  src/frame/islands.c
  src/frame/ode.c)

set(PERP_SIMULATE
  src/simulate/fluid/grid.c
  src/simulate/fluid/particles.c
  src/simulate/fluid/pressure.c
  src/simulate/fluid/scenes.c
  src/simulate/fluid/volume.c
  src/simulate/particle.c
  src/simulate/rigid2d/broad.c
  src/simulate/rigid2d/collide.c
  src/simulate/rigid2d/contacts.c
  src/simulate/rigid2d/scenes.c
  src/simulate/rigid2d/world.c
  src/simulate/rigid3d/broad.c
  src/simulate/rigid3d/build.c
  src/simulate/rigid3d/collide_ode.c
  src/simulate/rigid3d/contacts.c
  src/simulate/rigid3d/joints.c
  src/simulate/rigid3d/scenes_built.c
  src/simulate/rigid3d/scenes_piled.c
  src/simulate/rigid3d/world.c
  src/simulate/scenes.c
  src/simulate/simulate.c)

set(PERP_METHOD
  src/method/attempt.c
  src/method/auto.c
  src/method/auto_table.c
  src/method/certificate.c
  src/method/components.c
  src/method/driver.c
  src/method/gather.c
  src/method/inspect.c
  src/method/preconditioner.c
  src/method/reduced.c
  src/method/registry.c
  src/method/scaling.c
  src/method/solver.c
  src/method/start.c
  src/method/velocities.c)

# ---- methods, by family ----

set(PERP_PIVOTING
  src/method/pivoting/baraff.c
  src/method/pivoting/blockpivot.c
  src/method/pivoting/coupling.c
  src/method/pivoting/coupling_small.c
  src/method/pivoting/coupling_solve.c
  src/method/pivoting/dantzig.c
  src/method/pivoting/direct.c
  src/method/pivoting/enumerate.c
  src/method/pivoting/enumerate_face.c
  src/method/pivoting/exchange.c
  src/method/pivoting/grow.c
  src/method/pivoting/keller.c
  src/method/pivoting/lemke.c
  src/method/pivoting/lemke_basis.c
  src/method/pivoting/lemke_exchange.c
  src/method/pivoting/lemke_free.c
  src/method/pivoting/lemke_friction.c
  src/method/pivoting/lemke_path.c
  src/method/pivoting/lemke_ray.c
  src/method/pivoting/lemke_scale.c
  src/method/pivoting/minor.c
  src/method/pivoting/murty.c
  src/method/pivoting/principal.c
  src/method/pivoting/principal_drive.c
  src/method/pivoting/principal_matrix.c)

set(PERP_GRADIENT
  src/method/gradient/admm.c
  src/method/gradient/apgd.c
  src/method/gradient/face.c
  src/method/gradient/frame.c
  src/method/gradient/gpcg.c
  src/method/gradient/mprgp.c
  src/method/gradient/spg.c)

set(PERP_MULTILEVEL
  src/method/multilevel/aggregation.c
  src/method/multilevel/algebraic.c
  src/method/multilevel/algebraic_start.c
  src/method/multilevel/finest.c
  src/method/multilevel/finest_residual.c
  src/method/multilevel/grid_build.c
  src/method/multilevel/grid_cycle.c
  src/method/multilevel/grid_block.c
  src/method/multilevel/grid_network.c
  src/method/multilevel/grid_start.c
  src/method/multilevel/grid_transfer.c
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
  src/method/newton/pfischer.c
  src/method/newton/primal.c
  src/method/newton/primal_hessian.c
  src/method/newton/primal_polish.c
  src/method/newton/primal_response.c
  src/method/newton/primal_rows.c
  src/method/newton/ssn.c
  src/method/newton/ssn_cone.c
  src/method/newton/ssn_krylov.c
  src/method/newton/ssn_model.c
  src/method/newton/ssn_step.c
  src/method/newton/ssn_warm.c)

set(PERP_SPLITTING
  src/method/splitting/bgs.c
  src/method/splitting/bjacobi.c
  src/method/splitting/blocks.c
  src/method/splitting/coloured.c
  src/method/splitting/jacobi.c
  src/method/splitting/nncg.c
  src/method/splitting/pgs.c
  src/method/splitting/psor.c
  src/method/splitting/spsor.c
  src/method/splitting/sweep.c)

set(PERP_INTERIOR
  src/method/interior/coupled.c
  src/method/interior/friction.c
  src/method/interior/ipm.c
  src/method/interior/system.c)

set(PERP_SUBSPACE
  src/method/subspace/cycle.c
  src/method/subspace/kz.c
  src/method/subspace/pgssm.c
  src/method/subspace/system.c)

# libperp
set(PERP_SOURCES
  ${PERP_BASE} ${PERP_LINALG} ${PERP_OPERATOR} ${PERP_PROBLEM} ${PERP_IO} ${PERP_FRAME}
  ${PERP_METHOD} ${PERP_PIVOTING} ${PERP_SPLITTING} ${PERP_GRADIENT} ${PERP_NEWTON}
  ${PERP_INTERIOR} ${PERP_SUBSPACE} ${PERP_MULTILEVEL} ${PERP_PROX} ${PERP_STAGGERED})

# libperp-lab
set(PERP_LAB_SOURCES
  ${PERP_GENERATE} ${PERP_SIMULATE}
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
  include/perp/simulate.h
  include/perp/solver.h)
