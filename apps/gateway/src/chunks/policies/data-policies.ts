import { RemoteCache, type CacheFigures } from '@bearing/client-nats/remote-cache'
import { DAY_MS } from '@bearing/contracts/durations'
import { OperationError } from '@bearing/contracts/errors'
import { dataPolicyChanged, findDataPolicy } from '@bearing/contracts/management/data/data-policy'
import type { EventData, Output } from '@bearing/contracts/operation'
import type { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import type { Limit, RateLimits } from '@bearing/service/store/rate-limits'
import { Cache } from '@bearing/client-nats/cache'
import { KnownDevices, type SendingDevice } from './known-devices.js'

export interface ChunkRequest extends SendingDevice {
  readonly bytes: number
}

/** The bytes that the devices of a project or an organization sent on a day, as far as this process knows. */
interface Usage {
  /** Days since 1970 (UTC). */
  day: number
  bytes: number
}

interface CachedPolicy {
  readonly policy: Output<typeof findDataPolicy>
  /** Kept when the policy is fetched again. */
  readonly usage: Usage
  /** Shared by all projects of the organization. Undefined with an earlier version of management. */
  readonly ofOrganization: Usage | undefined
}

const MAX_PROJECTS = 50_000
/** Lifetime of a cached policy, in milliseconds. An event invalidates it earlier. */
const FRESH_MS = 30_000
/** The delay after a failed call, in milliseconds. */
const RETRY_MS = 1_000
/** Policies set the limits: this is more than any of them allows. */
const UNLIMITED = 2 ** 31

/**
 * Applies the data policies of projects, which are cached. If management does not respond, the last known policy continues to
 * apply. Without any, requests are refused: the project may accept data from known devices only.
 */
export class DataPolicies {
  private readonly projects: RemoteCache<CachedPolicy>
  private readonly organizations = new Cache<Usage>(MAX_PROJECTS)
  private readonly perProject: Limit
  private readonly perDevice: Limit
  private readonly known: KnownDevices

  constructor(
    connection: Connection,
    private readonly client: NatsClient,
    limits: RateLimits,
    private readonly failed: (error: unknown) => void,
    private readonly now: () => number = Date.now,
  ) {
    this.projects = new RemoteCache({
      maxEntries: MAX_PROJECTS,
      freshMs: () => FRESH_MS,
      staleMs: Infinity,
      refreshAhead: true,
      retryMs: RETRY_MS,
    })
    const options = { points: UNLIMITED, windowS: 60, whenStoreIsDown: 'open' } as const
    this.perProject = limits.limit({ name: 'project', ...options })
    this.perDevice = limits.limit({ name: 'device', ...options })
    this.known = new KnownDevices(connection, client, limits, failed)
    const changed = ({ project_id }: EventData<typeof dataPolicyChanged>) => {
      this.projects.invalidate([project_id])
      this.known.recheckUnknown()
    }
    onEvent(connection, dataPolicyChanged, changed, failed, () => {
      // Events may have been lost.
      this.projects.clear()
    })
  }

  get figures(): { readonly policies: CacheFigures; readonly devices: CacheFigures } {
    return { policies: this.projects.figures, devices: this.known.figures }
  }

  /**
   * Counts a request, or refuses it.
   *
   * @throws OperationError `rate_limited` over a quota, `device_not_known`, or `service_unavailable` if management does not say
   *   whether the device may send
   */
  async admit(request: ChunkRequest): Promise<void> {
    const cached = await this.projects.get(request.projectId, () => this.fetch(request.projectId))
    const { policy } = cached
    if (policy.known_devices_only) await this.known.require(request)
    await this.count(
      this.perDevice,
      `${request.projectId}|${request.serial}`,
      policy.device_requests_per_minute,
    )
    await this.count(this.perProject, request.projectId, policy.requests_per_minute)
    this.countBytes(cached, request.bytes)
  }

  /** Subtracts bytes that were counted but not stored. */
  notStored({ projectId, bytes }: ChunkRequest): void {
    const known = this.projects.last(projectId)
    for (const usage of [known?.usage, known?.ofOrganization])
      if (usage) usage.bytes = Math.max(0, usage.bytes - bytes)
  }

  private async count(limit: Limit, key: string, atMost: number | null): Promise<void> {
    if (atMost === null) return
    const { used, endsInMs } = await limit.count(key)
    if (used <= atMost) return
    limit.refused()
    throw new OperationError(
      'rate_limited',
      `The ${limit.name} has made more than ${String(atMost)} requests with chunks in a minute.`,
      { retry_after: Math.max(1, Math.ceil(endsInMs / 1_000)) },
    )
  }

  private countBytes({ policy, usage, ofOrganization }: CachedPolicy, bytes: number): void {
    const counted = [{ whose: 'project', usage, atMost: policy.bytes_per_day }]
    if (ofOrganization)
      counted.push({
        whose: 'organization',
        usage: ofOrganization,
        atMost: policy.organization?.bytes_per_day ?? null,
      })
    for (const { whose, usage: used, atMost } of counted) {
      this.resetOnNewDay(used)
      if (atMost !== null && used.bytes + bytes > atMost) throw this.dailyLimitReached(whose, atMost)
    }
    for (const { usage: used } of counted) used.bytes += bytes
  }

  private dailyLimitReached(whose: string, atMost: number): OperationError {
    const left = new Date(this.now()).setUTCHours(24, 0, 0, 0) - this.now()
    return new OperationError(
      'rate_limited',
      `The devices of the ${whose} have sent ${String(atMost)} bytes today, which is the daily limit.`,
      // The policy may change, so a device should not wait for a day.
      { retry_after: Math.min(3_600, Math.max(1, Math.ceil(left / 1_000))) },
    )
  }

  private resetOnNewDay(usage: Usage): void {
    const day = Math.floor(this.now() / DAY_MS)
    if (usage.day === day) return
    usage.day = day
    usage.bytes = 0
  }

  /** Returns the larger of accepted and stored bytes: queued chunks are not stored yet. */
  private usageOf(known: Usage | undefined, storedBytes: number): Usage {
    const usage = known ?? { day: -1, bytes: 0 }
    this.resetOnNewDay(usage)
    usage.bytes = Math.max(usage.bytes, storedBytes)
    return usage
  }

  private usageOfOrganization({ organization }: CachedPolicy['policy']): Usage | undefined {
    if (!organization) return undefined
    const usage = this.usageOf(this.organizations.get(organization.id), organization.bytes_today)
    this.organizations.set(organization.id, usage)
    return usage
  }

  /** @throws OperationError `service_unavailable` if management does not respond */
  private async fetch(projectId: string): Promise<CachedPolicy> {
    try {
      const policy = await this.client.call(findDataPolicy, { project_id: projectId })
      const usage = this.usageOf(this.projects.last(projectId)?.usage, policy.bytes_today)
      return { policy, usage, ofOrganization: this.usageOfOrganization(policy) }
    } catch (error) {
      this.failed(error)
      throw new OperationError(
        'service_unavailable',
        'The data policy of the project cannot be read at the moment. Send the request again shortly.',
        { retry_after: 1 },
        { cause: error },
      )
    }
  }
}
