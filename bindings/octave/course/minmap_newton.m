% [x, err, iter, flag, convergence, msg] = ...
%     minmap_newton (A, b, x0, max_iter, tol_rel, tol_abs, profile)
%
% Newton's method on the minimum map by perp, with the arguments of num4lcp's function. msg{flag}
% says how it ended, 'absolute' if it is solved. tol_rel and profile are not used.
function [x, err, iter, flag, convergence, msg] = ...
    minmap_newton (A, b, x0, max_iter, tol_rel, tol_abs, profile)
  if (nargin < 3), x0 = zeros (size (b)); end
  if (nargin < 4), max_iter = floor (numel (b) / 2); end
  if (nargin < 6), tol_abs = 0; end
  [x, err, iter, flag, convergence, msg] = ...
    perp_course ('minmap', A, b, x0, max_iter, tol_abs, struct ());
end
