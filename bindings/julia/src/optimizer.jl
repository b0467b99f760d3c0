# Perp.Optimizer: linear complementarity problems and convex quadratic programs of MathOptInterface and JuMP
#
#   complementarity   F(x) ⟂ x as `VectorAffineFunction` in `MOI.Complements`, with the bounds of x: one row for each
#                     variable, no objective and no other rows
#   programs          a linear or quadratic objective, affine rows and bounds
#
# A model is copied and solved by one call of `MOI.optimize!(optimizer, model)`, so JuMP puts a cache in front.

const Bounds = Union{MOI.GreaterThan{Float64},MOI.LessThan{Float64},MOI.EqualTo{Float64},MOI.Interval{Float64}}
const Affine = MOI.ScalarAffineFunction{Float64}
const Quadratic = MOI.ScalarQuadraticFunction{Float64}
const Pairs = MOI.VectorAffineFunction{Float64}

"An optimizer for JuMP: `Model(Perp.Optimizer)`."
mutable struct Optimizer <: MOI.AbstractOptimizer
    silent::Bool
    tol::Float64
    time_limit::Union{Nothing,Float64}
    method::Union{Nothing,String}
    result::Union{Nothing,Result,QPResult}
    sense::MOI.OptimizationSense
    constant::Float64
    rows::Dict{MOI.ConstraintIndex,Int}       # affine rows: their place in G
    row_values::Vector{Float64}               # G x, without the constants of the functions
    row_constants::Vector{Float64}
    bounds::Dict{MOI.ConstraintIndex,Int}     # bounds: their variable
    Optimizer() = new(true, 1e-8, nothing, nothing, nothing, MOI.FEASIBILITY_SENSE, 0.0,
                      Dict{MOI.ConstraintIndex,Int}(), Float64[], Float64[], Dict{MOI.ConstraintIndex,Int}())
end

function MOI.empty!(o::Optimizer)
    o.result, o.sense, o.constant = nothing, MOI.FEASIBILITY_SENSE, 0.0
    empty!(o.rows)
    empty!(o.row_values)
    empty!(o.row_constants)
    empty!(o.bounds)
    return
end
MOI.is_empty(o::Optimizer) = o.result === nothing && isempty(o.rows) && isempty(o.bounds)

MOI.get(::Optimizer, ::MOI.SolverName) = "perp"
MOI.get(::Optimizer, ::MOI.SolverVersion) = string(version())
MOI.supports(::Optimizer, ::MOI.Silent) = true
MOI.get(o::Optimizer, ::MOI.Silent) = o.silent
MOI.set(o::Optimizer, ::MOI.Silent, value::Bool) = (o.silent = value; nothing) # it never prints
MOI.supports(::Optimizer, ::MOI.TimeLimitSec) = true
MOI.get(o::Optimizer, ::MOI.TimeLimitSec) = o.time_limit
MOI.set(o::Optimizer, ::MOI.TimeLimitSec, value) = (o.time_limit = value; nothing)

MOI.supports(::Optimizer, a::MOI.RawOptimizerAttribute) = a.name in ("tol", "method")
function MOI.get(o::Optimizer, a::MOI.RawOptimizerAttribute)
    a.name == "tol" && return o.tol
    a.name == "method" && return o.method
    throw(MOI.UnsupportedAttribute(a))
end
function MOI.set(o::Optimizer, a::MOI.RawOptimizerAttribute, value)
    if a.name == "tol"
        o.tol = value
    elseif a.name == "method"
        o.method = value
    else
        throw(MOI.UnsupportedAttribute(a))
    end
    return
end

MOI.supports(::Optimizer, ::MOI.ObjectiveSense) = true
MOI.supports(::Optimizer, ::MOI.ObjectiveFunction{<:Union{MOI.VariableIndex,Affine,Quadratic}}) = true
MOI.supports_constraint(::Optimizer, ::Type{MOI.VariableIndex}, ::Type{<:Bounds}) = true
MOI.supports_constraint(::Optimizer, ::Type{Affine}, ::Type{<:Bounds}) = true
MOI.supports_constraint(::Optimizer, ::Type{Pairs}, ::Type{MOI.Complements}) = true
MOI.supports_constraint(::Optimizer, ::Type{MOI.VectorOfVariables}, ::Type{MOI.Complements}) = true

low(s::MOI.LessThan) = -Inf
low(s::MOI.GreaterThan) = s.lower
low(s::MOI.EqualTo) = s.value
low(s::MOI.Interval) = s.lower
high(s::MOI.LessThan) = s.upper
high(s::MOI.GreaterThan) = Inf
high(s::MOI.EqualTo) = s.value
high(s::MOI.Interval) = s.upper

function MOI.optimize!(o::Optimizer, model::MOI.ModelLike)
    MOI.empty!(o)
    map = MOI.IndexMap()
    variables = MOI.get(model, MOI.ListOfVariableIndices())
    place = Dict{MOI.VariableIndex,Int}()
    for (k, v) in enumerate(variables)
        map[v] = MOI.VariableIndex(k)
        place[v] = k
    end
    n = length(variables)
    lb, ub = fill(-Inf, n), fill(Inf, n)
    types = MOI.get(model, MOI.ListOfConstraintTypesPresent())
    for (F, S) in types
        MOI.supports_constraint(o, F, S) || throw(MOI.UnsupportedConstraint{F,S}())
        if F === MOI.VariableIndex
            for c in MOI.get(model, MOI.ListOfConstraintIndices{F,S}())
                k = place[MOI.get(model, MOI.ConstraintFunction(), c)]
                set = MOI.get(model, MOI.ConstraintSet(), c)
                lb[k], ub[k] = max(lb[k], low(set)), min(ub[k], high(set))
                map[c] = MOI.ConstraintIndex{F,S}(k)
                o.bounds[map[c]] = k
            end
        end
    end
    o.sense = MOI.get(model, MOI.ObjectiveSense())
    if any(S === MOI.Complements for (_, S) in types)
        solve_complements!(o, model, map, place, types, lb, ub)
    else
        solve_program!(o, model, map, place, types, lb, ub)
    end
    return map, false
end

function solve_complements!(o, model, map, place, types, lb, ub)
    n = length(lb)
    o.sense == MOI.FEASIBILITY_SENSE || throw(ArgumentError("a complementarity problem has no objective"))
    rows, columns, values, b, paired = Int[], Int[], Float64[], zeros(n), falses(n)
    for (F, S) in types
        F === Affine && throw(MOI.UnsupportedConstraint{F,S}("rows beside complementarity conditions"))
        S === MOI.Complements || continue
        for c in MOI.get(model, MOI.ListOfConstraintIndices{F,S}())
            f = convert(Pairs, MOI.get(model, MOI.ConstraintFunction(), c))
            half = div(MOI.output_dimension(f), 2)
            variable = zeros(Int, half) # the second half of f: the variable of each row
            for t in f.terms
                t.output_index > half || continue
                k = t.output_index - half
                variable[k] == 0 && t.scalar_term.coefficient == 1 ||
                    throw(ArgumentError("the second half of a complementarity condition must be variables"))
                variable[k] = place[t.scalar_term.variable]
            end
            for k in 1:half
                i = variable[k]
                i > 0 && iszero(f.constants[half + k]) ||
                    throw(ArgumentError("the second half of a complementarity condition must be variables"))
                paired[i] && throw(ArgumentError("a variable has two complementarity conditions"))
                paired[i] = true
                b[i] = f.constants[k]
            end
            for t in f.terms
                t.output_index <= half || continue
                push!(rows, variable[t.output_index])
                push!(columns, place[t.scalar_term.variable])
                push!(values, t.scalar_term.coefficient)
            end
            map[c] = MOI.ConstraintIndex{F,S}(c.value)
        end
    end
    lonely = findfirst(.!paired)
    lonely === nothing || throw(ArgumentError("variable $lonely has no complementarity condition"))
    A = sparse(rows, columns, values, n, n)
    o.result = solve_lcp(A, b; lo = lb, hi = ub, method = o.method, tol = o.tol, time_limit = o.time_limit)
    return
end

add_objective!(f::MOI.VariableIndex, place, P, q) = (q[place[f]] += 1; 0.0)
function add_objective!(f::Affine, place, P, q)
    for t in f.terms
        q[place[t.variable]] += t.coefficient
    end
    return f.constant
end
# x_i^2 has the factor 1/2, x_i x_j has not: both are entries of P.
function add_objective!(f::Quadratic, place, P, q)
    for t in f.quadratic_terms
        i, j = place[t.variable_1], place[t.variable_2]
        push!(P, (i, j, t.coefficient))
        i == j || push!(P, (j, i, t.coefficient))
    end
    for t in f.affine_terms
        q[place[t.variable]] += t.coefficient
    end
    return f.constant
end

function solve_program!(o, model, map, place, types, lb, ub)
    n = length(lb)
    P, q = Tuple{Int,Int,Float64}[], zeros(n)
    if o.sense != MOI.FEASIBILITY_SENSE
        F = MOI.get(model, MOI.ObjectiveFunctionType())
        MOI.supports(o, MOI.ObjectiveFunction{F}()) || throw(MOI.UnsupportedAttribute(MOI.ObjectiveFunction{F}()))
        o.constant = add_objective!(MOI.get(model, MOI.ObjectiveFunction{F}()), place, P, q)
    end
    sign = o.sense == MOI.MAX_SENSE ? -1.0 : 1.0
    rows, columns, values, l, u = Int[], Int[], Float64[], Float64[], Float64[]
    for (F, S) in types
        F === Affine || continue
        for c in MOI.get(model, MOI.ListOfConstraintIndices{F,S}())
            f, set = MOI.get(model, MOI.ConstraintFunction(), c), MOI.get(model, MOI.ConstraintSet(), c)
            push!(l, low(set) - f.constant)
            push!(u, high(set) - f.constant)
            push!(o.row_constants, f.constant)
            for t in f.terms
                push!(rows, length(l))
                push!(columns, place[t.variable])
                push!(values, t.coefficient)
            end
            map[c] = MOI.ConstraintIndex{F,S}(length(l))
            o.rows[map[c]] = length(l)
        end
    end
    G = sparse(rows, columns, values, length(l), n)
    quadratic = sparse(Int[t[1] for t in P], Int[t[2] for t in P], Float64[sign * t[3] for t in P], n, n)
    o.result = solve_qp(quadratic, sign .* q; G = G, l = l, u = u, lb = lb, ub = ub, method = o.method, tol = o.tol,
                        time_limit = o.time_limit)
    o.row_values = G * o.result.x
    return
end

# ---- results ----

const ENDINGS = Dict(
    :solved => MOI.OPTIMAL, :iteration_limit => MOI.ITERATION_LIMIT, :time_limit => MOI.TIME_LIMIT,
    :infeasible => MOI.INFEASIBLE, :unsolvable => MOI.INFEASIBLE, :unbounded => MOI.DUAL_INFEASIBLE,
    :infeasible_ray => MOI.ALMOST_INFEASIBLE, :unbounded_ray => MOI.ALMOST_DUAL_INFEASIBLE,
    :stopped => MOI.INTERRUPTED, :non_finite => MOI.NUMERICAL_ERROR, :not_convex => MOI.INVALID_MODEL,
    :stagnated => MOI.SLOW_PROGRESS, :precision => MOI.SLOW_PROGRESS, :local_minimum => MOI.SLOW_PROGRESS)

function MOI.get(o::Optimizer, ::MOI.TerminationStatus)
    o.result === nothing && return MOI.OPTIMIZE_NOT_CALLED
    ending = get(ENDINGS, o.result.outcome, MOI.OTHER_ERROR)
    # a solution of a complementarity problem minimises nothing
    return ending == MOI.OPTIMAL && o.result isa Result ? MOI.LOCALLY_SOLVED : ending
end
MOI.get(o::Optimizer, ::MOI.RawStatusString) =
    o.result === nothing ? "optimize! was not called" : string(o.result.outcome, ": ", o.result.message)
MOI.get(o::Optimizer, ::MOI.ResultCount) = o.result !== nothing && is_solved(o.result) ? 1 : 0
MOI.get(o::Optimizer, ::MOI.SolveTimeSec) = o.result === nothing ? NaN : o.result.seconds
status(o, index) = index == 1 && MOI.get(o, MOI.ResultCount()) == 1 ? MOI.FEASIBLE_POINT : MOI.NO_SOLUTION
MOI.get(o::Optimizer, a::MOI.PrimalStatus) = status(o, a.result_index)
MOI.get(o::Optimizer, a::MOI.DualStatus) = o.result isa QPResult ? status(o, a.result_index) : MOI.NO_SOLUTION

function MOI.get(o::Optimizer, a::MOI.ObjectiveValue)
    MOI.check_result_index_bounds(o, a)
    o.result isa QPResult || return 0.0
    return (o.sense == MOI.MAX_SENSE ? -o.result.objective : o.result.objective) + o.constant
end
function MOI.get(o::Optimizer, a::MOI.VariablePrimal, v::MOI.VariableIndex)
    MOI.check_result_index_bounds(o, a)
    return o.result.x[v.value]
end
function MOI.get(o::Optimizer, a::MOI.ConstraintPrimal, c::MOI.ConstraintIndex{MOI.VariableIndex,<:Bounds})
    MOI.check_result_index_bounds(o, a)
    return o.result.x[o.bounds[c]]
end
function MOI.get(o::Optimizer, a::MOI.ConstraintPrimal, c::MOI.ConstraintIndex{Affine,<:Bounds})
    MOI.check_result_index_bounds(o, a)
    return o.row_values[o.rows[c]] + o.row_constants[o.rows[c]]
end

# In MathOptInterface a lower bound has a dual >= 0, and z is negative there. A variable may have a lower and an upper
# bound as two constraints: each gets the part of its sign.
part(::Type{<:MOI.GreaterThan}, dual) = max(dual, 0.0)
part(::Type{<:MOI.LessThan}, dual) = min(dual, 0.0)
part(::Type, dual) = dual
function MOI.get(o::Optimizer, a::MOI.ConstraintDual, c::MOI.ConstraintIndex{MOI.VariableIndex,S}) where {S<:Bounds}
    MOI.check_result_index_bounds(o, a)
    return part(S, -o.result.w[o.bounds[c]])
end
function MOI.get(o::Optimizer, a::MOI.ConstraintDual, c::MOI.ConstraintIndex{Affine,S}) where {S<:Bounds}
    MOI.check_result_index_bounds(o, a)
    return part(S, -o.result.z[o.rows[c]])
end
