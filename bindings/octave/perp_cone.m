% [x, y, info] = perp_cone (A, b, mu, options, dim, law)
%
% Coulomb friction: rows (n, t, o) of each contact c, three after another, obey
% norm ([x(t), x(o)]) <= mu(c) * x(n), with y(n) + mu(c) * norm ([y(t), y(o)]) as the normal part of
% y = A*x + b (De Saxce).
%
% mu        one number for each contact, or one for all
% options   as of perp_lcp, without findex; [] for none
% dim       contacts of 1 to 6 rows: normal, slide, slide, torsion, roll, roll (5: without torsion). mu
%           then has a row for each contact, or one for all, and a column for each of the five axes
% law       of each contact 0, one elliptic cone over all axes (the default), or 1, a disc each for
%           slide, torsion and roll
%
% See also: perp_lcp
