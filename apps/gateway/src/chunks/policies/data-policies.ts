import { atMost } from '@bearing/client-nats/at-most'
import { RemoteCache } from '@bearing/client-nats/remote-cache'
import { OperationError } from '@bearing/contracts/errors'
import { dataPolicyChanged, findDataPolicy } from '@bearing/contracts/management/data-policy'
import type { EventData, Output } from '@bearing/contracts/operation'
import type { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import type { Limit, RateLimits } from '@bearing/service/rate-limits'
import { LRUCache } from 'lru-cache'
import { KnownDevices, type Asking } from './known-devices.js'

/** What a device wants to send. */
export interface Wanted extends Asking {
  readonly bytes: number
}

/** What the devices of a project or an organization have sent on a day, as far as is known here. */
interface Usage {
  /** Days since 1970 (UTC). */
  day: number
  bytes: number
}

/** A project's policy, and what came. */
interface Remembered {
  readonly policy: Output<typeof findDataPolicy>
  /** The same one for all policies of the project that were asked for. */
  readonly usage: Usage
  /** The same one for all projects of the organization. Undefined where an earlier management has answered. */
  readonly ofOrganization: Usage | undefined
}

const MAX_PROJECTS = 50_000
/** How long a policy is gone by, in milliseconds; a change is heard of at once. */
const FRESH_MS = 30_000
/** After what time it is asked again where nobody has answered, in milliseconds. */
const RETRY_MS = 1_000
/** What the limits count up to is the projects' to say: more than any of them can. */
const UNLIMITED = 2 ** 31
const DAY_MS = 24 * 3600 * 1_000

/**
 * What projects allow their devices to send. It is asked for once in a while and not for each request; where it cannot be told,
 * the last that was known holds: no device is turned away because a quota cannot be read. Where none was ever known, it may be
 * that only known devices may send, and nobody is let in.
 */
export class DataPolicies {
  private readonly projects: RemoteCache<Remembered>
  private readonly organizations = new LRUCache<string, Usage>(atMost(MAX_PROJECTS))
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
      elapsed: now,
    })
    const options = { points: UNLIMITED, windowS: 60, whenStoreIsDown: 'open' } as const
    this.perProject = limits.limit({ name: 'project', ...options })
    this.perDevice = limits.limit({ name: 'device', ...options })
    this.known = new KnownDevices(connection, client, limits, failed)
    const changed = ({ project_id }: EventData<typeof dataPolicyChanged>) => {
      this.projects.invalidate([project_id])
      this.known.doubtUnknown()
    }
    onEvent(connection, dataPolicyChanged, changed, failed, () => {
      // What has changed meanwhile was not heard.
      this.projects.clear()
    })
  }

  /**
   * Lets a request through, and counts it.
   *
   * @throws OperationError `rate_limited` over a quota, `device_not_known`, or `service_unavailable` where it cannot be told
   *   whether only known ones may send, or whether this one is known
   */
  async admit(wanted: Wanted): Promise<void> {
    const remembered = await this.projects.get(wanted.projectId, () => this.fetch(wanted.projectId))
    const { policy } = remembered
    if (policy.known_devices_only) await this.known.require(wanted)
    await this.count(
      this.perDevice,
      `${wanted.projectId}|${wanted.serial}`,
      policy.device_requests_per_minute,
    )
    await this.count(this.perProject, wanted.projectId, policy.requests_per_minute)
    this.countBytes(remembered, wanted.bytes)
  }

  /** Takes back what was counted of a request that was let through, and whose bytes were not stored after all. */
  notStored({ projectId, bytes }: Wanted): void {
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

  private countBytes({ policy, usage, ofOrganization }: Remembered, bytes: number): void {
    const counted = [{ whose: 'project', usage, atMost: policy.bytes_per_day }]
    if (ofOrganization)
      counted.push({
        whose: 'organization',
        usage: ofOrganization,
        atMost: policy.organization?.bytes_per_day ?? null,
      })
    for (const { whose, usage: used, atMost } of counted) {
      this.turnDay(used)
      if (atMost !== null && used.bytes + bytes > atMost) throw this.dayIsFull(whose, atMost)
    }
    for (const { usage: used } of counted) used.bytes += bytes
  }

  private dayIsFull(whose: string, atMost: number): OperationError {
    const left = new Date(this.now()).setUTCHours(24, 0, 0, 0) - this.now()
    return new OperationError(
      'rate_limited',
      `The devices of the ${whose} have sent ${String(atMost)} bytes today, which is all that it allows in a day.`,
      // Policies change, and no device should sleep for a day over it.
      { retry_after: Math.min(3_600, Math.max(1, Math.ceil(left / 1_000))) },
    )
  }

  private turnDay(usage: Usage): void {
    const day = Math.floor(this.now() / DAY_MS)
    if (usage.day === day) return
    usage.day = day
    usage.bytes = 0
  }

  /** What was let through here, or is stored, whichever is more: what waits in the queue is not stored yet. */
  private usageOf(known: Usage | undefined, storedBytes: number): Usage {
    const usage = known ?? { day: -1, bytes: 0 }
    this.turnDay(usage)
    usage.bytes = Math.max(usage.bytes, storedBytes)
    return usage
  }

  private usageOfOrganization({ organization }: Remembered['policy']): Usage | undefined {
    if (!organization) return undefined
    const usage = this.usageOf(this.organizations.get(organization.id), organization.bytes_today)
    this.organizations.set(organization.id, usage)
    return usage
  }

  /** @throws OperationError `service_unavailable` if management does not answer */
  private async fetch(projectId: string): Promise<Remembered> {
    try {
      const policy = await this.client.call(findDataPolicy, { project_id: projectId })
      const usage = this.usageOf(this.projects.last(projectId)?.usage, policy.bytes_today)
      return { policy, usage, ofOrganization: this.usageOfOrganization(policy) }
    } catch (error) {
      this.failed(error)
      throw new OperationError(
        'service_unavailable',
        'It cannot be told at the moment what the project lets its devices send. Send it again shortly.',
        { retry_after: 1 },
        { cause: error },
      )
    }
  }
}
