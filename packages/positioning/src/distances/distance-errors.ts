/**
 * Errors of distances, in meters. In sight they differ from place to place by 1 to 2 m, which is more than from one measurement to
 * the next (Ibrahim et al., MobiCom 2018; Horn, Sensors 20(14) 4027, 2020). Distances through walls or around corners are too long, by
 * several meters where much is in the way (arXiv 2511.17935, 2025: 5 m). The last two are a device that is not calibrated, and a list that
 * was not surveyed: such distances are not used. The distances themselves decide between these kinds.
 */
export const SURROUNDINGS = [
  { probability: 0.61, inSight: 1.2, detour: 2.25, detours: 0.12, isInSight: true, areUsed: true },
  { probability: 0.23, inSight: 1.6, detour: 4, detours: 0.7, isInSight: false, areUsed: true },
  { probability: 0.13, inSight: 3, detour: 8, detours: 0.8, isInSight: false, areUsed: false },
  { probability: 0.03, inSight: 12, detour: 6, detours: 0.5, isInSight: false, areUsed: false },
] as const
export type Surroundings = (typeof SURROUNDINGS)[number]

/** Probability that a distance says nothing, because the access point was moved. Then it is anything up to 50 m. */
const [NONSENSE, NONSENSE_METERS] = [0.08, 50] as const
/** Probability of any distance that says nothing, for each meter. */
export const ANYTHING = NONSENSE / NONSENSE_METERS

const ROOT_OF_TWO_PI = Math.sqrt(2 * Math.PI)
/** Powers of the bell and of the tail. */
const [BELL, TAIL] = [8, 4]

/**
 * Error of a distance that says something, in one kind of surroundings: a bell (Student's t) for distances in sight, and a tail
 * (Lomax) for those that are too long. Both fall off slower than normal and exponential distributions and are computed without exponentials,
 * which would take most of the time.
 */
export class Errors {
  private readonly bell: number
  private readonly narrowness: number
  private readonly tail: number
  private readonly steepness: number

  /** @param squareMeters variance that comes to that of distances in sight */
  constructor({ inSight, detour, detours }: Surroundings, squareMeters: number) {
    const variance = inSight ** 2 + squareMeters
    const deviation = Math.sqrt(variance)
    this.narrowness = 0.5 / (BELL * variance)
    this.steepness = 1 / (TAIL * detour)
    this.bell = ((1 - NONSENSE) * (1 - detours)) / (ROOT_OF_TWO_PI * deviation)
    this.tail = ((1 - NONSENSE) * detours) / (detour + (ROOT_OF_TWO_PI / 2) * deviation)
  }

  /** Returns how probable it is that the distance is too long by so much, for each meter. */
  density(meters: number): number {
    let bell = 1 / (1 + meters * meters * this.narrowness)
    bell *= bell
    bell *= bell
    bell *= bell
    if (meters <= 0) return (this.bell + this.tail) * bell
    let tail = 1 / (1 + meters * this.steepness)
    tail *= tail
    tail *= tail
    return this.bell * bell + this.tail * tail
  }
}
