import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import {
  MAX_REPORTED_COUNTS,
  OTHER_CREDENTIALS,
  REQUEST_OUTCOMES,
  countedAs,
  recordRequestUsage,
  type CountedKind,
  type RequestOutcome,
} from '@bearing/contracts/identity/credentials/request-usage'
import type { Request } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { dayOf } from '@bearing/contracts/counts/usage'
import { NatsClient } from '@bearing/nats/client'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../config.js'
import { BatchReport } from '../authenticate/batch-report.js'

/** Credentials of one organization that are counted one by one between two reports. */
const MAX_PER_ORGANIZATION = 1_000
/** Credentials of all organizations that are counted one by one, at about 200 bytes each. */
const MAX_CREDENTIALS = 100_000
/** Organizations between two reports; requests of more are not counted. */
const MAX_ORGANIZATIONS = 50_000
/** The timeout of one batch, in milliseconds: a shutdown waits for it. */
const TIMEOUT_MS = 2_000

type Report = Request<typeof recordRequestUsage>

interface Counter {
  readonly kind: CountedKind
  /** Of the credential, or of the user. */
  readonly id: string
  readonly outcomes: Record<RequestOutcome, number>
  lastMs: number
}

/**
 * Counts requests by organization, credential, day and outcome, and reports them to identity. A request only pays for memory; a
 * crash loses the counts since the last report.
 */
@Injectable()
export class RequestUsage extends BatchReport {
  /** By organization, then by the id of the credential. */
  private organizations = new Map<string, Map<string, Counter>>()
  private credentials = 0
  /** Days since 1970 (UTC) of the counters. */
  private day = 0
  /** Reports that identity has not confirmed. They no longer change, so identity recognizes a repeated one. */
  private pending: Report[] = []

  constructor(
    @Inject(NatsClient) private readonly client: Pick<NatsClient, 'call'>,
    private readonly clock: Clock,
    @Inject(SETTINGS) { REPORT_INTERVAL_MS }: Pick<Settings, 'REPORT_INTERVAL_MS'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(REPORT_INTERVAL_MS, 'request counts cannot be reported; retrying', logger)
  }

  /** Counts a request that was answered. */
  note(organizationId: string, principal: Principal, outcome: RequestOutcome): void {
    if (principal.kind === 'service') return
    const nowMs = this.clock.nowMs()
    const day = Math.floor(nowMs / DAY_MS)
    if (day !== this.day) this.begin(day)
    const counter = this.counterOf(organizationId, principal, principal.credential_id)
    if (!counter) return
    counter.outcomes[outcome]++
    counter.lastMs = nowMs
  }

  protected async report(): Promise<void> {
    // Counters continue to count while an earlier report is repeated, so memory stays bounded.
    if (this.pending.length === 0) this.close()
    for (let next = this.pending[0]; next; next = this.pending[0]) {
      await this.client.call(recordRequestUsage, next, { timeoutMs: TIMEOUT_MS })
      this.pending.shift()
    }
  }

  private counterOf(organizationId: string, principal: Principal, credentialId: string): Counter | undefined {
    const ofOrganization = this.organizations.get(organizationId) ?? this.newOrganization(organizationId)
    if (!ofOrganization) return undefined
    const known = ofOrganization.get(credentialId)
    if (known) return known
    const isFull = ofOrganization.size >= MAX_PER_ORGANIZATION || this.credentials >= MAX_CREDENTIALS
    const key = isFull ? OTHER_CREDENTIALS : credentialId
    const other = isFull ? ofOrganization.get(key) : undefined
    const as = isFull ? ({ kind: 'other', id: key } as const) : countedAs(principal)
    if (other || !as) return other
    const counter = { ...as, outcomes: { ok: 0, invalid: 0, denied: 0, limited: 0, failed: 0 }, lastMs: 0 }
    ofOrganization.set(key, counter)
    this.credentials++
    return counter
  }

  private newOrganization(organizationId: string): Map<string, Counter> | undefined {
    if (this.organizations.size >= MAX_ORGANIZATIONS) return undefined
    const counters = new Map<string, Counter>()
    this.organizations.set(organizationId, counters)
    return counters
  }

  private begin(day: number): void {
    this.close()
    this.day = day
  }

  /** Turns the counters into reports. */
  private close(): void {
    const day = dayOf(new Date(this.day * DAY_MS))
    const counts = [...this.organizations].flatMap(([organization_id, counters]) =>
      [...merged(counters.values())].map(({ kind, id, outcomes, lastMs }) => {
        const { ok, denied, ...others } = outcomes
        return {
          organization_id,
          day,
          kind,
          credential_id: id,
          requests: ok + others.invalid + others.limited + others.failed,
          denied,
          ...others,
          last_used_at: new Date(lastMs).toISOString(),
        }
      }),
    )
    this.organizations = new Map()
    this.credentials = 0
    for (let at = 0; at < counts.length; at += MAX_REPORTED_COUNTS)
      this.pending.push({ report_id: randomUUID(), counts: counts.slice(at, at + MAX_REPORTED_COUNTS) })
  }
}

/** Adds up the counters of a user's sessions. */
function merged(counters: Iterable<Counter>): Iterable<Counter> {
  const byId = new Map<string, Counter>()
  for (const counter of counters) {
    const key = `${counter.kind} ${counter.id}`
    const before = byId.get(key)
    if (before) {
      for (const outcome of REQUEST_OUTCOMES) before.outcomes[outcome] += counter.outcomes[outcome]
      before.lastMs = Math.max(before.lastMs, counter.lastMs)
    } else byId.set(key, counter)
  }
  return byId.values()
}
