using Perp, SparseArrays, Test
import MathOptInterface as MOI

@testset "arrays" begin
    A, b = [2.0 -1.0; -1.0 2.0], [-1.0, 0.8]
    r = solve_lcp(A, b)
    @test r.outcome === :solved && r.x ≈ [0.5, 0.0] && isapprox(r.y, [0.0, 0.3]; atol = 1e-8)
    @test solve_lcp(sparse(A), b; hi = [0.2, 1.0]).x ≈ [0.2, 0.0]
    @test solve_lcp(A, b; start = r.x).outcome === :solved
    @test solve_lcp(zeros(1, 1), [-1.0]).outcome === :infeasible
    q = solve_qp(A, b; lb = [0.0, 0.0])
    @test q.outcome === :solved && isapprox(q.x, [0.5, 0.0]; atol = 1e-6)
    @test_throws ArgumentError solve_lcp(A, [NaN, 0.0])
    @test_throws ArgumentError solve_lcp(A, b; method = "newtom")
    @test_throws ArgumentError solve_lcp(A, b; time_limit = -1)
    @test_throws ArgumentError solve_lcp(A, b; method = "auto\0x")
    @test_throws ArgumentError solve_lcp(A, b; lo = [2.0, 0.0], hi = [1.0, 1.0])
    @test_throws DimensionMismatch solve_lcp(A, [1.0])
    @test_throws DimensionMismatch solve_lcp(A, b; lo = [1.0])
    @test_throws DimensionMismatch solve_qp(A, b; G = ones(1, 3))
end

@testset "complementarity in MathOptInterface" begin
    model = MOI.Utilities.UniversalFallback(MOI.Utilities.Model{Float64}())
    x = MOI.add_variables(model, 2)
    MOI.add_constraint.(model, x, MOI.GreaterThan(0.0))
    row(k, terms) = [MOI.VectorAffineTerm(k, MOI.ScalarAffineTerm(c, v)) for (c, v) in terms]
    terms = [row(1, [(2.0, x[1]), (-1.0, x[2])]); row(2, [(-1.0, x[1]), (2.0, x[2])]); row(3, [(1.0, x[1])]); row(4, [(1.0, x[2])])]
    MOI.add_constraint(model, MOI.VectorAffineFunction(terms, [-1.0, 0.8, 0.0, 0.0]), MOI.Complements(4))
    optimizer = Perp.Optimizer()
    map, _ = MOI.optimize!(optimizer, model)
    @test MOI.get(optimizer, MOI.TerminationStatus()) == MOI.LOCALLY_SOLVED
    @test [MOI.get(optimizer, MOI.VariablePrimal(), map[v]) for v in x] ≈ [0.5, 0.0]
end

@testset "MathOptInterface's own tests" begin
    model = MOI.Utilities.CachingOptimizer(MOI.Utilities.UniversalFallback(MOI.Utilities.Model{Float64}()),
                                           MOI.instantiate(Perp.Optimizer; with_bridge_type = Float64))
    MOI.Test.runtests(model, MOI.Test.Config(atol = 1e-5, rtol = 1e-5);
                      include = ["test_linear_", "test_quadratic_", "test_objective_"],
                      exclude = ["Indicator", "SOS", "integer", "nonconvex", "Semi"])
end
