"""
    Perp

Complementarity problems and quadratic programs, by the C library perp.

`Perp.Optimizer` was not run by those who wrote it: MathOptInterface was not available. The functions were, by Julia 1.5.3.
"""
module Perp

using SparseArrays
import MathOptInterface as MOI

export solve_lcp, solve_qp

include("library.jl")

"The result of [`solve_lcp`](@ref). `outcome` is `:solved` if and only if x is a solution."
struct Result
    outcome::Symbol
    x::Vector{Float64}
    y::Vector{Float64}          # A x + b
    ray::Vector{Float64}        # with :infeasible the certificate; else empty
    residual::Float64           # natural, computed again at the end
    relative_residual::Float64
    iterations::Int
    seconds::Float64
    method::String
    message::String
end

"The result of [`solve_qp`](@ref); the multipliers make P x + q + G'z + w = 0."
struct QPResult
    outcome::Symbol
    x::Vector{Float64}
    z::Vector{Float64}
    w::Vector{Float64}
    objective::Float64
    primal::Float64
    dual::Float64
    gap::Float64
    complementarity::Float64
    iterations::Int
    seconds::Float64
    method::String
    message::String
end

is_solved(r::Union{Result,QPResult}) = r.outcome === :solved

function expect(name, v, n)
    v === nothing || length(v) == n || throw(DimensionMismatch("$name has $(length(v)) numbers, not $n"))
    return v === nothing ? Float64[] : Vector{Float64}(v)
end
address(given, v) = given === nothing ? Ptr{eltype(v)}(C_NULL) : pointer(v)

# Compressed rows that count from 0: the columns of the transpose.
function compressed_rows(A)
    T = sparse(transpose(sparse(A)))
    return Int64.(T.colptr .- 1), Cint.(T.rowval .- 1), Vector{Float64}(T.nzval)
end

limit(seconds) = seconds === nothing ? 0.0 : seconds == 0 ? 1e-9 : Float64(seconds) # 0 is no limit in C

"""
    solve_lcp(A, b; lo, hi, findex, mu, start, method, tol, max_iterations, time_limit)

Find x with lo ≤ x ≤ hi and y = A x + b: y_i ≥ 0 if x_i = lo_i, y_i ≤ 0 if x_i = hi_i, and 0 between. Without bounds,
0 ≤ x ⊥ y ≥ 0. `findex[i]` = j > 0: the bounds of row i are times abs(x_j); 0: they are not. `mu`: the first rows are
Coulomb cones of three, one coefficient each.
"""
function solve_lcp(A::AbstractMatrix, b::AbstractVector; lo = nothing, hi = nothing, findex = nothing, mu = nothing,
                   start = nothing, method = nothing, tol = 1e-8, max_iterations = 0, time_limit = nothing)
    n = length(b)
    size(A) == (n, n) || throw(DimensionMismatch("A is $(size(A, 1)) x $(size(A, 2)), but b has $n numbers"))
    findex === nothing || length(findex) == n || throw(DimensionMismatch("findex has $(length(findex)) numbers, not $n"))
    rows, columns, values = compressed_rows(A)
    right, lower, upper = Vector{Float64}(b), expect("lo", lo, n), expect("hi", hi, n)
    friction = findex === nothing ? Cint[] : Cint.(findex .- 1)
    cones = mu === nothing ? Float64[] : Vector{Float64}(mu)
    x = start === nothing ? zeros(n) : expect("start", start, n)
    y, ray = zeros(n), zeros(n)
    options, result = filled(perp_options), filled(perp_result)
    options.tol, options.max_iterations, options.time_limit = tol, max_iterations, limit(time_limit)
    operator, why = Ref{Ptr{Cvoid}}(C_NULL), Ref(perp_message(ntuple(_ -> Cchar(0), 512)))
    GC.@preserve rows columns values right lower upper friction cones y ray begin
        check(ccall((:perp_operator_csr, libperp), Cuint,
                    (Cint, Ptr{Int64}, Ptr{Cint}, Ptr{Cdouble}, Cuint, Ref{Ptr{Cvoid}}, Ref{perp_message}),
                    n, rows, columns, values, 1, operator, why), why[])
        options.y, options.ray = pointer(y), pointer(ray)
        K = perp_set(n, address(lo, lower), address(hi, upper), address(findex, friction), address(mu, cones),
                     length(cones), C_NULL, C_NULL, C_NULL, (C_NULL,))
        error = try
            ccall((:perp_solve, libperp), Cuint,
                  (Cstring, Ref{perp_problem}, Ref{perp_options}, Ptr{Cdouble}, Ref{perp_result}),
                  method === nothing ? "auto" : String(method), perp_problem(operator[], pointer(right), K), options, x, result)
        finally
            ccall((:perp_operator_destroy, libperp), Cvoid, (Ptr{Cvoid},), operator[])
        end
        check(error, result.message)
    end
    outcome = outcome_name(result.outcome)
    return Result(outcome, x, y, outcome === :infeasible ? ray : Float64[], result.residual, result.relative_residual,
                  result.counts.iterations, result.seconds, unsafe_string(result.method), text(result.message))
end

"""
    solve_qp(P, q; G, l, u, lb, ub, method, tol, max_iterations, time_limit)

Minimise 1/2 x'P x + q'x subject to l ≤ G x ≤ u and lb ≤ x ≤ ub, with P symmetric and positive semi-definite.
"""
function solve_qp(P::AbstractMatrix, q::AbstractVector; G = nothing, l = nothing, u = nothing, lb = nothing, ub = nothing,
                  method = nothing, tol = 1e-8, max_iterations = 0, time_limit = nothing)
    n, m = length(q), G === nothing ? 0 : size(G, 1)
    size(P) == (n, n) || throw(DimensionMismatch("P is $(size(P, 1)) x $(size(P, 2)), but q has $n numbers"))
    G === nothing || size(G, 2) == n || throw(DimensionMismatch("G has $(size(G, 2)) columns, not $n"))
    rows, columns, values = compressed_rows(P)
    g_rows, g_columns, g_values = G === nothing ? (Int64[0], Cint[], Float64[]) : compressed_rows(G)
    linear, lower, upper = Vector{Float64}(q), expect("l", l, m), expect("u", u, m)
    low, high = expect("lb", lb, n), expect("ub", ub, n)
    x, z, w = zeros(n), zeros(m), zeros(n)
    qp, options, result = filled(perp_qp), filled(perp_qp_options), filled(perp_qp_result)
    options.tol, options.max_iterations, options.time_limit = tol, max_iterations, limit(time_limit)
    operator, why = Ref{Ptr{Cvoid}}(C_NULL), Ref(perp_message(ntuple(_ -> Cchar(0), 512)))
    GC.@preserve rows columns values g_rows g_columns g_values linear lower upper low high z w begin
        check(ccall((:perp_operator_csr, libperp), Cuint,
                    (Cint, Ptr{Int64}, Ptr{Cint}, Ptr{Cdouble}, Cuint, Ref{Ptr{Cvoid}}, Ref{perp_message}),
                    n, rows, columns, values, 1, operator, why), why[])
        qp.n, qp.m, qp.P, qp.q = n, m, operator[], pointer(linear)
        qp.G_start, qp.G_column, qp.G_value = pointer(g_rows), pointer(g_columns), pointer(g_values)
        qp.l, qp.u, qp.lb, qp.ub = address(l, lower), address(u, upper), address(lb, low), address(ub, high)
        options.z, options.w = pointer(z), pointer(w)
        error = try
            ccall((:perp_qp_solve, libperp), Cuint,
                  (Cstring, Ref{perp_qp}, Ref{perp_qp_options}, Ptr{Cdouble}, Ref{perp_qp_result}),
                  method === nothing ? "auto" : String(method), qp, options, x, result)
        finally
            ccall((:perp_operator_destroy, libperp), Cvoid, (Ptr{Cvoid},), operator[])
        end
        check(error, result.message)
    end
    return QPResult(outcome_name(result.outcome), x, z, w, result.objective, result.primal, result.dual, result.gap,
                    result.complementarity, result.counts.iterations, result.seconds, unsafe_string(result.method),
                    text(result.message))
end

"The version of the C library."
version() = VersionNumber(unsafe_string(ccall((:perp_version, libperp), Ptr{Cchar}, ())))

include("optimizer.jl")

end
