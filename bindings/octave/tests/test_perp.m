% test_perp: the functions of bindings/octave; the last line is 'N passed, N failed, N skipped'
%
% Answers are compared with all cases tried one by one, or with the definition of a solution.
1;

function found = solutions (A, b, lo, hi)
  % all solutions of a small box problem: each row between its bounds, at lo or at hi
  n = numel (b);
  found = zeros (n, 0);
  for code = 0:3^n - 1
    state = mod (floor (code ./ 3 .^ (0:n - 1)'), 3);
    if (any (isinf (lo(state == 1))) || any (isinf (hi(state == 2))))
      continue
    end
    x = zeros (n, 1);
    x(state == 1) = lo(state == 1);
    x(state == 2) = hi(state == 2);
    F = state == 0;
    if (any (F))
      x(F) = -A(F, F) \ (b(F) + A(F, :) * x);
    end
    if (residual (A, b, x, lo, hi) < 1e-9)
      if (isempty (found) || all (max (abs (found - x), [], 1) > 1e-7))
        found(:, end + 1) = x;
      end
    end
  end
end

function r = residual (A, b, x, lo, hi)
  r = max ([abs(x - min (max (x - (A * x + b), lo), hi)); 0]);
end

function A = definite (n, skew)
  B = randn (n);
  S = randn (n);
  A = B * B' + 0.3 * eye (n) + skew * (S - S');
end

function must_fail (call, text)
  try
    call ();
  catch e
    assert (! isempty (strfind (e.message, text)), "'%s' is not in '%s'", text, e.message);
    return
  end
  error ('no error, but it should say: %s', text);
end

function lcp_against_all_cases (seed)
  randn ('state', seed);
  n = 1 + mod (seed, 5);
  A = definite (n, 0.5);
  b = randn (n, 1);
  [x, y, info] = perp_lcp (A, b);
  all_x = solutions (A, b, zeros (n, 1), inf (n, 1));
  assert (size (all_x, 2), 1);
  assert (x, all_x, 1e-9);
  assert (y, A * x + b, 1e-10);
  assert (info.solved && strcmp (info.status, 'solved'));
  assert (perp_lcp (sparse (A), b), x, 1e-9);
end

function box_against_all_cases (seed)
  randn ('state', 100 + seed);
  rand ('state', 100 + seed);
  n = 1 + mod (seed, 4);
  A = definite (n, 0.5);
  b = 3 * randn (n, 1);
  lo = -rand (n, 1);
  hi = rand (n, 1);
  lo(rand (n, 1) < 0.2) = -Inf;
  hi(rand (n, 1) < 0.2) = Inf;
  [x, ~, info] = perp_lcp (A, b, lo, hi);
  assert (info.solved);
  assert (x, solutions (A, b, lo, hi), 1e-9);
end

function friction (seed)
  randn ('state', 200 + seed);
  n = 6;
  A = definite (n, 0);
  b = 3 * randn (n, 1);
  lo = repmat ([0; -0.4], 3, 1);
  hi = repmat ([Inf; 0.4], 3, 1);
  findex = [0; 1; 0; 3; 0; 5];
  [x, ~, info] = perp_lcp (A, b, lo, hi, struct ('findex', findex));
  assert (info.solved);
  scale = ones (n, 1);
  scale(findex > 0) = abs (x(findex(findex > 0)));
  assert (residual (A, b, x, lo .* scale, hi .* scale) <= 1e-8 * max (abs (b)));
end

function cones (seed)
  randn ('state', 300 + seed);
  A = definite (9, 0);
  b = 3 * randn (9, 1);
  mu = [0.2; 0.5; 0.8];
  [x, y, info] = perp_cone (A, b, mu);
  assert (info.solved);
  assert (y, A * x + b, 1e-10);
  for c = 1:3
    r = x(3 * c - 2:3 * c);
    v = y(3 * c - 2:3 * c);
    v(1) += mu(c) * norm (v(2:3));
    assert (norm (r(2:3)) <= mu(c) * r(1) + 1e-7);
    assert (v(1) >= mu(c) * norm (v(2:3)) - 1e-6);  % in the dual cone
    assert (abs (r' * v) < 1e-5);
  end
end

% Six rows and five, elliptic and discs: Signorini, the bounds, and the greatest dissipation.
function contacts (seed)
  randn ('state', 400 + seed);
  A = definite (11, 0);
  b = 3 * randn (11, 1);
  b([1 7]) = -3;
  mu = [0.5 0.4 0.1 0.2 0.3; 0.6 0.6 0 0.2 0.2];
  [x, y, info] = perp_cone (A, b, mu, [], [6 5], [0 1]);
  assert (info.solved);
  r = x(1:6);
  v = y(1:6);
  m = mu(1, :)';
  assert (norm (r(2:6) ./ m) <= r(1) + 1e-7);
  assert (abs (min (r(1), v(1))) < 1e-6);
  assert (abs (r(1) * norm (m .* v(2:6)) + r(2:6)' * v(2:6)) < 1e-5);
  r = x(7:11);
  v = y(7:11);
  for k = {[2 3], [4 5]}
    m = mu(2, k{1}(1) + (k{1}(1) > 3) - 1);
    assert (norm (r(k{1})) <= m * r(1) + 1e-7);
    assert (abs (m * r(1) * norm (v(k{1})) + r(k{1})' * v(k{1})) < 1e-5);
  end
end

function one_mu_for_all ()
  randn ('state', 5);
  A = definite (6, 0);
  b = randn (6, 1);
  assert (perp_cone (A, b, 0.5), perp_cone (A, b, [0.5; 0.5]));
end

function rows_and_columns ()
  randn ('state', 1);
  A = definite (4, 0);
  b = randn (4, 1);
  assert (perp_lcp (A, b'), perp_lcp (A, b));
  assert (perp_lcp (A, b, -1, 1), perp_lcp (A, b, -ones (4, 1), ones (1, 4)));
  assert (perp_lcp (A, b, [], []), perp_lcp (A, b));
end

function columns_are_not_rows ()
  % a matrix that is not symmetric, full and sparse
  A = [2, 5; 0, 3];
  b = [-1; -1];
  x = perp_lcp (A, b, -Inf, Inf);
  assert (x, -A \ b, 1e-8);
  assert (perp_lcp (sparse (A), b, -Inf, Inf), -A \ b, 1e-8);
end

function empty_problem ()
  [x, y, info] = perp_lcp (zeros (0), zeros (0, 1));
  assert (isempty (x) && isempty (y) && info.solved);
end

function large_sparse ()
  n = 60;
  e = ones (n, 1);
  T = spdiags ([-e, 2 * e, -e], -1:1, n, n);
  L = kron (T, speye (n)) + kron (speye (n), T);
  b = -ones (n^2, 1) / (n + 1)^2;
  psi = zeros (n^2, 1);
  psi(:) = 0.01;
  [x, ~, info] = perp_lcp (L, b, psi);
  assert (info.solved);
  assert (residual (L, b, x, psi, inf (n^2, 1)) <= 1.01e-8 * max (abs (b)));
end

function options ()
  randn ('state', 2);
  A = definite (30, 0);
  b = randn (30, 1);
  [x, ~, info] = perp_lcp (A, b, [], [], struct ('method', 'psor', 'omega', 1.2, 'tol', 1e-10));
  assert (info.solved && strcmp (info.method, 'psor') && info.relative_residual <= 1e-10);
  [~, ~, again] = perp_lcp (A, b, [], [], struct ('method', 'psor', 'omega', 1.2, 'x0', x));
  assert (again.iterations < info.iterations);
  [~, ~, few] = perp_lcp (A, b, [], [], struct ('method', 'pgs', 'max_iterations', 2));
  assert (! few.solved && strcmp (few.status, 'iteration-limit') && few.iterations == 2);
  [~, ~, t] = perp_lcp (A, b, [], [], struct ('method', 'pgs', 'trace', true));
  said = evalc ("perp_lcp (A, b, [], [], struct ('method', 'pgs', 'verbose', true));");
  assert (! isempty (strfind (said, 'iteration')) && ! isempty (strfind (said, 'pgs: solved')));
  assert (isempty (strfind (evalc ("perp_lcp (A, b);"), 'iteration')));
  assert (columns (t.trace) == 3 && rows (t.trace) > 3 && t.trace(end, 3) <= 1e-8 * t.scale);
  [~, ~, w] = perp_lcp (A, b, [], [], struct ('method', 'pgs', 'order', 'backward'));
  assert (w.solved);
  [~, ~, a] = perp_lcp (A, b);
  assert (! isempty (a.attempts) && strcmp (a.attempts(end).method, a.method));
end

function certificate ()
  A = -eye (2);
  b = [-1; -1];
  [~, ~, info] = perp_lcp (A, b);
  u = info.certificate;
  assert (strcmp (info.status, 'infeasible'));
  assert (all (u >= 0) && all (A' * u <= 0) && b' * u < 0);
end

function errors_count_from_one ()
  A = eye (3);
  b = ones (3, 1);
  must_fail (@() perp_lcp (A, [1; NaN; 1]), 'b[2] = nan');
  bad = A;
  bad(3, 1) = NaN;
  must_fail (@() perp_lcp (bad, b), '(3,1) = nan');
  must_fail (@() perp_lcp (sparse (bad), b), '(3,1) = nan');
  must_fail (@() perp_lcp (A, b, [0; 0; 5], 1), 'lo[3] = 5 is above hi[3] = 1');
  hole = [1, 0.1, 0; 0.1, 0, 0.1; 0, 0.1, 1];
  must_fail (@() perp_lcp (hole, b, [], [], struct ('method', 'psor')), 'A(2,2) = 0');
  must_fail (@() perp_lcp (A, b, -1, 1, struct ('findex', [0 2 0])), 'findex[2] = 2');
  must_fail (@() perp_lcp (A, b, -1, 1, struct ('findex', [0 4 0])), 'findex[2] = 4');
end

function refusals ()
  A = eye (3);
  b = ones (3, 1);
  must_fail (@() perp_lcp (A), 'perp_lcp(A, b, lo, hi, options)');
  must_fail (@() perp_lcp (A, ones (2, 1)), 'b is 2 x 1');
  must_fail (@() perp_lcp (ones (2, 3), b), 'A is 2 x 3');
  must_fail (@() perp_lcp (A * i, b), 'real');
  must_fail (@() perp_lcp ('abc', b), 'real');
  must_fail (@() perp_lcp (A, b, [], [], 7), 'struct');
  must_fail (@() perp_lcp (A, b, [], [], struct ('method', 'nix')), 'nix');
  must_fail (@() perp_lcp (A, b, [], [], struct ('method', 'psor', 'omega', 5)), 'omega = 5');
  must_fail (@() perp_lcp (A, b, [], [], struct ('method', 'psor', 'omega', 'x')), 'omega');
  must_fail (@() perp_lcp (A, b, [], [], struct ('method', 'psor', 'omega', [1 2])), 'omega');
  must_fail (@() perp_lcp (A, b, [], [], struct ('nix', 5)), 'nix');
  must_fail (@() perp_lcp (A, b, [], [], struct ('x0', [1 2])), 'x0');
  must_fail (@() perp_lcp (A, b, [], [], struct ('max_iterations', -1)), 'max_iterations = -1');
  must_fail (@() perp_cone (eye (4), ones (4, 1), 0.5), 'three rows');
  must_fail (@() perp_cone (A, b), 'perp_cone(A, b, mu, options, dim, law)');
  must_fail (@() perp_cone (eye (6), ones (6, 1), [1 1 1 0 0], [], 6, 3), 'law');
  must_fail (@() perp_cone (eye (6), ones (6, 1), [1 1], [], 6), 'mu must be 1 x 5 if dim is given, not 1 x 2');
  must_fail (@() perp_cone (eye (6), ones (6, 1), [1 1], [], [3 3]), 'mu must be 2 x 5 or 1 x 5');
  must_fail (@() perp_cone (eye (6), ones (6, 1), [1 1 1 0 0], [], 7), 'dim(1) = 7');
  must_fail (@() perp_cone (A, b, -1), 'mu[1] = -1');
  must_fail (@() perp_cone (A, b, 0.5, struct ('method', 'pgs')), 'pgs');
  assert (perp_lcp (A, -b), b);  % it still works
end

function numbers_that_are_not_stored ()
  % of a sparse matrix only entries are there to be read
  A = eye (3);
  b = -ones (3, 1);
  f = [0 1 0];
  must_fail (@() perp_lcp (A, b, -1, 1, struct ('findex', sparse (f))), 'findex: a full real vector');
  must_fail (@() perp_lcp (A, b, -1, 1, struct ('findex', f + 1i)), 'findex: a full real vector');
  must_fail (@() perp_lcp (A, b, -1, 1, struct ('findex', sparse (1e5, 1))), 'findex');
  must_fail (@() perp_lcp (A, b, -1, 1, struct ('findex', int32 (f))), 'findex');
  must_fail (@() perp_lcp (A, b, -1, 1, struct ('findex', {{1, 2, 3}})), 'findex');
  must_fail (@() perp_lcp (A, sparse (b)), 'b: a real vector');
  must_fail (@() perp_lcp (A, b, sparse (3, 1)), 'lo: a real vector');
  must_fail (@() perp_lcp (A, b, [], [], struct ('tol', sparse (0))), 'tol: a real number');
  must_fail (@() perp_lcp (A, b, [], [], struct ('tol', 1i)), 'tol: a real number');
  must_fail (@() perp_lcp (A, b, [], [], struct ('method', 'psor', 'omega', sparse (0))), 'omega');
  must_fail (@() perp_lcp (A, b, [], [], struct ('method', 'psor', 'omega', 1i)), 'omega');
  must_fail (@() perp_lcp (A, b, [], [], struct ('x0', sparse (3, 1))), 'x0');
  must_fail (@() perp_lcp (sparse (A) * 1i, b), 'real');
  must_fail (@() perp_lcp (A > 0, b), 'doubles');
  must_fail (@() perp_lcp (single (A), b), 'doubles');
  must_fail (@() perp_lcp (zeros (2, 2, 2), b), 'square');
  must_fail (@() perp_lcp ({A}, b), 'real');
  must_fail (@() perp_cone (A, b, sparse (0)), 'mu');
  must_fail (@() perp_qp (A, b, A > 0), 'G');
  must_fail (@() perp_qp (A, b * 1i), 'q: a real vector');
  for steps = {[], sparse(0), 1i, -1, 1.5, Inf, NaN, [1 2], 'a', {3}}
    must_fail (@() perp_simulate ('discs:n=2', steps{1}), 'steps');
  end
  assert (perp_lcp (A, b, -1, 1, struct ('findex', f, 'tol', single (1e-6))), [1; 1; 1], 1e-6);
end

function programs_count_from_one_and_name_what_they_do_not_take ()
  [~, ~, info] = perp_qp (eye (2), [1; 1], [1, 1; 1, 1], [1; -Inf], [Inf; 0]);
  assert (isempty (regexp (info.message, '\<row 0\>|\[0\]')), info.message);
  must_fail (@() perp_qp (eye (2), [1; 1], [], [], [], [2; 0], 1), 'lb[1]');
  must_fail (@() perp_qp ([1 2; 3 1], [1; 1]), 'P[1, 2] = 2, but P[2, 1] = 3');
  for name = {'x0', 'findex', 'trace', 'omega', 'Tol', 'nix', 'threads'}
    must_fail (@() perp_qp (eye (2), [1; 1], [], [], [], 0, 1, struct (name{1}, 1)), name{1});
  end
  must_fail (@() perp_qp (eye (2), [1; 1], [], [], [], 0, 1, 3), 'struct');
  [~, ~, info] = perp_qp (eye (2), [1; 1], [], [], [], 0, 1, struct ('method', 'ipm', 'tol', 1e-6));
  assert (info.solved && strcmp (info.method, 'ipm'));
end

function course_tolerances_are_absolute ()
  randn ('state', 9);
  A = definite (30, 0);
  b = 1000 * randn (30, 1);
  for tol = [1e-1, 1e-3, 1e-5]
    [x, err] = pgs (A, b, zeros (30, 1), 10000, 0, tol);
    assert (err <= tol && max (abs (min (x, A * x + b))) <= 1.001 * tol);
  end
  [~, few, iter] = pgs (A, b, zeros (30, 1), 10000, 0, 1);
  [~, more, later] = pgs (A, b, zeros (30, 1), 10000, 0, 1e-4);
  assert (iter < later && more < few);
  [x, err, ~, flag, ~, msg] = psor (A, zeros (30, 1));
  assert (x, zeros (30, 1));
  assert (strcmp (msg, 'absolute'));
end

function help_texts ()
  for name = {'perp_lcp', 'perp_cone', 'perp_qp', 'perp_simulate', 'pgs', 'psor', 'lemke', ...
              'fischer_newton', 'minmap_newton', 'ip_lcp', 'multilevel', 'qp_lcp'}
    text = get_first_help_sentence (name{1}, 200);
    assert (! isempty (text));
  end
end

function course_functions ()
  randn ('state', 7);
  n = 40;
  A = definite (n, 0) + n * eye (n);
  b = randn (n, 1);
  x = perp_lcp (A, b, [], [], struct ('tol', 1e-12));
  x0 = zeros (n, 1);
  calls = {@() pgs(A, b, x0, 500, 0, 1e-9, true), @() psor(A, b, x0, 1.1, 500, 0, 1e-9, true), ...
           @() minmap_newton(A, b, x0, 50, 0, 1e-9, true), @() minmap_newton(A, b), ...
           @() fischer_newton(A, b, x0, 50, 0, 1e-9, 'perturbation', true), ...
           @() fischer_newton(A, b, x0, 50, 0, 1e-9, 'penalized', true, 0.9), ...
           @() fischer_newton(A, b), @() ip_lcp(A, b, x0, 100, 0, 1e-9, 'central_trajectory'), ...
           @() multilevel(A, b, x0, 2, 200, 0, 1e-9, true)};
  for k = 1:numel (calls)
    [z, err, iter, flag, convergence, msg] = calls{k} ();
    assert (z, x, 1e-6);
    assert (strcmp (msg, 'absolute'), 'call %d: %s', k, msg);
    assert (err <= 1e-8 * max (abs (b)) && iter >= 1 && numel (convergence) >= 1);
    assert (convergence(end) <= convergence(1));
  end
  [z, err, iter, flag, ~, msg] = pgs (A, b, x0, 1, 0, 0);
  assert (strcmp (msg, 'maxlimit') && iter == 1);
  must_fail (@() fischer_newton (A, b, x0, 9, 0, 0, 'nix'), 'nix');
  [z, err] = lemke (A, b, x0);
  assert (err, 0);
  assert (z, x, 1e-9);
  [~, err] = lemke (-eye (2), [-1; -1]);
  assert (err, 2);
  [z, err] = qp_lcp (A, b);
  assert (z, x, 1e-6);
  assert (err < 1e-6);
end

function simulations ()
  s = perp_simulate ('discs:n=5', 8);
  assert (size (s.pose, 1) == 3 && size (s.pose, 3) == 9 && all (s.solved));
  assert (numel (s.time) == 8 && all (diff (s.time) > 0));
  assert (any (any (s.pose(2, :, 9) < s.pose(2, :, 1))));  % they fall
  t = perp_simulate ('discs:n=5', 8, struct ('method', 'pgs', 'order', 'backward'));
  assert (numel (t.time) == 8);
  must_fail (@() perp_simulate ('nix', 3), 'nix');
  must_fail (@() perp_simulate ('discs', 3, struct ('method', 'pgs', 'order', 'nix')), 'nix');
  must_fail (@() perp_simulate ('discs'), 'perp_simulate(scene, steps, options)');
end

function programs (seed)
  % the conditions of optimality, for full and sparse P and G
  randn ('state', 400 + seed);
  n = 6;
  m = 3;
  P = definite (n, 0);
  q = 3 * randn (n, 1);
  G = randn (m, n);
  l = [-0.1; 0.2; -Inf];
  u = [0.1; 0.2; 0.3];
  for k = 1:2
    [x, z, info] = perp_qp (P, q, G, l, u, -1, 1);
    assert (info.solved);
    assert (P * x + q + G' * z + info.w, zeros (n, 1), 1e-6);
    assert (all (G * x <= u + 1e-7) && all (G * x >= l - 1e-7) && all (abs (x) <= 1 + 1e-7));
    assert (all (z(G * x < u - 1e-5) <= 1e-6) && all (z(G * x > l + 1e-5) >= -1e-6));
    assert (all (info.w(x < 1 - 1e-5) <= 1e-6) && all (info.w(x > -1 + 1e-5) >= -1e-6));
    assert (info.objective, x' * P * x / 2 + q' * x, 1e-8);
    P = sparse (P);
    G = sparse (G);
  end
  x = perp_qp ([], [-1; -2], [1, 1], [], 4, 0, [3; 3]);
  assert (x, [1; 3], 1e-6);
  [~, ~, info] = perp_qp (eye (2), [1; 1], [1, 1; 1, 1], [1; -Inf], [Inf; 0]);
  assert (info.status, 'infeasible');
  must_fail (@() perp_qp (eye (2), [1; 1; 1]), 'different sizes');
  must_fail (@() perp_qp (eye (2), [1; 1], [1, 1, 1]), 'G is 1 x 3');
  must_fail (@() perp_qp (eye (2), [1; NaN]), 'q[2] = nan');
end

function no_growth ()
  A = definite (10, 0.5);
  b = randn (10, 1);
  S = sparse (A);
  work = @() {perp_lcp(A, b), perp_lcp(S, b), perp_cone(A(1:9, 1:9), b(1:9), 0.5)};
  for k = 1:500, work (); end
  before = resident ();
  for k = 1:5000
    work ();
    try, perp_lcp (S, b, 1, 0); catch, end
  end
  assert (resident () - before < 4000 * 1024);  % 200 bytes a call; a copy of A alone is 800
end

function bytes = resident ()
  text = fileread ('/proc/self/statm');
  bytes = sscanf (text, '%*d %d', 1) * 4096;
end

tests = {};
for seed = 1:20, tests{end + 1} = @() lcp_against_all_cases (seed); end
for seed = 1:12, tests{end + 1} = @() box_against_all_cases (seed); end
for seed = 1:5, tests{end + 1} = @() friction (seed); end
for seed = 1:5, tests{end + 1} = @() cones (seed); end
for seed = 1:5, tests{end + 1} = @() contacts (seed); end
for seed = 1:5, tests{end + 1} = @() programs (seed); end
tests = [tests, {@one_mu_for_all, @rows_and_columns, @columns_are_not_rows, @empty_problem, ...
                 @large_sparse, @options, @certificate, @errors_count_from_one, @refusals, ...
                 @numbers_that_are_not_stored, @course_tolerances_are_absolute, ...
                 @programs_count_from_one_and_name_what_they_do_not_take, ...
                 @help_texts, @course_functions, @simulations}];
skipped = 0;
if (exist ('/proc/self/statm', 'file'))
  tests{end + 1} = @no_growth;
else
  skipped = 1;
end
passed = failed = 0;
for k = 1:numel (tests)
  try
    tests{k} ();
    passed++;
  catch e
    failed++;
    printf ('FAIL %s: %s\n', func2str (tests{k}), e.message);
  end
end
printf ('%d passed, %d failed, %d skipped\n', passed, failed, skipped);
exit (failed > 0);
