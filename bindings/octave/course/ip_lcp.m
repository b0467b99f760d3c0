% [x, err, iter, flag, convergence, msg] = ...
%     ip_lcp (A, b, x0, max_iter, tol_rel, tol_abs, solver, profile)
%
% Interior point method by perp, with the arguments of num4lcp's function. msg{flag} says how it
% ended, 'absolute' if it is solved. tol_rel, solver and profile are not used.
function [x, err, iter, flag, convergence, msg] = ...
    ip_lcp (A, b, x0, max_iter, tol_rel, tol_abs, solver, profile)
  if (nargin < 3), x0 = zeros (size (b)); end
  if (nargin < 4), max_iter = numel (b); end
  if (nargin < 6), tol_abs = 0; end
  [x, err, iter, flag, convergence, msg] = ...
    perp_course ('ipm', A, b, x0, max_iter, tol_abs, struct ());
end
