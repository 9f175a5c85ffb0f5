import { encodeReadings } from '@bearing/positioning/learning/evidence/contribution-codec'
import type { Reading } from '@bearing/positioning/learning/evidence/contribution'
import { cellKey } from '@bearing/positioning/learning/statistics/layer-of-cells'
import {
  selectReferences,
  type CandidateReference,
} from '@bearing/positioning/learning/evidence/reference-selection'
import type { Height } from '@bearing/positioning/earth/height'
import { toQuadPlace } from '@bearing/positioning/earth/quad-cell'
import type pg from 'pg'
import { packBytes } from '../ground/packed-bytes.js'
import { readRows, type RowOf } from '../ground/read-rows.js'
import { heightText } from './stored-observations.js'

/** A scan that may become one of the reference scans of its project. */
export interface OfferedScan extends CandidateReference {
  readonly projectId: string
  readonly organizationId: string
  /** Time at which the observation came. */
  readonly receivedAt: Date
  /** Each address once. */
  readonly readings: readonly Reading[]
  readonly height?: Height | undefined
}

/** Stored reference scans of cells; a reading has seven bytes. */
const KEPT = {
  name: 'kept-references',
  text: `
    SELECT scan.project_id, scan.cell, scan.id, at_seconds, lat, lon, accuracy, length(readings) / 7 AS heard
    FROM unnest($1::uuid[], $2::bigint[]) AS asked (project_id, cell) JOIN reference_scans AS scan USING (project_id, cell)`,
  columns: {
    project_id: 'uuid',
    cell: 'int8',
    id: 'uuid',
    at_seconds: 'float8',
    lat: 'float8',
    lon: 'float8',
    accuracy: 'float8',
    heard: 'int4',
  },
} as const
type Row = RowOf<typeof KEPT.columns>

const DROP = `
  DELETE FROM reference_scans AS scan USING unnest($1::uuid[], $2::bigint[], $3::uuid[]) AS dropped (project_id, cell, id)
  WHERE scan.project_id = dropped.project_id AND scan.cell = dropped.cell AND scan.id = dropped.id`

const KEEP = `
  INSERT INTO reference_scans (project_id, cell, id, organization_id, at_seconds, lat, lon, accuracy, received_at, readings, height)
  SELECT project_id, cell, id, organization_id, at_seconds, lat, lon, accuracy, received_at, substr($1::bytea, start, length),
    height::jsonb
  FROM unnest($2::uuid[], $3::bigint[], $4::uuid[], $5::uuid[], $6::float8[], $7::float8[], $8::float8[], $9::float8[],
    $10::timestamptz[], $11::int[], $12::int[], $13::text[])
    AS given (project_id, cell, id, organization_id, at_seconds, lat, lon, accuracy, received_at, start, length, height)`

/**
 * Keeps of scans those that their projects compare others with, and drops those that they replace: what is kept is what
 * `selectReferences` would choose of all scans that were ever offered.
 *
 * @param client in a transaction that takes no more locks after this but those of radio cells
 * @returns the projects whose reference scans have changed, with their organizations
 */
export async function keepReferences(
  client: pg.ClientBase,
  offered: readonly OfferedScan[],
): Promise<Map<string, string>> {
  const chosen = [...Map.groupBy(offered, ({ projectId }) => projectId).values()].flatMap((scans) =>
    selectReferences(scans),
  )
  if (chosen.length === 0) return new Map()
  const organizations = new Map(chosen.map(({ projectId, organizationId }) => [projectId, organizationId]))
  const projects = [...organizations.keys()].sort()
  await lockProjects(client, projects, organizations)
  const kept = await keptOf(client, chosen)
  const changed = new Set<string>()
  const drop: Row[] = []
  const keep: OfferedScan[] = []
  for (const projectId of projects) {
    const old = kept.filter((row) => row.project_id === projectId)
    const fresh = chosen.filter((scan) => scan.projectId === projectId)
    const selected = new Set(selectReferences([...old.map(candidateOf), ...fresh]).map(({ id }) => id))
    drop.push(...old.filter(({ id }) => !selected.has(id)))
    const added = fresh.filter(({ id }) => selected.has(id) && !old.some((known) => known.id === id))
    keep.push(...added)
    if (added.length > 0) changed.add(projectId)
  }
  await write(client, drop, keep)
  await client.query('UPDATE reference_sets SET version = version + 1 WHERE project_id = ANY ($1::uuid[])', [
    [...changed],
  ])
  return new Map([...organizations].filter(([projectId]) => changed.has(projectId)))
}

/** In the order of projects: nothing can deadlock. */
async function lockProjects(
  client: pg.ClientBase,
  projects: readonly string[],
  organizations: ReadonlyMap<string, string>,
): Promise<void> {
  await client.query(
    `INSERT INTO reference_sets AS known (project_id, organization_id, version)
     SELECT project, organization, 0 FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS given (project, organization, number)
     ORDER BY number
     ON CONFLICT (project_id) DO UPDATE SET version = known.version WHERE false`,
    [projects, projects.map((project) => organizations.get(project))],
  )
}

function keptOf(client: pg.ClientBase, chosen: readonly OfferedScan[]): Promise<Row[]> {
  const cells = new Map(chosen.map((scan) => [`${scan.projectId} ${String(cellOf(scan))}`, scan]))
  const scans = [...cells.values()]
  return readRows(client, KEPT, [scans.map(({ projectId }) => projectId), scans.map(cellOf)])
}

async function write(
  client: pg.ClientBase,
  drop: readonly Row[],
  keep: readonly OfferedScan[],
): Promise<void> {
  if (drop.length > 0)
    await client.query(DROP, [
      drop.map((row) => row.project_id),
      drop.map(({ cell }) => cell),
      drop.map(({ id }) => id),
    ])
  if (keep.length === 0) return
  const { bytes, starts, lengths } = packBytes(keep.map(({ readings }) => encodeReadings(readings)))
  await client.query(KEEP, [
    bytes,
    keep.map(({ projectId }) => projectId),
    keep.map(cellOf),
    keep.map(({ id }) => id),
    keep.map(({ organizationId }) => organizationId),
    keep.map(({ atSeconds }) => atSeconds),
    keep.map(({ lat }) => lat),
    keep.map(({ lon }) => lon),
    keep.map(({ accuracyMeters }) => accuracyMeters),
    keep.map(({ receivedAt }) => receivedAt),
    starts,
    lengths,
    keep.map(heightText),
  ])
}

function cellOf(scan: CandidateReference): number {
  return cellKey(toQuadPlace(scan), 0)
}

function candidateOf({ at_seconds, accuracy, ...row }: Row): CandidateReference {
  return { ...row, atSeconds: at_seconds, accuracyMeters: accuracy }
}
