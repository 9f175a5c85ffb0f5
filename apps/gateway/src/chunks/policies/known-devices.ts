import { clientNetwork } from '@bearing/access/client-network'
import { RemoteCache, type CacheFigures } from '@bearing/client-nats/remote-cache'
import { OperationError } from '@bearing/contracts/errors'
import { deviceKnownChanged, isDeviceKnown } from '@bearing/contracts/management/devices/device'
import type { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import type { Limit, RateLimits } from '@bearing/service/store/rate-limits'
import { Cache } from '@bearing/client-nats/cache'
import { LimitReached } from '../../ground/limits/limit-reached.js'

/** A device that sends data, and the IP address of its request. */
export interface SendingDevice {
  readonly projectId: string
  readonly serial: string
  readonly address: string
}

/** Cached devices, at about 200 bytes each. */
const MAX_DEVICES = 500_000
const MAX_UNKNOWN = 50_000
/** Lifetime of a cached known device, in milliseconds, if every event about it is lost. */
const KNOWN_MS = 30_000
/** Lifetime of a cached unknown device, in milliseconds: a device that is registered now may wait as long. */
const UNKNOWN_MS = 5_000
/** Time for which a device that was known is exempt from the limit, in milliseconds. */
const RECENT_MS = 24 * 3600 * 1_000
const WINDOW_S = 600
/** Unknown devices of a project per network in {@link WINDOW_S}. */
const UNKNOWN_PER_NETWORK = 300

/**
 * Checks whether a device is registered, for projects that accept data from known devices only. Asks management, caches the
 * response for a short time, and receives events about registered and deleted devices.
 *
 * Serial numbers can be invented, so a network may send only so many unknown ones in ten minutes. After that, management is asked
 * only about devices that were known, registered or deleted recently.
 */
export class KnownDevices {
  private readonly known = new RemoteCache<boolean>({
    maxEntries: MAX_DEVICES,
    freshMs: (known) => (known ? KNOWN_MS : UNKNOWN_MS),
    negative: { is: (known) => !known, maxEntries: MAX_UNKNOWN },
  })
  private readonly recent = new Cache<true>(MAX_DEVICES, { ttl: RECENT_MS })
  private readonly limit: Limit

  constructor(
    connection: Connection,
    private readonly client: NatsClient,
    limits: RateLimits,
    failed: (error: unknown) => void,
  ) {
    this.limit = limits.limit({
      name: 'unknown-devices',
      points: UNKNOWN_PER_NETWORK,
      windowS: WINDOW_S,
      whenStoreIsDown: 'open',
    })
    onEvent(
      connection,
      deviceKnownChanged,
      ({ project_id: projectId, device_serial: serial }) => {
        const key = keyOf({ projectId, serial })
        this.known.invalidate([key])
        // Exempt from the limit: this serial number is no guess.
        this.recent.set(key, true)
      },
      failed,
      () => {
        // Events may have been lost.
        this.known.clear()
      },
    )
  }

  get figures(): CacheFigures {
    return this.known.figures
  }

  /** Removes unknown devices from the cache: a project that accepted all devices has registered some. */
  recheckUnknown(): void {
    this.known.clearNegative()
  }

  /**
   * Requires that the project knows a device.
   *
   * @throws OperationError `device_not_known`; `rate_limited` after too many unknown devices from its network;
   *   `service_unavailable` if management does not respond
   */
  async require(device: SendingDevice): Promise<void> {
    const key = keyOf(device)
    const cached = this.known.recall(key)
    if (cached === true) return
    if (cached === false) throw notKnown()
    const source = `${device.projectId}|${clientNetwork(device.address)}`
    if (!this.recent.has(key)) await this.refuseGuesses(source)
    if (await this.known.get(key, () => this.ask(device))) {
      this.recent.set(key, true)
      return
    }
    await this.limit.count(source)
    throw notKnown()
  }

  private async ask({ projectId: project_id, serial: device_serial }: SendingDevice): Promise<boolean> {
    const { known } = await this.client.call(isDeviceKnown, { project_id, device_serial })
    return known
  }

  private async refuseGuesses(source: string): Promise<void> {
    const count = await this.limit.look(source)
    if (count && count.used >= this.limit.points)
      throw new LimitReached(
        this.limit,
        count,
        'Too many unknown devices sent data from this address. Known devices are still accepted.',
      )
  }
}

function keyOf({ projectId, serial }: Omit<SendingDevice, 'address'>): string {
  return `${projectId}|${serial}`
}

function notKnown(): OperationError {
  return new OperationError(
    'device_not_known',
    'The project accepts data from known devices only. Register this device first.',
  )
}
