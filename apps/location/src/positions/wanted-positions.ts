import { areDeviceLocationsWanted } from '@bearing/contracts/management/webhook'
import { NatsClient } from '@bearing/nats/client'
import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import { LRUCache } from 'lru-cache'

/** Cached projects. */
const PROJECTS = 50_000
/** How long an answer is fresh, in milliseconds. */
const FRESH_MS = 15_000
/** How long an answer is used while it is refreshed: a new webhook receives positions after a minute at most. */
const STALE_MS = 60_000
/** How long management may take, in milliseconds: devices wait for it. */
const TIMEOUT_MS = 500
/** How long after a failure it is not asked again, in milliseconds. */
const FAILED_MS = 5_000

interface Known {
  readonly wanted: boolean
  readonly atMs: number
  readonly freshMs: number
}

/** Caches which projects have webhooks for positions. If management does not answer, all do: management discards the events. */
@Injectable()
export class WantedPositions {
  private readonly known = new LRUCache<string, Known>({ max: PROJECTS })
  private readonly asking = new Map<string, Promise<Known>>()

  constructor(
    private readonly client: NatsClient,
    private readonly clock: Clock,
  ) {}

  /** Returns those of some projects. Never rejects. */
  async among(projects: readonly string[]): Promise<string[]> {
    const distinct = [...new Set(projects)]
    const found = await Promise.all(distinct.map((project) => this.of(project)))
    return distinct.filter((_, index) => found[index])
  }

  private async of(project: string): Promise<boolean> {
    const known = this.known.get(project)
    const ageMs = known ? this.clock.nowMs() - known.atMs : Infinity
    if (known && ageMs < known.freshMs) return known.wanted
    const asked = this.ask(project)
    return known && ageMs < STALE_MS ? known.wanted : (await asked).wanted
  }

  private ask(project: string): Promise<Known> {
    const asked =
      this.asking.get(project) ??
      this.answer(project).then((known) => {
        this.known.set(project, known)
        this.asking.delete(project)
        return known
      })
    this.asking.set(project, asked)
    return asked
  }

  private async answer(project_id: string): Promise<Known> {
    const atMs = this.clock.nowMs()
    try {
      const { wanted } = await this.client.call(
        areDeviceLocationsWanted,
        { project_id },
        { timeoutMs: TIMEOUT_MS },
      )
      return { wanted, atMs, freshMs: FRESH_MS }
    } catch {
      return { wanted: true, atMs, freshMs: FAILED_MS }
    }
  }
}
