import { DAY_MS } from '@bearing/contracts/durations'
import { eraseDevicePositions, moveDevicePositions } from '@bearing/contracts/location/device-position'
import type { NatsClient } from '@bearing/nats/client'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import type { Prisma } from '../generated/prisma/client.js'
import type { Database } from '../ground/database.js'
import type { MoveDeadLetters } from './move-dead-letters.js'

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
/** Moves that one query reads. */
const MOVES = 100
/**
 * After this time positions are moved once more, in milliseconds: one that was being stored when its device was moved is in the
 * former project. Longer than any look-up.
 */
const RECHECK_MS = 30_000
/** Moves are kept as long as data may be queued, in milliseconds: 30 days. */
const KEPT_MS = 30 * DAY_MS

/**
 * Lets the positions and dead letters of moved devices follow, and the project in the rows of their chunks. Every step can be
 * repeated, so any number of processes may run it.
 */
export class FinishMoves extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly client: NatsClient,
    private readonly clock: Clock,
    private readonly deadLetters: MoveDeadLetters,
    private readonly logger: Logger,
    intervalMs: number,
  ) {
    super({
      intervalMs,
      run: () => this.run(),
      logger,
      failure: 'moves of devices cannot be finished; retrying',
    })
  }

  /** @throws if location, NATS or Postgres is unavailable */
  async finish(move: Move): Promise<void> {
    await this.movePositions(move, move.toProjectId)
    await this.moveChunks(move)
    const row = await this.database.deviceMove.findUnique({ where: { id: move.id } })
    if (row) await this.deadLetters.execute(row)
    await this.database.deviceMove.updateMany({
      where: { id: move.id },
      data: { finishedAt: this.clock.now() },
    })
  }

  private async run(): Promise<void> {
    await this.workOn({ finishedAt: null }, (move) => this.finish(move))
    const settled = new Date(this.clock.nowMs() - RECHECK_MS)
    await this.workOn({ recheckedAt: null, finishedAt: { not: null }, movedAt: { lt: settled } }, (move) =>
      this.recheck(move),
    )
    const before = new Date(this.clock.nowMs() - KEPT_MS)
    await this.database.deviceMove.deleteMany({
      where: { recheckedAt: { not: null }, movedAt: { lt: before } },
    })
  }

  /** Works on all moves, the oldest first. One that fails is retried in the next run, and holds up no other. */
  private async workOn(
    where: Prisma.DeviceMoveWhereInput,
    work: (move: Move) => Promise<void>,
  ): Promise<void> {
    for (let after: string | undefined; ;) {
      const moves = await this.database.deviceMove.findMany({
        where: { ...where, ...(after !== undefined && { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take: MOVES,
      })
      for (const move of moves) {
        if (this.isStopping) return
        await work(move).catch((error: unknown) => {
          this.logger.warn({ err: error, move: move.id }, 'a move of a device cannot be finished; retrying')
        })
      }
      after = moves.at(-1)?.id
      if (moves.length < MOVES) return
    }
  }

  /** Moves late positions to where the device is by now, and deletes them if it was deleted. */
  private async recheck(move: Move): Promise<void> {
    const { organizationId: organization_id, serial, id } = move
    const projectId = await this.latestProject(move)
    await this.movePositions(move, projectId)
    const where = { projectId_serial: { projectId, serial } }
    if (!(await this.database.device.findUnique({ where, select: { id: true } })))
      await this.client.call(eraseDevicePositions, {
        ...{ organization_id, project_id: projectId, device_serial: serial },
      })
    await this.database.deviceMove.updateMany({ where: { id }, data: { recheckedAt: this.clock.now() } })
  }

  private async latestProject({ toProjectId, serial, movedAt }: Move): Promise<string> {
    let [projectId, since] = [toProjectId, movedAt]
    for (;;) {
      const next = await this.database.deviceMove.findFirst({
        where: { projectId, serial, movedAt: { gt: since } },
        orderBy: { movedAt: 'asc' },
        select: { toProjectId: true, movedAt: true },
      })
      if (!next) return projectId
      ;[projectId, since] = [next.toProjectId, next.movedAt]
    }
  }

  private async movePositions(move: Move, to_project_id: string): Promise<void> {
    if (to_project_id === move.projectId) return
    await this.client.call(moveDevicePositions, {
      organization_id: move.organizationId,
      project_id: move.projectId,
      to_project_id,
      device_serial: move.serial,
      until: move.movedAt.toISOString(),
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
