% [x, y, info] = perp_cone (A, b, mu, options)
%
% Coulomb friction: rows (n, t, o) of each contact c, three after another, obey
% norm ([x(t), x(o)]) <= mu(c) * x(n), with y(n) + mu(c) * norm ([y(t), y(o)]) as the normal part of
% y = A*x + b (De Saxce).
%
% mu        one number for each contact, or one for all
% options   as of perp_lcp, without findex
%
% See also: perp_lcp
