import { toCoordinates, toVector, type Coordinates, type Vector } from './sphere.js'

/**
 * A place as whole numbers: on which of the six faces of a cube around the Earth it lies, and where there. Cells that are
 * halved on both axes again and again are squares of these numbers without their lowest bits, everywhere on Earth, with
 * neither poles nor an antimeridian. Sums of whole numbers are exact, so what is learned does not depend on its order.
 *
 * The projection is S2's quadratic one (github.com/google/s2geometry, s2coords.h): edges of cells of one level differ by
 * less than a factor of 2 over the whole Earth.
 */
export interface QuadPlace {
  /** 0 to 5. */
  readonly face: number
  /** 0 to 2^30 − 1; one step is 5 to 10 mm. */
  readonly i: number
  readonly j: number
}

const STEPS = 2 ** 30

/** Returns the whole numbers nearest to a place. */
export function toQuadPlace(coordinates: Coordinates): QuadPlace {
  const { x, y, z } = toVector(coordinates)
  const axes = [x, y, z] as const
  const main =
    Math.abs(x) >= Math.abs(y) && Math.abs(x) >= Math.abs(z) ? 0 : Math.abs(y) >= Math.abs(z) ? 1 : 2
  const depth = axes[main]
  const u = axes[NEXT[main]] / Math.abs(depth)
  const v = axes[NEXT[NEXT[main]]] / Math.abs(depth)
  return { face: main + (depth < 0 ? 3 : 0), i: toSteps(u), j: toSteps(v) }
}

/** The axis after the x, y and z axis. */
const NEXT = [1, 2, 0] as const

/** Returns the place, as a vector that ends on the sphere. `i` and `j` may have fractions. */
export function fromQuadPlace({ face, i, j }: QuadPlace): Vector {
  const depth = face < 3 ? 1 : -1
  const u = fromSteps(i)
  const v = fromSteps(j)
  const main = face % 3
  const [x, y, z] = main === 0 ? [depth, u, v] : main === 1 ? [v, depth, u] : [u, v, depth]
  return toVector(toCoordinates({ x, y, z }))
}

function toSteps(u: number): number {
  const share = u >= 0 ? 0.5 * Math.sqrt(1 + 3 * u) : 1 - 0.5 * Math.sqrt(1 - 3 * u)
  return Math.min(STEPS - 1, Math.max(0, Math.floor(share * STEPS)))
}

function fromSteps(steps: number): number {
  const share = steps / STEPS
  return share >= 0.5 ? (4 * share * share - 1) / 3 : (1 - 4 * (1 - share) ** 2) / 3
}
