import { areDeviceLocationsWanted } from '@bearing/contracts/management/webhook'
import type { NatsClient } from '@bearing/nats/client'
import type { Clock } from '@bearing/service/clock'
import { LRUCache } from 'lru-cache'

/** Projects that are remembered. */
const PROJECTS = 50_000
/** For so long what management has said is taken for granted, in milliseconds. */
const FRESH_MS = 15_000
/** For so long it is still gone by, while it is asked again: a webhook hears of positions a minute after it was made. */
const STALE_MS = 60_000
/** Management has so long to answer, in milliseconds: devices wait for it. */
const TIMEOUT_MS = 500
/** Where it did not, it is not asked again for so long, in milliseconds. */
const FAILED_MS = 5_000

interface Known {
  readonly wanted: boolean
  readonly atMs: number
  readonly freshMs: number
}

/** Which projects have a webhook that wants to hear where devices are. Where that cannot be told, they have: management sorts it out. */
export class WantedPositions {
  private readonly known = new LRUCache<string, Known>({ max: PROJECTS })
  private readonly asking = new Map<string, Promise<Known>>()

  constructor(
    private readonly client: Pick<NatsClient, 'call'>,
    private readonly clock: Clock,
  ) {}

  /** Those of some projects. Never rejects. */
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
