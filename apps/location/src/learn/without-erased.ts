import { formatCell } from '@bearing/contracts/location/cell-identity'
import type { Coordinates } from '@bearing/positioning/sphere'
import type pg from 'pg'
import { readForgottenOf, type Forgotten, type Heard } from '../ground/tombstones.js'
import type { Part } from './evidence.js'
import type { Submission, Submitted } from './submission.js'

/**
 * Takes out of submissions what their organizations have to forget: neither learned nor stored again.
 *
 * @param client in a transaction that holds the locks of the layers
 */
export async function leaveOutForgotten(
  client: pg.ClientBase,
  submissions: readonly Submission[],
): Promise<readonly Submission[]> {
  const organizations = Map.groupBy(submissions.flat(), ({ organizationId }) => organizationId)
  const forgotten = new Map<string, Forgotten>()
  for (const [organization, submitted] of organizations) {
    const known = await readForgottenOf(client, organization, heardIn(submitted))
    if (!known.isEmpty) forgotten.set(organization, known)
  }
  if (forgotten.size === 0) return submissions
  return submissions.map((submission) =>
    submission.map((submitted): Submitted => {
      const known = forgotten.get(submitted.organizationId)
      if (!known) return submitted
      const { contribution } = submitted
      const { lat, lon } = contribution
      const readings = contribution.readings.filter(({ bssid }) => known.keeps(bssid, lat, lon))
      const cells = contribution.cells?.filter((cell) => known.keepsCell(cell, lat, lon))
      return { ...submitted, contribution: { ...contribution, readings, cells } }
    }),
  )
}

/** What was heard in observations, each once. */
export function heardIn(submitted: readonly Submitted[]): Heard {
  const cells = submitted.flatMap(({ contribution }) => contribution.cells ?? [])
  return {
    bssids: [
      ...new Set(submitted.flatMap(({ contribution }) => contribution.readings.map(({ bssid }) => bssid))),
    ],
    cells: [...new Map(cells.map((cell) => [formatCell(cell), cell])).values()],
  }
}

/**
 * What a layer may keep of what was heard at a place. What an organization has not forgotten may still be forgotten by the shared
 * layer, which the operator decides about.
 */
export function keptPart(part: Part, { lat, lon }: Coordinates, forgotten: Forgotten): Part {
  if (forgotten.isEmpty) return part
  return {
    ...part,
    statistics: new Map([...part.statistics].filter(([bssid]) => forgotten.keeps(bssid, lat, lon))),
    cells: part.cells.filter(({ cell }) => forgotten.keepsCell(cell, lat, lon)),
  }
}
