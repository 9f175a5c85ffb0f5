import { fromQuadPlace } from '../../earth/quad-cell.js'
import { squaredDistance, type Vector } from '../../earth/sphere.js'
import { cornerOf, edgeSteps, type Layer } from './layer-of-cells.js'
import { MOST_STEP_METERS, type Site, type Sites } from './sites.js'
import { HALF_LIFE_DAYS, WHOLE_WEIGHT, type AccessPointStatistics } from './statistics.js'

/** Present place of an access point, and the probability that it does not stay there. */
export interface Home {
  readonly place: Vector
  /** Distance beyond which a place belongs to another home, in meters. */
  readonly radiusMeters: number
  /** Probability that it moves, or is elsewhere by now, 0 to 1. */
  readonly moving: number
}

/** One access point is heard within a few hundred meters. */
const HEARD_METERS = 600
/** Larger than any neighborhood: what is known by squares of this size was not heard from one place, whatever the days say. */
const MOST_HOME_METERS = 5_000
/** Before anything is observed one in twenty access points moves; this counts as two observations. */
const PRIOR = { moving: 0.1, observations: 2 } as const
/** Highest probability that a whole observation of one day is wrong: so often a device may be where it cannot be (`compareTrack`). */
const WRONG = 0.1

interface PlacedSite extends Site {
  readonly place: Vector
}

/** A home as far as sites say. */
interface Settled {
  readonly center: PlacedSite
  readonly near: readonly PlacedSite[]
  /** Probability that it is elsewhere. */
  readonly away: number
}

/**
 * Returns the home of an access point: the place where it was heard last, if everything elsewhere ended before that began, and if that
 * is more probable than that it was heard there by mistake ({@link movedThere}); else the place where it was heard before, or where it
 * was heard most since it was heard by turns. P(moving) is the mean of the beta distribution of contradicting and all observations; of them
 * those contradict that were heard elsewhere in between, or the share by which it is probable that it is elsewhere.
 *
 * An access point that was heard in so many places that its sites are too large to be one has its home where most of its weight, aged as it
 * is, lies within 600 m: it was carried about long ago.
 *
 * @returns undefined where there are no sites
 */
export function homeOf({ bands, sites }: AccessPointStatistics): Home | undefined {
  // A coarse site is larger than what is heard from one spot.
  const radiusMeters = Math.max(HEARD_METERS, edgeSteps(sites.level) * MOST_STEP_METERS * 2)
  const isScattered = radiusMeters > MOST_HOME_METERS
  const home = isScattered ? homeAmong(bands) : undefined
  if (home) return home
  const settled = settledAmong(placed(sites), radiusMeters)
  if (!settled) return undefined
  const moving = isScattered ? 1 : movingOf(settled.away, weightOf(sites.sites))
  return { place: settled.center.place, radiusMeters, moving }
}

function movingOf(away: number, weight: number): number {
  const all = weight / WHOLE_WEIGHT
  return (away * all + PRIOR.moving) / (all + PRIOR.observations)
}

function settledAmong(sites: readonly PlacedSite[], radiusMeters: number): Settled | undefined {
  const groups = sites
    .map((center) => {
      const near = sites.filter((one) => squaredDistance(one.place, center.place) <= radiusMeters ** 2)
      const far = sites.filter((one) => !near.includes(one))
      return { center, near, far, away: shareElsewhere(near, far) }
    })
    .sort((a, b) => a.away - b.away || weightOf(b.near) - weightOf(a.near) || a.center.key - b.center.key)
  const latest = groups.find(({ near, far }) => isAfter(near, far)) ?? groups[0]
  if (!latest) return undefined
  const { center, near, far, away } = latest
  const before = isAfter(near, far) ? settledAmong(far, radiusMeters) : undefined
  if (!before) return { center, near, away }
  const moved = movedThere(near, before.near, lastDayOf(near) - lastDayOf(far))
  if (moved > 0.5) return { center, near, away: 1 - moved }
  return { ...before, away: 1 - (1 - before.away) * (1 - moved) }
}

/**
 * Returns the share of what was heard elsewhere since it was heard at both: what was heard at one of them alone before says nothing about
 * where it is. Of each site that much of its weight counts as of its days, since how much was heard when is not known: so one
 * observation at a former home soon after it was left does not make that its home again.
 */
function shareElsewhere(near: readonly Site[], far: readonly Site[]): number {
  const since = Math.max(firstDayOf(near), firstDayOf(far))
  const [here, elsewhere] = [weightSince(near, since), weightSince(far, since)]
  // Nothing was heard here since: it was left.
  return elsewhere === 0 ? 0 : elsewhere / (here + elsewhere)
}

function weightSince(sites: readonly Site[], day: number): number {
  return sites.reduce((sum, { weight, firstDay, lastDay }) => {
    const days = Math.max(0, 1 + lastDay - Math.max(firstDay, day))
    return sum + (weight * days) / (1 + lastDay - firstDay)
  }, 0)
}

/** Returns whether everything far ended before what is near began, or on that day: it may have been moved within a day. */
function isAfter(near: readonly Site[], far: readonly Site[]): boolean {
  const ended = lastDayOf(far)
  return ended <= firstDayOf(near) && ended < lastDayOf(near)
}

/**
 * P(it is now where it was heard last), by Bayes' rule: it was moved, or what was heard before is wrong, against: what was
 * heard last is wrong.
 *
 * A move is as probable as the prior, and as that observations that old are out of date: they count half after a
 * half-life. That observations of one place are all wrong is {@link WRONG} to the power of how many there are, but no more
 * than one a day: those of one day may be of one device that is mistaken. So where a place is well known another one needs
 * 1.3 whole observations on two days; or one where nothing was heard at the first for a month, or an eighth of one where
 * nothing was for two years.
 *
 * @param silentDays since it was heard anywhere else
 */
function movedThere(last: readonly Site[], before: readonly Site[], silentDays: number): number {
  const stays = (1 - PRIOR.moving / PRIOR.observations) * 2 ** (-silentDays / HALF_LIFE_DAYS)
  const isThere = 1 - stays + WRONG ** occasionsOf(before)
  return isThere / (isThere + WRONG ** occasionsOf(last))
}

function occasionsOf(sites: readonly Site[]): number {
  return Math.min(weightOf(sites) / WHOLE_WEIGHT, 1 + lastDayOf(sites) - firstDayOf(sites))
}

function weightOf(some: readonly { readonly weight: number }[]): number {
  return some.reduce((sum, { weight }) => sum + weight, 0)
}

function firstDayOf(sites: readonly Site[]): number {
  return sites.reduce((first, { firstDay }) => Math.min(first, firstDay), Infinity)
}

function lastDayOf(sites: readonly Site[]): number {
  return sites.reduce((last, { lastDay }) => Math.max(last, lastDay), -Infinity)
}

/** Returns the home of the finest band in which most of the weight is in one place. */
function homeAmong(bands: readonly Layer[]): Home | undefined {
  const isCoarse = bands.some(
    ({ level, cells }) => cells.length > 0 && 2 * edgeSteps(level) * MOST_STEP_METERS > HEARD_METERS,
  )
  if (isCoarse) return undefined
  const cells = bands.flatMap(({ level, cells }) =>
    cells.map(({ key, weight, i, j }) => {
      const corner = cornerOf(key, level)
      const place = { face: corner.face, i: corner.i + i / weight, j: corner.j + j / weight }
      return { weight, place: fromQuadPlace(place) }
    }),
  )
  const all = weightOf(cells)
  for (const { place } of cells) {
    const near = weightOf(cells.filter((one) => squaredDistance(one.place, place) <= HEARD_METERS ** 2))
    if (near > all / 2) return { place, radiusMeters: HEARD_METERS, moving: movingOf(1 - near / all, all) }
  }
  return undefined
}

function placed({ level, sites }: Sites): PlacedSite[] {
  const half = edgeSteps(level) / 2
  return sites.map((site) => {
    const { face, i, j } = cornerOf(site.key, level)
    return { ...site, place: fromQuadPlace({ face, i: i + half, j: j + half }) }
  })
}
