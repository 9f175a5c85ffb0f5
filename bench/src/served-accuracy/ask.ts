import { ProblemError } from '@bearing/client/errors'
import type { TestOrganization } from '@bearing/testing/factories'
import { distanceMeters } from '../location-accuracy/flat.js'
import { isEligible } from '../location-accuracy/judge.js'
import { previousScansOf } from '../location-accuracy/previous-scans.js'
import type { TrueScan } from '../location-accuracy/scan-set.js'
import { sentFrom } from './contribute.js'

const CONCURRENCY = 16
/** What an answer without a position says: that too little is known, or that too little is left without old readings. */
const NOT_FOUND: ReadonlySet<string> = new Set(['location_not_found', 'too_few_access_points'])

/** How far off a fix was, in meters, and whether the radii held the truth. */
export interface Fix {
  readonly errorMeters: number
  readonly held68: boolean
  readonly held95: boolean
  /** The same if the device sends its previous scans; undefined if no scans follow each other. */
  readonly followedErrorMeters: number | undefined
}

/** What came of the scans that were asked for. */
export interface Asked {
  readonly scans: number
  readonly fixes: readonly Fix[]
}

/** Asks for scans through the gateway, each with both radii, and once more with its previous scans if it has some. */
export async function ask(
  organization: TestOrganization,
  scans: readonly TrueScan[],
  isTracked: boolean,
): Promise<Asked> {
  const previous: Previous = isTracked ? previousScansOf(scans) : new Map()
  const eligible = scans.filter(isEligible)
  const fixes: Fix[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let scan = eligible[next++]; scan; scan = eligible[next++]) {
        const fix = await fixOf(organization, scan, previous.get(scan))
        if (fix) fixes.push(fix)
      }
    }),
  )
  return { scans: eligible.length, fixes }
}

type Previous = ReturnType<typeof previousScansOf>

async function fixOf(
  organization: TestOrganization,
  scan: TrueScan,
  previous: ReturnType<Previous['get']>,
): Promise<Fix | undefined> {
  const [one, other] = [await located(organization, scan, 68), await located(organization, scan, 95)]
  if (!one || !other) return undefined
  const errorMeters = distanceMeters(one, scan)
  const followed = previous && (await located(organization, scan, 68, previous))
  return {
    errorMeters,
    held68: errorMeters <= one.uncertainty,
    held95: errorMeters <= other.uncertainty,
    followedErrorMeters: followed ? distanceMeters(followed, scan) : undefined,
  }
}

async function located(
  { slug, project, token }: TestOrganization,
  scan: TrueScan,
  confidence: number,
  previous: NonNullable<ReturnType<Previous['get']>> = [],
) {
  try {
    return await token.client.call('resolveWifiLocation', {
      ...{ organization: slug, project: project.slug, confidence },
      accessPoints: sentFrom(scan.accessPoints),
      previousScans: previous.map((before) => ({
        age: before.ageMs,
        accessPoints: sentFrom(before.scan.accessPoints),
      })),
    })
  } catch (error) {
    if (error instanceof ProblemError && NOT_FOUND.has(error.code)) return undefined
    throw error
  }
}
