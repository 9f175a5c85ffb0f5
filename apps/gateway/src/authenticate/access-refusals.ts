import { randomUUID } from 'node:crypto'
import { clientNetwork } from '@bearing/access/client-network'
import {
  MAX_ADDRESS_LENGTH,
  MAX_TOLD_REFUSALS,
  recordRefusals,
  type RefusalRule,
} from '@bearing/contracts/identity/audit-log'
import type { Request } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import type { NatsClient } from '@bearing/nats/client'
import type { Logger } from '@bearing/service/logger'
import { Telling } from './batch-report.js'

/** Refusals that are kept until they are told, at about 500 bytes each; more in one interval are only counted. */
const MAX_KEPT = 1_000
/** How long identity may take for one batch, in milliseconds: a shutdown waits for it. */
const TIMEOUT_MS = 5_000

type Refusal = Request<typeof recordRefusals>['refusals'][number]

/** What of a request is noted. */
interface RefusedRequest {
  readonly ip: string
  readonly id: string
}

/**
 * Whom rules of organizations have refused, for their audit logs. Noting it costs a request nothing but memory: the same
 * credential, refused by the same rule from the same address, is one refusal with a count, and identity is told in
 * batches.
 */
export class AccessRefusals {
  readonly telling: Telling
  private refusals = new Map<string, Refusal>()
  /** Being told: it no longer changes, so that what arrives twice is known to be the same. */
  private told: Refusal[] = []
  private overlooked = 0

  constructor(
    private readonly client: NatsClient,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
    private readonly newId: () => string = randomUUID,
  ) {
    this.telling = new Telling(() => this.tellNoted(), 'refusals by rules of organizations', logger)
  }

  /** Notes that a rule of an organization has refused somebody whose credential is right. */
  note(rule: RefusalRule, organizationId: string, principal: Principal, request: RefusedRequest): void {
    if (principal.kind === 'service') return
    const at = new Date(this.now()).toISOString()
    const key = [rule, organizationId, principal.credential_id, clientNetwork(request.ip)].join(' ')
    const known = this.refusals.get(key)
    if (known) this.refusals.set(key, { ...known, count: known.count + 1, last_at: at })
    else if (this.refusals.size >= MAX_KEPT) this.overlooked++
    else
      this.refusals.set(key, {
        id: this.newId(),
        organization_id: organizationId,
        rule,
        actor_kind: principal.kind,
        actor_credential_id: principal.credential_id,
        actor_user_id: principal.kind === 'user' ? principal.user_id : null,
        // What a trusted proxy says may be anything.
        address: request.ip.slice(0, MAX_ADDRESS_LENGTH),
        request_id: request.id,
        count: 1,
        first_at: at,
        last_at: at,
      })
  }

  private async tellNoted(): Promise<void> {
    this.takeNoted()
    while (this.told.length > 0) {
      const refusals = this.told.slice(0, MAX_TOLD_REFUSALS)
      await this.client.call(recordRefusals, { refusals }, { timeoutMs: TIMEOUT_MS })
      this.told = this.told.slice(refusals.length)
    }
  }

  /** Takes what was noted since, unless what was taken before could not be told yet. */
  private takeNoted(): void {
    if (this.overlooked > 0)
      this.logger.warn(
        { overlooked: this.overlooked },
        'more refusals by rules of organizations than the audit log is told of',
      )
    this.overlooked = 0
    if (this.told.length > 0) return
    this.told = [...this.refusals.values()]
    this.refusals = new Map()
  }
}
