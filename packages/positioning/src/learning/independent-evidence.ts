import { toQuadPlace, type QuadPlace } from '../earth/quad-cell.js'
import type { Coordinates } from '../earth/sphere.js'
import { ACCESS_POINT_BOUNDS, RADIO_CELL_BOUNDS, type Contributors } from './contributors.js'
import { cornerOf, edgeSteps, parentKey } from './layer-of-cells.js'
import { MOST_STEP_METERS } from './sites.js'

/**
 * Returns the group of a contributor: organizations of one group have a creator or an admin in common. Undefined for
 * contributors that do not count for the caller: those of the asking organization's group, those that may no longer
 * contribute, and those whose group is unknown.
 */
export type GroupOf = (organization: string) => string | undefined

/** Independent groups that must have contributed to a record of the shared layer before others receive it. */
export const LEAST_GROUPS = 2
/**
 * A contribution agrees with the place of an access point if its square has a part within 250 m of it, on each axis. In steps, which
 * takes a tenth of the time; where steps are short it is half of that. Places beside the border of a cube's face lose some evidence.
 */
const AGREEING_STEPS = 250 / MOST_STEP_METERS

/** Returns whether enough organizations contributed that {@link hasIndependentEvidence} can hold for anybody. */
export function hasEnoughContributors(contributors: Contributors): boolean {
  return contributors.length >= LEAST_GROUPS
}

/**
 * Returns whether at least two independent groups, besides that of the asking organization, contributed an access point near the
 * place where the shared layer has it. An organization that contributes an address somewhere else, to be counted, is not counted.
 */
export function hasIndependentEvidence(
  contributors: Contributors,
  place: Coordinates,
  groupOf: GroupOf,
): boolean {
  const groups = new Set<string>()
  const at = toQuadPlace(place)
  for (const { organization, squares } of contributors) {
    const group = groupOf(organization)
    if (group === undefined || groups.has(group)) continue
    if (squares.some((key) => isNear(key, at))) groups.add(group)
  }
  return groups.size >= LEAST_GROUPS
}

function isNear(key: number, { face, i, j }: QuadPlace): boolean {
  const corner = cornerOf(key, ACCESS_POINT_BOUNDS.level)
  const half = edgeSteps(ACCESS_POINT_BOUNDS.level) / 2
  const reach = half + AGREEING_STEPS
  return (
    corner.face === face && Math.abs(corner.i + half - i) <= reach && Math.abs(corner.j + half - j) <= reach
  )
}

/**
 * Returns whether a radio cell was contributed in enough squares by at least two independent groups: enough have to remain
 * whichever single group is left out, so that no group can compute where another one was by subtracting its own part.
 *
 * @param isCounted whether a square belongs to the part of the cell that others receive
 * @param least squares that have to remain
 */
export function hasIndependentSquares(
  contributors: Contributors,
  isCounted: (key: number, level: number) => boolean,
  groupOf: GroupOf,
  least: number,
): boolean {
  const byGroup = new Map<string, Set<number>>()
  for (const { organization, squares } of contributors) {
    const group = groupOf(organization)
    if (group === undefined) continue
    const known = byGroup.get(group) ?? new Set<number>()
    for (const key of squares) if (isCounted(key, RADIO_CELL_BOUNDS.level)) known.add(key)
    byGroup.set(group, known)
  }
  return (
    byGroup.size >= LEAST_GROUPS &&
    [...byGroup.keys()].every((left) => squaresWithout(byGroup, left).size >= least)
  )
}

function squaresWithout(
  byGroup: ReadonlyMap<string, ReadonlySet<number>>,
  left: string,
): ReadonlySet<number> {
  return new Set([...byGroup].flatMap(([group, own]) => (group === left ? [] : [...own])))
}

/** Returns the key of the square of another level that a square lies in. */
export function raisedKey(key: number, from: number, to: number): number {
  let raised = key
  for (let level = from; level < to; level++) raised = parentKey(raised, level)
  return raised
}

/** Returns the groups of organizations that share a person, by organization. */
export function groupsOf(people: ReadonlyMap<string, readonly string[]>): Map<string, string> {
  const leaders = new Map<string, string>()
  const leaderOf = (organization: string): string => {
    let leader = organization
    for (let next = leaders.get(leader); next !== undefined && next !== leader; next = leaders.get(leader))
      leader = next
    return leader
  }
  const first = new Map<string, string>()
  for (const [organization, persons] of people) {
    leaders.set(organization, organization)
    for (const person of persons) {
      const other = first.get(person)
      if (other === undefined) first.set(person, organization)
      else leaders.set(leaderOf(organization), leaderOf(other))
    }
  }
  return new Map([...people.keys()].map((organization) => [organization, leaderOf(organization)]))
}
