import type { Contribution } from './contribution.js'
import { lessonOf, type Lesson } from './learn.js'

/** A scan, what it was compared with, and what it teaches. */
export interface Compared {
  readonly contribution: Contribution
  /** Undefined where nothing is known that it could be compared with. */
  readonly previous: Contribution | undefined
  readonly lesson: Lesson
}

/** Wrong positions of one device among scans that name none: no more than these, or than this share of them. */
const MOST_JUMPS = { number: 2, share: 0.1 }

/**
 * Compares each scan with the one before it of the same device. What cannot be true is compared with nothing. Scans that
 * name no device are of one, unless so many would be refused that they must be of several ({@link MOST_JUMPS}): then nothing
 * is compared.
 *
 * @param ordered in the order in which they were taken
 * @param last the device's last scan before these, where it is known
 * @param isNamed whether they say which device they are of
 * @param nowSeconds seconds since 1970
 */
export function compareTrack(
  ordered: readonly Contribution[],
  last: Contribution | undefined,
  isNamed: boolean,
  nowSeconds: number,
): Compared[] {
  let previous = last
  const compared = ordered.map((contribution): Compared => {
    const one = comparedWith(contribution, previous, nowSeconds)
    if (isPlausible(one.lesson)) previous = contribution
    return one
  })
  if (isNamed || !areOfSeveral(compared)) return compared
  return ordered.map((contribution) => comparedWith(contribution, undefined, nowSeconds))
}

/** Of what only repeats old readings the place and the time can be true: the next scan may repeat the same ones. */
export function isPlausible(lesson: Lesson): boolean {
  return lesson.accepted || lesson.reason === 'nothing_fresh'
}

function comparedWith(
  contribution: Contribution,
  previous: Contribution | undefined,
  nowSeconds: number,
): Compared {
  return { contribution, previous, lesson: lessonOf(contribution, previous, nowSeconds) }
}

/** Whether so much would be refused that they cannot be scans of one device, which now and then is where it cannot be. */
function areOfSeveral(compared: readonly Compared[]): boolean {
  const jumps = compared.filter(({ lesson }) => !lesson.accepted && lesson.reason === 'impossible_jump')
  return jumps.length > Math.max(MOST_JUMPS.number, MOST_JUMPS.share * compared.length)
}
