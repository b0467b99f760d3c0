% [z, err] = lemke (M, q, z0)
%
% Lemke's method by perp, with the arguments of the function that is commonly called so: z >= 0,
% M*z + q >= 0, z'*(M*z + q) = 0. err: 0 solved, 1 too many pivots, 2 a ray (there may be no
% solution), 3 anything else.
function [z, err] = lemke (M, q, z0)
  options = struct ('method', 'lemke');
  if (nargin > 2), options.x0 = z0; end
  [z, ~, info] = perp_lcp (M, q, [], [], options);
  switch (info.status)
    case 'solved'
      err = 0;
    case 'iteration-limit'
      err = 1;
    case {'ray', 'infeasible'}
      err = 2;
    otherwise
      err = 3;
  end
end
