import { ProblemError } from '@bearing/client/errors'
import type { TestOrganization } from '@bearing/testing/factories'
import { distanceMeters } from '../location-accuracy/flat.js'
import { isEligible } from '../location-accuracy/judge.js'
import type { TrueScan } from '../location-accuracy/scan-set.js'
import { sentFrom } from './contribute.js'

const CONCURRENCY = 16

/** How far off a fix was, in meters, and whether the radii held the truth. */
export interface Fix {
  readonly errorMeters: number
  readonly held68: boolean
  readonly held95: boolean
}

/** What came of the scans that were asked for. */
export interface Asked {
  readonly scans: number
  readonly fixes: readonly Fix[]
}

/** Asks for scans through the gateway, each with both radii. */
export async function ask(organization: TestOrganization, scans: readonly TrueScan[]): Promise<Asked> {
  const eligible = scans.filter(isEligible)
  const fixes: Fix[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let scan = eligible[next++]; scan; scan = eligible[next++]) {
        const fix = await fixOf(organization, scan)
        if (fix) fixes.push(fix)
      }
    }),
  )
  return { scans: eligible.length, fixes }
}

async function fixOf(organization: TestOrganization, scan: TrueScan): Promise<Fix | undefined> {
  const [one, other] = [await located(organization, scan, 68), await located(organization, scan, 95)]
  if (!one || !other) return undefined
  const errorMeters = distanceMeters(one, scan)
  return { errorMeters, held68: errorMeters <= one.uncertainty, held95: errorMeters <= other.uncertainty }
}

async function located({ slug, project, token }: TestOrganization, scan: TrueScan, confidence: number) {
  try {
    return await token.client.call('resolveWifiLocation', {
      ...{ organization: slug, project: project.slug, confidence },
      accessPoints: sentFrom(scan.accessPoints),
    })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'location_not_found') return undefined
    throw error
  }
}
