import { invalidInput, type OperationError } from '@bearing/contracts/errors'
import {
  exportObservations,
  type ExportedObservation,
} from '@bearing/contracts/location/observations/exported-observation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit-log.js'
import { Clock } from '@bearing/service/ground/clock'
import { Database, Pools } from '../../ground/database.js'
import { inTurns } from '../../ground/in-turns.js'
import { observationLine } from './observation-line.js'
import { readStored, type Place, type StoredPart } from './stored-part.js'

/** Bytes of one page, about: few enough that look-ups wait for a few milliseconds at most. */
const PART_BYTES = 256 * 1_024
/** Time for which an export can continue, in milliseconds: a day. */
const LONGEST_MS = 86_400_000

/** Position of an export: its audit event, and the last observation that was read. */
interface Cursor {
  readonly entry: string
  readonly after: Place
}

/** Exports the observations of a project, page by page. They say where devices were, so every export is an audit event. */
@Controller()
export class ExportObservations {
  constructor(
    private readonly database: Database,
    private readonly pools: Pools,
    private readonly clock: Clock,
  ) {}

  @Handle(exportObservations)
  async execute(
    input: Input<typeof exportObservations>,
    by: Principal,
  ): Promise<Output<typeof exportObservations>> {
    const begun = input.cursor === undefined ? undefined : readCursor(input.cursor)
    const entry = begun ? await this.findEntry(input, begun.entry, by) : await this.writeEntry(input, by)
    const stored = await readStored(
      { database: this.database, pool: this.pools.main },
      input,
      begun?.after,
      this.clock.now(),
    )
    const { data, last } = await inTurns(linesOf(stored))
    return { data, next: last && writeCursor({ entry, after: last }) }
  }

  private async writeEntry(input: Input<typeof exportObservations>, by: Principal): Promise<string> {
    return this.database.transaction((transaction) =>
      Promise.resolve(
        recordAudit(transaction, by, {
          action: 'observations.exported',
          target: ['project', input.project_id],
          organizationId: input.organization_id,
        }),
      ),
    )
  }

  /** A cursor is valid only for an export that the same credential began for the same project within a day. */
  private async findEntry(
    { organization_id: organizationId, project_id }: Input<typeof exportObservations>,
    id: string,
    by: Principal,
  ): Promise<string> {
    const found = await this.database.auditEntry.findFirst({
      where: {
        ...{ id, organizationId, action: 'observations.exported', target: `project:${project_id}` },
        actorCredentialId: 'credential_id' in by ? by.credential_id : null,
        at: { gt: new Date(this.clock.nowMs() - LONGEST_MS) },
      },
      select: { id: true },
    })
    if (!found) throw notACursor()
    return found.id
  }
}

/** Lines up to the size of a part. */
function* linesOf({
  rows,
  tombstones,
  isLast,
}: StoredPart): Generator<void, { data: ExportedObservation[]; last: Place | null }, undefined> {
  const data: ExportedObservation[] = []
  let bytes = 0
  for (const row of rows) {
    const line = row.contribution && observationLine(row.id, row.contribution, tombstones)
    if (line) {
      data.push(line)
      bytes += JSON.stringify(line).length + 1
    }
    if (bytes > PART_BYTES) return { data, last: row }
    yield
  }
  return { data, last: isLast ? null : (rows.at(-1) ?? null) }
}

function writeCursor({ entry, after }: Cursor): string {
  return [entry, after.receivedAt.getTime(), after.id].join('.')
}

function readCursor(text: string): Cursor {
  const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
  const [, entry, receivedAt, id] = new RegExp(`^(${uuid})\\.(\\d{1,13})\\.(${uuid})$`).exec(text) ?? []
  if (entry === undefined || receivedAt === undefined || id === undefined) throw notACursor()
  return { entry, after: { receivedAt: new Date(Number(receivedAt)), id } }
}

function notACursor(): OperationError {
  return invalidInput('/cursor', 'must be the `next` of the previous reply')
}
