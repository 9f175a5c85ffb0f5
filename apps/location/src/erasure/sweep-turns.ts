import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { sweepLayer, type Sweep, type SweepContext } from './sweep.js'

/** Layers that are swept at a time, a page of each in turn: so nobody waits until somebody else's million is done. */
const MOST_LAYERS = 8
/** How often more layers are looked for meanwhile, in milliseconds. */
const LOOK_MS = 1_000
/** How long a layer is left alone where somebody was in the way, and where something failed, in milliseconds. */
const PAUSE_MS = { blocked: 200, failed: 5_000 } as const
/** Tells these advisory locks from others. */
const SWEEPING = 0x7377_6570

/** Layers that have something to forget, the next ones after a layer first. */
const WAITING = `
  SELECT layer FROM (
    SELECT DISTINCT organization_id AS layer FROM (
      SELECT organization_id FROM forgotten_areas WHERE swept_at IS NULL
      UNION ALL SELECT organization_id FROM forgotten_access_points WHERE swept_at IS NULL
      UNION ALL SELECT organization_id FROM forgotten_cells WHERE swept_at IS NULL
    ) AS unswept WHERE organization_id <> ALL ($2::uuid[])
  ) AS waiting ORDER BY layer <= $1, layer`

interface Turn {
  readonly sweep: Sweep
  notBeforeMs: number
}

/** What is told of a layer that could not be swept. */
type Failed = (error: unknown) => void

/**
 * Sweeps all layers that have something to forget, in turns, until none is left that nobody else sweeps. A layer that cannot be
 * swept holds up no other.
 *
 * @param leave whether to leave off: what was begun is begun again by somebody else
 * @throws where Postgres is not there
 */
export async function sweepInTurns(
  pool: pg.Pool,
  context: SweepContext,
  leave: () => boolean,
  failed: Failed,
): Promise<void> {
  const client = await pool.connect()
  let isLost = true
  try {
    await new Turns(client, context, failed).take(leave)
    // What was left off.
    await client.query('SELECT pg_advisory_unlock_all()')
    isLost = false
  } finally {
    // With the connection go its locks.
    client.release(isLost)
  }
}

class Turns {
  private readonly turns = new Map<string, Turn>()
  /** When layers that have failed are tried again. */
  private readonly failures = new Map<string, number>()
  private last = '00000000-0000-0000-0000-000000000000'

  constructor(
    private readonly client: pg.ClientBase,
    private readonly context: SweepContext,
    private readonly failed: Failed,
  ) {}

  async take(leave: () => boolean): Promise<void> {
    for (let lookAtMs = 0; !leave();) {
      if (performance.now() >= lookAtMs) {
        await this.takeUp()
        lookAtMs = performance.now() + LOOK_MS
      }
      if (this.turns.size === 0) return
      const before = this.turns.size
      const isBlocked = await this.takeTurns(leave)
      // There may be more to forget in it by now.
      if (this.turns.size < before) lookAtMs = 0
      else if (isBlocked) await sleep(PAUSE_MS.blocked)
    }
  }

  /** @returns whether nobody could go on */
  private async takeTurns(leave: () => boolean): Promise<boolean> {
    let isBlocked = true
    for (const [layer, turn] of this.turns) {
      if (leave()) return false
      if (performance.now() < turn.notBeforeMs) continue
      const step = await this.step(layer, turn.sweep)
      if (step === 'ended') await this.end(layer)
      if (step === 'blocked') turn.notBeforeMs = performance.now() + PAUSE_MS.blocked
      else isBlocked = false
    }
    return isBlocked
  }

  private async step(layer: string, sweep: Sweep): Promise<'ended' | 'blocked' | undefined> {
    try {
      const { done, value } = await sweep.next()
      return done ? 'ended' : value
    } catch (error) {
      this.failed(error)
      this.failures.set(layer, performance.now() + PAUSE_MS.failed)
      return 'ended'
    }
  }

  /** Layers that another process sweeps are left to it. */
  private async takeUp(): Promise<void> {
    if (this.turns.size >= MOST_LAYERS) return
    for (const [layer, atMs] of this.failures) if (performance.now() >= atMs) this.failures.delete(layer)
    const { rows } = await this.client.query<{ layer: string }>(WAITING, [
      this.last,
      [...this.turns.keys(), ...this.failures.keys()],
    ])
    for (const { layer } of rows) {
      if (this.turns.size >= MOST_LAYERS) return
      const { rows: locks } = await this.client.query<{ taken: boolean }>(
        `SELECT pg_try_advisory_lock(${String(SWEEPING)}, hashtext($1)) AS taken`,
        [layer],
      )
      if (!locks[0]?.taken) continue
      this.turns.set(layer, { sweep: sweepLayer(this.client, layer, this.context), notBeforeMs: 0 })
      this.last = layer
    }
  }

  private async end(layer: string): Promise<void> {
    this.turns.delete(layer)
    await this.client.query(`SELECT pg_advisory_unlock(${String(SWEEPING)}, hashtext($1))`, [layer])
  }
}
