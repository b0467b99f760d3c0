% [x, err, iter, flag, convergence, msg] = ...
%     psor (A, b, x0, lambda, max_iter, tol_rel, tol_abs, profile)
%
% Projected over-relaxation by perp, with the arguments of num4lcp's function; lambda is the
% relaxation. It is solved, and msg is 'absolute', when max |min (x, A*x + b)| is at most
% tol_abs, or 1e-10 * max |b| if that is more; err and convergence are this number. tol_rel and
% profile are not used.
function [x, err, iter, flag, convergence, msg] = ...
    psor (A, b, x0, lambda, max_iter, tol_rel, tol_abs, profile)
  if (nargin < 3), x0 = zeros (size (b)); end
  if (nargin < 4), lambda = 1; end
  if (nargin < 5), max_iter = floor (numel (b) / 2); end
  if (nargin < 7), tol_abs = 0; end
  [x, err, iter, flag, convergence, msg] = ...
    perp_course ('psor', A, b, x0, max_iter, tol_abs, struct ('omega', lambda));
end
