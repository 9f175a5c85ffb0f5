import { randomUUID } from 'node:crypto'
import { clientNetwork } from '@bearing/access/client-network'
import {
  MAX_ADDRESS_LENGTH,
  MAX_REFUSED_PERMISSIONS,
  MAX_REPORTED_REFUSALS,
  recordRefusals,
} from '@bearing/contracts/identity/audit/audit-log'
import { TOKEN_PRESETS } from '@bearing/contracts/identity/tokens/token-presets'
import { MEMBER_PERMISSIONS } from '@bearing/contracts/identity/members/project-permissions'
import { needsClaims, type Access, type Request } from '@bearing/contracts/operation'
import type { Permission } from '@bearing/contracts/permission'
import { isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import { NatsClient } from '@bearing/nats/client'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../config.js'
import { BatchReport } from './batch-report.js'

/** Refusals between two reports, at about 500 bytes each; more are only counted. */
const MAX_NOTED = 1_000
/** The timeout of one batch, in milliseconds: a shutdown waits for it. */
const TIMEOUT_MS = 5_000

type Refusal = Request<typeof recordRefusals>['refusals'][number]

/** Permissions to read data and to send it. All others administer. */
const DATA_PERMISSIONS: ReadonlySet<string> = new Set([
  ...TOKEN_PRESETS.reader.permissions,
  ...MEMBER_PERMISSIONS,
])

interface RefusedRequest {
  readonly ip: string
  readonly id: string
}

/**
 * Reports refusals by rules of organizations to identity, for their audit logs. A request only pays for memory: the same
 * credential, refused by the same rule from the same network, is one refusal with a count.
 */
@Injectable()
export class AccessRefusals extends BatchReport {
  private refusals = new Map<string, Refusal>()
  /** Refusals of the current report. They no longer change, so identity recognizes a repeated one. */
  private reporting: Refusal[] = []
  private dropped = 0

  constructor(
    private readonly client: NatsClient,
    @Inject(SETTINGS) { REPORT_INTERVAL_MS }: Settings,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(REPORT_INTERVAL_MS, 'refusals by rules of organizations are reported later', logger)
  }

  /** Notes that a rule of an organization refused a valid credential. */
  note(
    rule: Refusal['rule'],
    organizationId: string,
    principal: Principal,
    request: RefusedRequest,
    permission?: Permission,
  ): void {
    if (principal.kind === 'service') return
    const at = new Date(Date.now()).toISOString()
    const key = [rule, organizationId, principal.credential_id, clientNetwork(request.ip)].join(' ')
    const known = this.refusals.get(key)
    if (known)
      this.refusals.set(key, { ...withPermission(known, permission), count: known.count + 1, last_at: at })
    else if (this.refusals.size >= MAX_NOTED) this.dropped++
    else
      this.refusals.set(key, {
        id: randomUUID(),
        organization_id: organizationId,
        rule,
        ...(permission && { permissions: [permission] }),
        actor_kind: 'workload' in principal && principal.workload ? 'workload' : principal.kind,
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

  /** Notes that a token, or a user with an API key, was refused a permission to administer an organization. */
  noteAdministration(
    permission: Access,
    organizationId: string,
    principal: Principal,
    request: RefusedRequest,
  ): void {
    if (!needsClaims(permission) || DATA_PERMISSIONS.has(permission)) return
    if (isOrganizationToken(principal) || (principal.kind === 'user' && principal.proof !== 'session'))
      this.note('permission_denied', organizationId, principal, request, permission)
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

function withPermission(refusal: Refusal, permission: Permission | undefined): Refusal {
  const { permissions = [] } = refusal
  if (!permission || permissions.includes(permission) || permissions.length >= MAX_REFUSED_PERMISSIONS)
    return refusal
  return { ...refusal, permissions: [...permissions, permission] }
}
