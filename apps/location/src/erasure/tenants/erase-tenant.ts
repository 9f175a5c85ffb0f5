import { eraseTenantLocation } from '@bearing/contracts/location/settings/tenant'
import type { Input, Output } from '@bearing/contracts/operation'
import { OBSERVATION_STREAM, OBSERVATION_DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { Connection } from '@bearing/nats/connection'
import { Handle } from '@bearing/nats/handle'
import { StoredStream } from '@bearing/nats/stored-stream'
import { Clock } from '@bearing/service/ground/clock'
import { eraseRows, type Erased } from '@bearing/service/store/erase-rows'
import { Controller } from '@nestjs/common'
import { Pools } from '../../ground/database.js'
import { takeLayer } from '../../ground/locks.js'
import { readRows } from '../../ground/read-rows.js'
import { OF_ORGANIZATION, OF_PROJECT } from './erased-tables.js'
import { scanTables } from './scan-tables.js'

/** Time for deleting the rows of one call, in milliseconds, and then again for reading tables. */
const BUDGET_MS = 4_000
/** Dead letters that one call deletes. */
const DEAD_LETTERS = 500

/** Erases one batch of what location has of an organization or a project. */
@Controller()
export class EraseTenant {
  private readonly queue: StoredStream
  private readonly deadLetters: StoredStream

  constructor(
    private readonly pools: Pools,
    private readonly clock: Clock,
    connection: Connection,
  ) {
    this.queue = new StoredStream(connection, OBSERVATION_STREAM)
    this.deadLetters = new StoredStream(connection, OBSERVATION_DEAD_LETTER_STREAM)
  }

  @Handle(eraseTenantLocation)
  async execute(input: Input<typeof eraseTenantLocation>): Promise<Output<typeof eraseTenantLocation>> {
    const { organization_id: organizationId, project_id: projectId } = input
    await this.writeTombstone(organizationId, projectId ?? WHOLE_ORGANIZATION)
    const rows = await eraseRows(
      (text, values) => readRows(this.pools.main, { text, columns: { count: 'int4' } }, values),
      projectId === null ? OF_ORGANIZATION : OF_PROJECT,
      [organizationId, projectId === null ? [] : [projectId]],
      BUDGET_MS,
    )
    const messages = await this.eraseMessages(organizationId, projectId ?? '*')
    const first = { erased: rows.erased + messages.erased, remaining: rows.remaining + messages.remaining }
    // Imports that are being committed write to the tables that are read once.
    if (projectId !== null || first.remaining > 0) return first
    const scanned = await scanTables(this.pools, organizationId, BUDGET_MS)
    return { erased: first.erased + scanned.erased, remaining: scanned.remaining }
  }

  /** Waits for learning under way; later learning sees the tombstone. */
  private async writeTombstone(organizationId: string, projectId: string): Promise<void> {
    const id = [organizationId, projectId]
    const known = 'SELECT FROM erased_tenants WHERE organization_id = $1 AND project_id = $2'
    if ((await this.pools.main.query(known, id)).rowCount) return
    const client = await this.pools.commit.connect()
    try {
      await client.query('BEGIN')
      await takeLayer(client, organizationId)
      await client.query(
        `INSERT INTO erased_tenants (organization_id, project_id, erased_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
        [...id, this.clock.now()],
      )
      await client.query('COMMIT')
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /** Queued observations are discarded by their consumer; here they are counted. */
  private async eraseMessages(organizationId: string, project: string): Promise<Erased> {
    const subjectOf = ({ subject }: { readonly subject: string }) => `${subject}.${organizationId}.${project}`
    let erased = 0
    for (let next = 1; erased < DEAD_LETTERS; erased++) {
      const letter = await this.deadLetters.from(next, subjectOf(OBSERVATION_DEAD_LETTER_STREAM))
      if (!letter) break
      await this.deadLetters.delete(letter.number)
      next = letter.number + 1
    }
    const left =
      (await this.queue.count(subjectOf(OBSERVATION_STREAM))) +
      (await this.deadLetters.count(subjectOf(OBSERVATION_DEAD_LETTER_STREAM)))
    return { erased, remaining: left }
  }
}
