% [x, err, iter, flag, convergence, msg, t_setup] = ...
%     multilevel (A, b, x0, k, max_iter, tol_rel, tol_abs, profile)
%
% Multigrid by perp, with the arguments of num4lcp's function. It is solved, and msg is
% 'absolute', when max |min (x, A*x + b)| is at most tol_abs, or 1e-10 * max |b| if that is more;
% err and convergence are this number. k (perp chooses the number of levels), tol_rel and profile
% are not used; t_setup is 0.
function [x, err, iter, flag, convergence, msg, t_setup] = ...
    multilevel (A, b, x0, k, max_iter, tol_rel, tol_abs, profile)
  if (nargin < 3), x0 = zeros (size (b)); end
  if (nargin < 5), max_iter = floor (numel (b) / 2); end
  if (nargin < 7), tol_abs = 0; end
  t_setup = 0;
  [x, err, iter, flag, convergence, msg] = ...
    perp_course ('mg', A, b, x0, max_iter, tol_abs, struct ());
end
