import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../ground/database.js'
import type { FallbackKeys } from './fallback-row.js'
import { Provider, type ProviderTools } from './provider.js'

/** Organizations that are remembered, with what their providers have answered. */
const MOST_ORGANIZATIONS = 1_000
/** How long it is believed whom an organization has asked, in milliseconds; a change is told, and seen earlier. */
const BELIEVED_MS = 5_000

interface Known {
  /** Undefined: nobody is asked. */
  readonly provider: Provider | undefined
  readonly readAtMs: number
}

/** Remembers whom organizations have asked where they do not know a position. Most have nobody asked. */
export class Providers {
  private readonly known = new LRUCache<string, Known>({ max: MOST_ORGANIZATIONS })
  private readonly underWay = new Map<string, Promise<Provider | undefined>>()
  /** How often something has changed: what was read before that is not remembered. */
  private changes = 0

  constructor(
    private readonly database: Pick<Database, 'locationFallback'>,
    private readonly keys: FallbackKeys,
    private readonly tools: ProviderTools,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * The provider of an organization. Where that cannot be told there is none: nothing is sent to whom nobody may want it
   * sent to any more.
   */
  async of(organizationId: string): Promise<Provider | undefined> {
    const known = this.known.get(organizationId)
    if (known && this.clock.nowMs() - known.readAtMs < BELIEVED_MS) return known.provider
    const before = this.underWay.get(organizationId)
    if (before) return before
    const reading = this.read(organizationId, known?.provider)
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'it cannot be told whom to ask for positions; nobody is asked')
        return undefined
      })
      .finally(() => {
        this.underWay.delete(organizationId)
      })
    this.underWay.set(organizationId, reading)
    return reading
  }

  /** An organization has another provider, or none: it is looked at again before anything is sent. */
  changed(organizationId: string): void {
    this.changes++
    this.underWay.delete(organizationId)
    const known = this.known.get(organizationId)
    if (known) this.known.set(organizationId, { ...known, readAtMs: -Infinity })
  }

  /** Anything may have changed. */
  allChanged(): void {
    // Of a copy: to be changed brings one to the front, and going through would have no end.
    for (const organizationId of [...this.known.keys()]) this.changed(organizationId)
  }

  private async read(organizationId: string, before: Provider | undefined): Promise<Provider | undefined> {
    const { changes } = this
    const readAtMs = this.clock.nowMs()
    const row = await this.database.locationFallback.findUnique({ where: { organizationId } })
    const isSame =
      row !== null &&
      before?.row.updatedAt.getTime() === row.updatedAt.getTime() &&
      before.row.url === row.url
    // What the one before has answered, and how it was doing, is nothing to do with another one.
    const provider = row === null ? undefined : isSame ? before : this.begin(row)
    if (changes === this.changes) this.known.set(organizationId, { provider, readAtMs })
    return provider
  }

  private begin(row: ConstructorParameters<typeof Provider>[0]): Provider {
    return new Provider(row, this.keys.open(row), this.tools)
  }
}
