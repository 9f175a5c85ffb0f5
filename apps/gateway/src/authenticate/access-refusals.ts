import { randomUUID } from 'node:crypto'
import { clientNetwork } from '@bearing/access/client-network'
import {
  MAX_ADDRESS_LENGTH,
  MAX_REPORTED_REFUSALS,
  recordRefusals,
  type RefusalRule,
} from '@bearing/contracts/identity/audit/audit-log'
import type { Request } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import type { NatsClient } from '@bearing/nats/client'
import type { Logger } from '@bearing/service/observe/logger'
import { BatchReport } from './batch-report.js'

/** Refusals between two reports, at about 500 bytes each; more are only counted. */
const MAX_NOTED = 1_000
/** The timeout of one batch, in milliseconds: a shutdown waits for it. */
const TIMEOUT_MS = 5_000

type Refusal = Request<typeof recordRefusals>['refusals'][number]

interface RefusedRequest {
  readonly ip: string
  readonly id: string
}

/**
 * Reports refusals by rules of organizations to identity, for their audit logs. A request only pays for memory: the same
 * credential, refused by the same rule from the same network, is one refusal with a count.
 */
export class AccessRefusals extends BatchReport {
  private refusals = new Map<string, Refusal>()
  /** Refusals of the current report. They no longer change, so identity recognizes a repeated one. */
  private reporting: Refusal[] = []
  private dropped = 0

  constructor(
    private readonly client: NatsClient,
    intervalMs: number,
    logger: Logger,
    private readonly now: () => number = Date.now,
    private readonly newId: () => string = randomUUID,
  ) {
    super(intervalMs, 'refusals by rules of organizations are reported later', logger)
  }

  /** Notes that a rule of an organization refused a valid credential. */
  note(rule: RefusalRule, organizationId: string, principal: Principal, request: RefusedRequest): void {
    if (principal.kind === 'service') return
    const at = new Date(this.now()).toISOString()
    const key = [rule, organizationId, principal.credential_id, clientNetwork(request.ip)].join(' ')
    const known = this.refusals.get(key)
    if (known) this.refusals.set(key, { ...known, count: known.count + 1, last_at: at })
    else if (this.refusals.size >= MAX_NOTED) this.dropped++
    else
      this.refusals.set(key, {
        id: this.newId(),
        organization_id: organizationId,
        rule,
        actor_kind: principal.kind,
        actor_credential_id: principal.credential_id,
        actor_user_id: principal.kind === 'user' ? principal.user_id : null,
        // A trusted proxy may send any text.
        address: request.ip.slice(0, MAX_ADDRESS_LENGTH),
        request_id: request.id,
        count: 1,
        first_at: at,
        last_at: at,
      })
  }

  protected async report(): Promise<void> {
    this.takeNoted()
    while (this.reporting.length > 0) {
      const refusals = this.reporting.slice(0, MAX_REPORTED_REFUSALS)
      await this.client.call(recordRefusals, { refusals }, { timeoutMs: TIMEOUT_MS })
      this.reporting = this.reporting.slice(refusals.length)
    }
  }

  /** Takes the noted refusals, unless the previous report is not complete. */
  private takeNoted(): void {
    if (this.dropped > 0)
      this.logger.warn(
        { dropped: this.dropped },
        'more refusals by rules of organizations than the audit log receives',
      )
    this.dropped = 0
    if (this.reporting.length > 0) return
    this.reporting = [...this.refusals.values()]
    this.refusals = new Map()
  }
}
