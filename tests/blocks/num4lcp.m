% docs/migrate-solvers.md: fischer_newton(A
% with the functions of build-octave/course in the place of num4lcp's
addpath (fullfile (fileparts (which ('perp_lcp')), 'course'))
A = [2 -1; -1 2]; b = [-1; 0.8]; x0 = zeros (2, 1);
lambda = 1.1; max_iter = 200; tol_rel = 0; tol_abs = 1e-9; profile = false; solver = 'zero';
% BLOCK
assert (x, [0.5; 0], 1e-8)
