% [x, y, info] = perp_lcp (A, b, lo, hi, options)
%
% Finds x with lo <= x <= hi and y = A*x + b such that y(i) = 0 between the bounds, y(i) >= 0 at
% lo(i) and y(i) <= 0 at hi(i). Without bounds: x >= 0, y >= 0, x'*y = 0.
%
% A         square, full or sparse
% lo, hi    vectors or numbers; [] or left out: 0 and Inf
% options   a struct: method ('auto'), tol (1e-8: residual <= tol * max|b|), time_limit (seconds),
%           max_iterations, x0 (the start), findex (friction index: row i with findex(i) = j > 0 has
%           the bounds lo(i)*|x(j)|, hi(i)*|x(j)|), trace, threads, seed,
%           verbose (true prints a line an iteration); all other fields
%           are parameters of the method, such as omega of 'psor'
% info      status ('solved', 'infeasible', ...), solved, residual, relative_residual, scale,
%           iterations, seconds, method, attempts, message, certificate, ray, trace (iteration,
%           seconds, residual of each check, with options.trace = true)
%
% Not solved is no error: look at info.solved; x then is the best that was found. Errors name the
% row, counted from 1.
%
%   [x, y, info] = perp_lcp ([2 -1; -1 2], [-1; 0.8])
%
% See also: perp_cone, perp_simulate
