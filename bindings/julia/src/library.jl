# The C structs and functions of perp. tests/check-recipes compares each of them with the headers, by a C compiler.
#
# A struct of such fields has the layout of the C struct; the functions perp_..._init fill those that begin with a size.

const libperp = get(ENV, "PERP_LIBRARY", "libperp")

struct perp_message
    text::NTuple{512,Cchar}
end

struct perp_set
    n::Cint
    lo::Ptr{Cdouble}
    hi::Ptr{Cdouble}
    findex::Ptr{Cint}
    mu::Ptr{Cdouble}
    cones::Cint
    cone::Ptr{Cint}
    dim::Ptr{Cint}
    law::Ptr{Cint}
    reserved::NTuple{1,Ptr{Cvoid}}
end

struct perp_problem
    A::Ptr{Cvoid}
    b::Ptr{Cdouble}
    K::perp_set
end

struct perp_counts
    iterations::Int64
    sweeps::Int64
    applies::Int64
    checks::Int64
    pivots::Int64
    factorisations::Int64
    solves::Int64
    cycles::Int64
    restarts::Int64
    reserved::NTuple{7,Int64}
end

struct perp_plan
    class_name::NTuple{64,Cchar}
    steps::Cint
    method::NTuple{8,Ptr{Cchar}}
    limit::NTuple{8,Int64}
    scaled::Cint
    reserved::NTuple{4,Int64}
end

struct perp_attempt
    method::Ptr{Cchar}
    outcome::Cuint
    residual::Cdouble
    iterations::Int64
    seconds::Cdouble
    reserved::NTuple{3,Int64}
end

mutable struct perp_options
    size::Csize_t
    tol::Cdouble
    max_iterations::Int64
    time_limit::Cdouble
    merit_tol::Cdouble
    merit_rel_tol::Cdouble
    check_every::Cint
    stagnation::Cint
    threads::Cint
    seed::UInt64
    memory_limit::Csize_t
    y::Ptr{Cdouble}
    ray::Ptr{Cdouble}
    observer::Ptr{Cvoid}
    observer_context::Ptr{Cvoid}
    logger::Ptr{Cvoid}
    logger_context::Ptr{Cvoid}
    interrupted::Ptr{Cvoid}
    interrupted_context::Ptr{Cvoid}
    found::Ptr{Cvoid}
    found_context::Ptr{Cvoid}
    x_low::Ptr{Cdouble}
    device::Ptr{Cvoid}
    verbose::Int64
    perp_options() = new()
end

mutable struct perp_result
    size::Csize_t
    outcome::Cuint
    method::Ptr{Cchar}
    residual::Cdouble
    relative_residual::Cdouble
    scale::Cdouble
    seconds::Cdouble
    merit::Cdouble
    counts::perp_counts
    plan::perp_plan
    plan_seconds::Cdouble
    attempts::Cint
    attempt::NTuple{8,perp_attempt}
    y::Ptr{Cdouble}
    ray::Ptr{Cdouble}
    message::perp_message
    floor::Cdouble
    perp_result() = new()
end

mutable struct perp_qp
    size::Csize_t
    n::Cint
    m::Cint
    P::Ptr{Cvoid}
    q::Ptr{Cdouble}
    G_start::Ptr{Int64}
    G_column::Ptr{Cint}
    G_value::Ptr{Cdouble}
    G_stride::Int64
    l::Ptr{Cdouble}
    u::Ptr{Cdouble}
    lb::Ptr{Cdouble}
    ub::Ptr{Cdouble}
    perp_qp() = new()
end

mutable struct perp_qp_options
    size::Csize_t
    tol::Cdouble
    max_iterations::Int64
    time_limit::Cdouble
    cold::Int64
    z::Ptr{Cdouble}
    w::Ptr{Cdouble}
    ray::Ptr{Cdouble}
    interrupted::Ptr{Cvoid}
    interrupted_context::Ptr{Cvoid}
    logger::Ptr{Cvoid}
    logger_context::Ptr{Cvoid}
    verbose::Int64
    perp_qp_options() = new()
end

mutable struct perp_qp_result
    size::Csize_t
    outcome::Cuint
    method::Ptr{Cchar}
    objective::Cdouble
    primal::Cdouble
    dual::Cdouble
    gap::Cdouble
    complementarity::Cdouble
    primal_scale::Cdouble
    dual_scale::Cdouble
    seconds::Cdouble
    counts::perp_counts
    active::Int64
    z::Ptr{Cdouble}
    w::Ptr{Cdouble}
    ray::Ptr{Cdouble}
    message::perp_message
    perp_qp_result() = new()
end

# A struct that its function perp_..._init fills, for the size that it has here.
function filled(::Type{perp_options})
    s = perp_options()
    ccall((:perp_options_init, libperp), Cvoid, (Ref{perp_options}, Csize_t), s, sizeof(perp_options))
    return s
end
function filled(::Type{perp_result})
    s = perp_result()
    ccall((:perp_result_init, libperp), Cvoid, (Ref{perp_result}, Csize_t), s, sizeof(perp_result))
    return s
end
function filled(::Type{perp_qp})
    s = perp_qp()
    ccall((:perp_qp_init, libperp), Cvoid, (Ref{perp_qp}, Csize_t), s, sizeof(perp_qp))
    return s
end
function filled(::Type{perp_qp_options})
    s = perp_qp_options()
    ccall((:perp_qp_options_init, libperp), Cvoid, (Ref{perp_qp_options}, Csize_t), s, sizeof(perp_qp_options))
    return s
end
function filled(::Type{perp_qp_result})
    s = perp_qp_result()
    ccall((:perp_qp_result_init, libperp), Cvoid, (Ref{perp_qp_result}, Csize_t), s, sizeof(perp_qp_result))
    return s
end

function text(message::perp_message)
    bytes = UInt8[c % UInt8 for c in message.text]
    last = findfirst(iszero, bytes)
    return String(bytes[1:(last === nothing ? length(bytes) : last - 1)])
end

function check(error::Cuint, message::perp_message)
    error == 0 && return nothing
    said = text(message)
    name = unsafe_string(ccall((:perp_error_name, libperp), Ptr{Cchar}, (Cuint,), error))
    throw(ArgumentError(isempty(said) ? name : said))
end

outcome_name(outcome::Cuint) =
    Symbol(replace(unsafe_string(ccall((:perp_outcome_name, libperp), Ptr{Cchar}, (Cuint,), outcome)), '-' => '_'))
