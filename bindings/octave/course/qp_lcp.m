% [x, err] = qp_lcp (A, b)
%
% The minimum of x'*A*x/2 + b'*x over x >= 0 for a symmetric A, by whatever method perp chooses; err
% is the natural residual.
function [x, err] = qp_lcp (A, b)
  [x, ~, info] = perp_lcp (A, b);
  err = info.residual;
end
