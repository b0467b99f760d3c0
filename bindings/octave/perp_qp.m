% [x, z, info] = perp_qp (P, q, G, l, u, lb, ub, options)
%
% Minimises x'*P*x/2 + q'*x subject to l <= G*x <= u and lb <= x <= ub. P is symmetric and positive
% semi-definite, or [] for a linear program; [] for any of the others: none. l(i) = u(i) is an
% equation. z are the multipliers of G*x, positive at u and negative at l.
%
% options   a struct: method ('auto', 'ipm', 'active', 'admm', ...), tol, time_limit,
%           max_iterations, verbose (true prints a line an iteration)
% info      status, solved, objective, w (multipliers of x), primal, dual, gap,
%           complementarity, method, iterations, seconds, message
%
% See also: perp_lcp
