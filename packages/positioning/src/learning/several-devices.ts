import type { Lesson } from './learn.js'

/** Wrong positions of one device among scans that name none: no more than these, or than this share of them. */
const MOST_JUMPS = { number: 2, share: 0.1 }

/**
 * Whether scans that say nothing of who heard them are of several devices: so many would be refused because nothing
 * travels that fast from the one before them. One device now and then is where it cannot be.
 *
 * @param lessons of all of them, each compared with the one before it
 */
export function areOfSeveral(lessons: readonly Lesson[]): boolean {
  const jumps = lessons.filter((lesson) => !lesson.accepted && lesson.reason === 'impossible_jump')
  return jumps.length > Math.max(MOST_JUMPS.number, MOST_JUMPS.share * lessons.length)
}
