% s = perp_simulate (scene, steps, options)
%
% Runs a scene, such as 'bricks' or 'discs:n=50,mu=0.3'; `perp simulate --list` names them. s has
% one row for each step: time, rows, contacts, iterations, residual, solved, seconds, kinetic,
% potential, penetration; and pose, (3 or 7) x shapes x (steps + 1): x, y, angle, or x, y, z and a
% quaternion.
%
% options   as of perp_lcp; tol is 1e-6
%
% See also: perp_lcp
