% [x, err, iter, flag, convergence, msg] = perp_course (method, A, b, x0, max_iter, tol_abs, more)
%
% One solve with the outputs of the course's functions. It ends when the natural residual
% max |x - max (x - y, 0)| is at most tol_abs, or 1e-10 * max |b| if that is more; err and
% convergence are this residual.
function [x, err, iter, flag, convergence, msg] = ...
    perp_course (method, A, b, x0, max_iter, tol_abs, more)
  texts = {'preprocessing'; 'iterating'; 'relative'; 'absolute'; 'stagnation'; 'local minima'; ...
           'nondescent'; 'maxlimit'};
  options = more;
  options.method = method;
  options.max_iterations = max (max_iter, 1);
  scale = max (abs (b(:)));
  if (isempty (scale) || scale == 0), scale = 1; end
  options.tol = max (tol_abs / scale, 1e-10);
  options.x0 = max (x0, 0);
  options.trace = true;
  [x, ~, info] = perp_lcp (A, b, [], [], options);
  err = info.residual;
  iter = info.iterations;
  convergence = info.trace(:, 3);
  switch (info.status)
    case 'solved'
      flag = 4;
    case {'stagnated', 'diverged'}
      flag = 5;
    case 'local-minimum'
      flag = 6;
    case 'non-descent'
      flag = 7;
    case {'iteration-limit', 'time-limit'}
      flag = 8;
    otherwise
      flag = 2;
  end
  msg = texts{flag};
end
