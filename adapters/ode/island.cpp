/* island.cpp: see island.hpp */
#include "ode/island.hpp"

#include <perp/engine.hpp>

#include <cmath>

namespace
{

/* The inverse of a symmetric 3 x 3 matrix with rows 4 apart, by cofactors; false if it has none. */
bool invert(const dReal *I, double inverse[3][3])
{
  const auto at = [I](int r, int c) { return I[4 * (r % 3) + c % 3]; };
  double determinant = 0;
  for (int c = 0; c < 3; c++)
    determinant += at(0, c) * (at(1, c + 1) * at(2, c + 2) - at(1, c + 2) * at(2, c + 1));
  if (!(determinant > 0))
    return false;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      inverse[c][r] =
          (at(r + 1, c + 1) * at(r + 2, c + 2) - at(r + 1, c + 2) * at(r + 2, c + 1)) / determinant;
  return true;
}

/* Minv of a body, 6 x 6: 1 / m and R I^-1 R^T. */
bool invertMass(dBodyID body, double *Minv)
{
  dMass mass;
  double inverse[3][3];
  dBodyGetMass(body, &mass);
  if (!invert(mass.I, inverse))
    return false;
  const dReal *R = dBodyGetRotation(body); /* rows 4 apart */
  for (int r = 0; r < 3; r++) {
    Minv[7 * r] = 1 / mass.mass;
    for (int c = 0; c <= r; c++) {
      double sum = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          sum += R[4 * r + k] * inverse[k][l] * R[4 * c + l];
      Minv[6 * (r + 3) + c + 3] = Minv[6 * (c + 3) + r + 3] = sum;
    }
  }
  return true;
}

double distance2(const std::array<double, 3> &a, const std::array<double, 3> &b)
{
  double sum = 0;
  for (std::size_t k = 0; k < 3; k++)
    sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

} // namespace

namespace perp::ode
{

/* Returns the number of a body; -1 for the world and for kinematic bodies; -2: its mass has no inverse. */
int Island::number(dBodyID body)
{
  if (!body || dBodyIsKinematic(body))
    return -1;
  const auto found = numbers_.find(body);
  if (found != numbers_.end())
    return found->second;
  const int number = static_cast<int>(numbers_.size());
  Minv_.resize(Minv_.size() + 36, 0);
  numbers_.emplace(body, number);
  return invertMass(body, Minv_.data() + 36 * static_cast<std::size_t>(number)) ? number : -2;
}

/* Row i of J Minv times row j of J, over the bodies they share. */
double Island::entry(int i, int j) const
{
  double sum = 0;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      const int body = body_[static_cast<std::size_t>(2 * i + a)];
      if (body < 0 || body != body_[static_cast<std::size_t>(2 * j + b)])
        continue;
      const double *Minv = Minv_.data() + 36 * static_cast<std::size_t>(body);
      const double *u = J_.data() + 12 * static_cast<std::size_t>(i) + 6 * a;
      const double *v = J_.data() + 12 * static_cast<std::size_t>(j) + 6 * b;
      for (int r = 0; r < 3; r++) {
        sum += u[r] * Minv[7 * r] * v[r];
        for (int c = 3; c < 6; c++)
          sum += u[r + 3] * Minv[6 * (r + 3) + c] * v[c];
      }
    }
  return sum;
}

/* The diagonal of A and what stands next to it: rows of another island, or in another order, would
 * not agree there. */
bool Island::agrees(int n, const double *A, int stride) const
{
  const double close = 1e-9;
  for (int i = 0; i < n; i++) {
    const double *row = A + static_cast<std::ptrdiff_t>(i) * stride;
    const double size = std::fabs(row[i]);
    if (!(std::fabs(entry(i, i) + C_[static_cast<std::size_t>(i)] - row[i]) <= close * size))
      return false;
    if (i > 0) {
      const double before = std::fabs(row[i - 1 - stride]);
      if (!(std::fabs(entry(i, i - 1) - row[i - 1]) <= close * std::sqrt(size * before)))
        return false;
    }
  }
  return true;
}

const perp_operator *Island::make(const Rows &rows, int n, const double *A, int stride)
{
  if (!rows.areComplete(n))
    return nullptr;
  numbers_.clear();
  Minv_.clear();
  J_ = rows.J;
  C_ = rows.C;
  body_.clear();
  for (const Joint &joint : rows.joints) {
    const int first = number(joint.body[0]), second = number(joint.body[1]);
    if (first < -1 || second < -1 || (first >= 0 && first == second))
      return nullptr;
    for (int r = 0; r < joint.rows; r++)
      body_.insert(body_.end(), {first, second});
  }
  if (!agrees(n, A, stride))
    return nullptr;
  double stiffest = 0;
  for (int i = 0; i < n; i++)
    stiffest = std::max(stiffest, A[static_cast<std::ptrdiff_t>(i) * stride + i]);
  unit_ = EngineSolver::unitFor(stiffest);
  EngineSolver::multiply(Minv_, unit_);
  EngineSolver::multiply(C_, unit_);
  perp_contact_bodies data = perp_contact_bodies_default();
  data.rows = n;
  data.bodies = static_cast<int>(numbers_.size());
  data.body = body_.data();
  data.J = J_.data();
  data.Minv = Minv_.data();
  data.C_diagonal = C_.data();
  perp_message why;
  const perp_error error = A_ ? perp_operator_contact_bodies_replace(A_, &data, PERP_COPY, &why)
                              : perp_operator_contact_bodies(&data, PERP_COPY, &A_, &why);
  return error == PERP_OK ? A_ : nullptr;
}

/* ---- the start ---- */

Island::Key Island::keyOf(const Joint &joint)
{
  if (dJointGetType(joint.id) != dJointTypeContact)
    return {joint.id, nullptr};
  return {joint.body[0], joint.body[1]};
}

Island::Point Island::place(const Rows &rows, const Joint &joint)
{
  Point point{{0, 0, 0}, {}, joint.rows};
  if (dJointGetType(joint.id) != dJointTypeContact || !joint.body[0])
    return point;
  const int used = std::min(joint.rows, 3);
  double r[3] = {0, 0, 0};
  for (int k = 0; k < used; k++) {
    const double *e = rows.J.data() + 12 * static_cast<std::size_t>(joint.first + k), *a = e + 3;
    for (int c = 0; c < 3; c++)
      r[c] +=
          (e[(c + 1) % 3] * a[(c + 2) % 3] - e[(c + 2) % 3] * a[(c + 1) % 3]) / (used == 3 ? 2 : 1);
  }
  dVector3 local;
  dBodyVectorFromWorld(joint.body[0], r[0], r[1], r[2], local);
  point.at = {local[0], local[1], local[2]};
  return point;
}

void Island::start(const Rows &rows, std::vector<double> &x) const
{
  for (const Joint &joint : rows.joints) {
    const auto found = kept_.find(keyOf(joint));
    if (found == kept_.end())
      continue;
    const Point here = place(rows, joint);
    const Point *nearest = nullptr;
    for (const Point &point : found->second.points)
      if (point.rows == joint.rows &&
          (!nearest || distance2(point.at, here.at) < distance2(nearest->at, here.at)))
        nearest = &point;
    for (int r = 0; nearest && r < joint.rows; r++)
      x[static_cast<std::size_t>(joint.first + r)] = nearest->x[static_cast<std::size_t>(r)];
  }
}

void Island::keep(const Rows &rows, const std::vector<double> &x)
{
  enum { LONG = 1000 }; /* solves after which two bodies that do not touch are forgotten */
  solves_++;
  for (const Joint &joint : rows.joints) {
    Kept &kept = kept_[keyOf(joint)];
    if (kept.solve != solves_)
      kept.points.clear();
    kept.solve = solves_;
    Point point = place(rows, joint);
    for (int r = 0; r < joint.rows; r++)
      point.x[static_cast<std::size_t>(r)] = x[static_cast<std::size_t>(joint.first + r)];
    kept.points.push_back(point);
  }
  if (solves_ % LONG == 0)
    for (auto at = kept_.begin(); at != kept_.end();)
      at = at->second.solve <= solves_ - LONG ? kept_.erase(at) : std::next(at);
}

} // namespace perp::ode
