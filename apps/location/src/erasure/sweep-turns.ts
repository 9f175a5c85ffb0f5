import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { endSweep, tryToSweep } from '../ground/locks.js'
import { readRows } from '../ground/read-rows.js'
import { STATIONS } from '../ground/stations/stations.js'
import type { Steps } from './pages.js'
import { sweepLayer, type SweepContext } from './sweep.js'

/** Layers that are swept at a time, a page of each in turn, so that a large layer does not delay others. */
const MOST_LAYERS = 8
/** Interval between searches for more layers meanwhile, in milliseconds. */
const LOOK_MS = 1_000
/** Pause of a layer after another transaction was in the way, and after a failure, in milliseconds. */
const PAUSE_MS = { blocked: 200, failed: 5_000 } as const

/** Layers with tombstones to sweep, the next ones after a layer first. */
const UNSWEPT = ['forgotten_areas', ...STATIONS.map(({ tables }) => tables.tombstones)]
  .map((table) => `SELECT organization_id FROM ${table} WHERE swept_at IS NULL`)
  .join(' UNION ALL ')
const WAITING = {
  text: `SELECT layer FROM (
    SELECT DISTINCT organization_id AS layer FROM (${UNSWEPT}) AS unswept WHERE organization_id <> ALL ($2::uuid[])
  ) AS waiting ORDER BY layer <= $1, layer`,
  columns: { layer: 'uuid' },
} as const

interface Turn {
  readonly sweep: Steps
  notBeforeMs: number
}

type Failed = (error: unknown) => void

/**
 * Sweeps all layers that no other process sweeps, in turns, until none is left. A layer that fails does not delay others.
 *
 * @param leave returns whether to stop; another process starts these sweeps again
 * @param failed receives the error of a layer that could not be swept
 * @throws if Postgres cannot be reached
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
    // Of sweeps that were stopped.
    await client.query('SELECT pg_advisory_unlock_all()')
    isLost = false
  } finally {
    client.release(isLost)
  }
}

class Turns {
  private readonly turns = new Map<string, Turn>()
  /** Times of the next attempt of layers that failed. */
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
      // There may be new tombstones by now.
      if (this.turns.size < before) lookAtMs = 0
      else if (isBlocked) await sleep(PAUSE_MS.blocked)
    }
  }

  /** @returns whether all were blocked */
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

  private async step(layer: string, sweep: Steps): Promise<'ended' | 'blocked' | undefined> {
    try {
      const { done, value } = await sweep.next()
      return done ? 'ended' : value
    } catch (error) {
      this.failed(error)
      this.failures.set(layer, performance.now() + PAUSE_MS.failed)
      return 'ended'
    }
  }

  private async takeUp(): Promise<void> {
    if (this.turns.size >= MOST_LAYERS) return
    for (const [layer, atMs] of this.failures) if (performance.now() >= atMs) this.failures.delete(layer)
    const taken = [...this.turns.keys(), ...this.failures.keys()]
    const rows = await readRows(this.client, WAITING, [this.last, taken])
    for (const { layer } of rows) {
      if (this.turns.size >= MOST_LAYERS) return
      if (!(await tryToSweep(this.client, layer))) continue
      this.turns.set(layer, { sweep: sweepLayer(this.client, layer, this.context), notBeforeMs: 0 })
      this.last = layer
    }
  }

  private async end(layer: string): Promise<void> {
    this.turns.delete(layer)
    await endSweep(this.client, layer)
  }
}
