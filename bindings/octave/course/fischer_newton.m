% [x, err, iter, flag, convergence, msg] = ...
%     fischer_newton (A, b, x0, max_iter, tol_rel, tol_abs, solver, profile, lambda)
%
% Newton's method on the function of Fischer and Burmeister by perp, with the arguments of num4lcp's
% function. solver: 'random', 'perturbation', 'zero', 'approximation' choose the element of the
% Jacobian at a kink; 'penalized' takes the penalised function with its weight lambda. It is solved,
% and msg is 'absolute', when max |min (x, A*x + b)| is at most tol_abs, or 1e-10 * max |b| if
% that is more; err and convergence are this number. tol_rel and profile are not used.
function [x, err, iter, flag, convergence, msg] = ...
    fischer_newton (A, b, x0, max_iter, tol_rel, tol_abs, solver, profile, lambda)
  if (nargin < 3), x0 = zeros (size (b)); end
  if (nargin < 4), max_iter = floor (numel (b) / 2); end
  if (nargin < 6), tol_abs = 0; end
  if (nargin < 7), solver = 'random'; end
  if (nargin < 9), lambda = 0.95; end
  switch (lower (solver))
    case 'penalized'
      method = 'pfischer';
      more = struct ('lambda', lambda);
    case {'random', 'perturbation', 'zero', 'approximation'}
      method = 'fischer';
      more = struct ('strategy', lower (solver));
    otherwise
      error ('perp:argument', 'fischer_newton: there is no solver ''%s''', solver);
  end
  [x, err, iter, flag, convergence, msg] = ...
    perp_course (method, A, b, x0, max_iter, tol_abs, more);
end
