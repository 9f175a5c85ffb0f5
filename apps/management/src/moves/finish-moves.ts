import { moveDevicePositions } from '@bearing/contracts/location/device-position'
import type { NatsClient } from '@bearing/nats/client'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import type { Database } from '../ground/database.js'

/** A move of a device. */
export interface Move {
  readonly id: string
  readonly organizationId: string
  readonly projectId: string
  readonly toProjectId: string
  readonly serial: string
  readonly movedAt: Date
}

/** Chunks that one statement changes. */
const BATCH = 2_000
/** Unfinished moves that one run reads. */
const MOVES = 100
/** Moves are kept as long as data may be queued, in milliseconds: 30 days. */
const KEPT_MS = 30 * 24 * 3_600_000

/**
 * Lets the positions of moved devices follow, and the project in the rows of their chunks. Every step can be repeated, so any
 * number of processes may run it.
 */
export class FinishMoves extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly client: NatsClient,
    private readonly clock: Clock,
    logger: Logger,
    intervalMs: number,
  ) {
    super({
      intervalMs,
      run: () => this.run(),
      logger,
      failure: 'moves of devices cannot be finished; retrying',
    })
  }

  /** @throws if location or Postgres is unavailable */
  async finish(move: Move): Promise<void> {
    await this.client.call(moveDevicePositions, {
      organization_id: move.organizationId,
      project_id: move.projectId,
      to_project_id: move.toProjectId,
      device_serial: move.serial,
      until: move.movedAt.toISOString(),
    })
    await this.moveChunks(move)
    await this.database.deviceMove.updateMany({
      where: { id: move.id },
      data: { finishedAt: this.clock.now() },
    })
  }

  private async run(): Promise<void> {
    const moves = await this.database.deviceMove.findMany({
      where: { finishedAt: null },
      orderBy: { id: 'asc' },
      take: MOVES,
    })
    for (const move of moves) {
      if (this.isStopping) return
      await this.finish(move)
    }
    const before = new Date(this.clock.nowMs() - KEPT_MS)
    await this.database.deviceMove.deleteMany({
      where: { finishedAt: { not: null }, movedAt: { lt: before } },
    })
  }

  /** Changes the project of chunks, in their order. Readers find chunks by their device. */
  private async moveChunks({ projectId, toProjectId, serial }: Move): Promise<void> {
    // Where the device is by now: it may have moved on, or be deleted.
    const device = await this.database.device.findUnique({
      where: { projectId_serial: { projectId: toProjectId, serial } },
      select: { id: true },
    })
    if (!device) return
    let after = { stream: new Date(0), sequence: 0n, part: -1 }
    for (;;) {
      const rows = await this.database.$queryRaw<
        { id: string; stream: Date; sequence: bigint; part: number }[]
      >`
        SELECT id, stream_started_at AS stream, sequence, part FROM chunks
        WHERE device_id = ${device.id}::uuid
          AND (stream_started_at, sequence, part) > (${after.stream}::timestamptz, ${after.sequence}, ${after.part}::smallint)
        ORDER BY stream_started_at, sequence, part LIMIT ${BATCH}::integer`
      await this.database.$executeRaw`
        UPDATE chunks SET project_id = ${toProjectId}::uuid
        WHERE id = ANY (${rows.map(({ id }) => id)}::uuid[]) AND project_id = ${projectId}::uuid`
      const last = rows.at(-1)
      if (rows.length < BATCH || !last) return
      after = last
    }
  }
}
