import { clientNetwork } from '@bearing/access/client-network'
import { atMost } from '@bearing/client-nats/at-most'
import { RemoteCache } from '@bearing/client-nats/remote-cache'
import { OperationError } from '@bearing/contracts/errors'
import { deviceKnownChanged, isDeviceKnown } from '@bearing/contracts/management/device'
import type { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import type { Limit, RateLimits } from '@bearing/service/rate-limits'
import { LRUCache } from 'lru-cache'
import { LimitReached } from '../../ground/limits/limit-reached.js'

/** A device that wants to send, and where it asks from. */
export interface Asking {
  readonly projectId: string
  readonly serial: string
  readonly address: string
}

/** Devices that are remembered, at about 200 bytes each; the longest unused go first. */
const MAX_DEVICES = 500_000
const MAX_UNKNOWN = 50_000
/** How long a device that is known stays so, in milliseconds, where every message about it was lost. */
const KNOWN_MS = 30_000
/** How long one that is not stays so, in milliseconds: as long, one that is registered now may have to wait then. */
const UNKNOWN_MS = 5_000
/** How long it counts that a device was known, in milliseconds. */
const LATELY_MS = 24 * 3600 * 1_000
const WINDOW_S = 600
/** Different unknown devices of a project that may ask from an address in {@link WINDOW_S}. */
const UNKNOWN_PER_ADDRESS = 300

/**
 * Which devices projects know, where they let no others send. Management is asked, and its answer is remembered for a short
 * time; what is registered or deleted is heard of at once.
 *
 * Serial numbers can be made up faster than anybody should ask about them, so an address has only so many unknown ones in ten
 * minutes. After that it is asked about devices that were known, registered or deleted lately, and about no others.
 */
export class KnownDevices {
  private readonly known = new RemoteCache<boolean>({
    maxEntries: MAX_DEVICES,
    freshMs: (known) => (known ? KNOWN_MS : UNKNOWN_MS),
    negative: { is: (known) => !known, maxEntries: MAX_UNKNOWN },
  })
  private readonly lately = new LRUCache<string, true>({ ...atMost(MAX_DEVICES), ttl: LATELY_MS })
  private readonly limit: Limit

  constructor(
    connection: Connection,
    private readonly client: NatsClient,
    limits: RateLimits,
    failed: (error: unknown) => void,
  ) {
    this.limit = limits.limit({
      name: 'unknown-devices',
      points: UNKNOWN_PER_ADDRESS,
      windowS: WINDOW_S,
      whenStoreIsDown: 'open',
    })
    onEvent(
      connection,
      deviceKnownChanged,
      ({ project_id: projectId, device_serial: serial }) => {
        const key = keyOf({ projectId, serial })
        this.known.invalidate([key])
        // Nobody can guess one: it is asked about, whoever else is behind its address.
        this.lately.set(key, true)
      },
      failed,
      () => {
        // What has changed meanwhile was not heard.
        this.known.clear()
      },
    )
  }

  /** Those that were not known may be: a project that let everybody send has got to know some. */
  doubtUnknown(): void {
    this.known.clearNegative()
  }

  /**
   * Lets a device through that its project knows.
   *
   * @throws OperationError `device_not_known`; `rate_limited` where too many unknown ones came from its address;
   *   `service_unavailable` where it cannot be told
   */
  async require(asking: Asking): Promise<void> {
    const key = keyOf(asking)
    const cached = this.known.recall(key)
    if (cached === true) return
    if (cached === false) throw notKnown()
    const source = `${asking.projectId}|${clientNetwork(asking.address)}`
    if (!this.lately.has(key)) await this.refuseGuesses(source)
    if (await this.known.get(key, () => this.ask(asking))) {
      this.lately.set(key, true)
      return
    }
    await this.limit.count(source)
    throw notKnown()
  }

  private async ask({ projectId: project_id, serial: device_serial }: Asking): Promise<boolean> {
    const { known } = await this.client.call(isDeviceKnown, { project_id, device_serial })
    return known
  }

  private async refuseGuesses(source: string): Promise<void> {
    const count = await this.limit.look(source)
    if (count && count.used >= this.limit.points)
      throw new LimitReached(
        this.limit,
        count,
        'Too many devices that the project does not know came from this address. Those that it knows still get through.',
      )
  }
}

function keyOf({ projectId, serial }: Omit<Asking, 'address'>): string {
  return `${projectId}|${serial}`
}

function notKnown(): OperationError {
  return new OperationError(
    'device_not_known',
    'The project lets only devices send that it knows. Register this one first.',
  )
}
