import { createHash } from 'node:crypto'
import { clientNetwork } from '@bearing/access/client-network'
import type { Principal } from '@bearing/contracts/principal'
import type { Count, Limit, RateLimits } from '@bearing/service/store/rate-limits'
import type { FastifyReply } from 'fastify'
import { LimitReached, limitHeaders, type LimitHeaders } from './limit-reached.js'

/**
 * Kinds of anonymous requests of a network. Each has the whole limit, so that no kind uses up that of another.
 * - `other`: everything else.
 */
export type AnonymousKind = 'other' | 'sign-in' | 'password-reset'

/** Polls of one command-line login per minute: twice as many as a client sends that keeps the interval. */
const LOGIN_POLLS = 24
/** Factor between a network's limit of polls, or of exchanges, and its anonymous limit: many people and jobs share an IP address. */
const POLLS_PER_REQUEST = 20

/** Requests allowed per minute; 0 for no limit. */
export interface RequestsPerMinute {
  readonly credential: number
  readonly organization: number
  readonly anonymous: number
}

/**
 * The request limits of the gateway (docs/decisions/0016-limit-rates-without-locking-out-other-callers.md). Each method counts a request, adds the limit to the
 * headers of the reply, and throws {@link LimitReached} over the limit. It returns a promise only with a shared store.
 */
export class RequestQuotas {
  private readonly credential: Limit | undefined
  private readonly organization: Limit | undefined
  private readonly anonymous: Readonly<Record<AnonymousKind, Limit | undefined>>
  private readonly polls: Limit | undefined
  private readonly login: Limit | undefined
  private readonly exchanges: Limit | undefined

  constructor(limits: RateLimits, perMinute: RequestsPerMinute) {
    const limit = (name: string, points: number) =>
      points > 0 ? limits.limit({ name, points, windowS: 60, whenStoreIsDown: 'open' }) : undefined
    this.credential = limit('credential', perMinute.credential)
    this.organization = limit('organization', perMinute.organization)
    this.anonymous = {
      other: limit('strangers', perMinute.anonymous),
      'sign-in': limit('sign-in', perMinute.anonymous),
      'password-reset': limit('password-reset', perMinute.anonymous),
    }
    this.polls = limit('login-polls', perMinute.anonymous * POLLS_PER_REQUEST)
    this.login = limit('login', LOGIN_POLLS)
    this.exchanges = limit('token-exchange', perMinute.anonymous * POLLS_PER_REQUEST)
  }

  /** A fleet shares its project key, so the key is counted per client network: one device cannot use up the limit of all. */
  countCredential(principal: Principal, ip: string, reply: FastifyReply): Promise<void> | undefined {
    if (principal.kind === 'service') return undefined
    return count(this.credential, credentialKey(principal, ip), 'were made with this credential', reply)
  }

  /**
   * Counts an authorized request, so only members use the limit up. Project keys are counted apart: anyone with a device
   * has one, and must not be able to keep an admin from replacing it.
   */
  countOrganization(
    organizationId: string,
    kind: Principal['kind'],
    reply: FastifyReply,
  ): Promise<void> | undefined {
    return count(
      this.organization,
      organizationKey(organizationId, kind),
      'were made for this organization',
      reply,
    )
  }

  /**
   * Counts further requests that one request contains, such as the scans of a batch: all of them, or none if a limit has no
   * room for all.
   *
   * @throws LimitReached
   */
  async countMore(
    principal: Principal,
    ip: string,
    organizationId: string,
    more: number,
    reply: FastifyReply,
  ): Promise<void> {
    if (principal.kind === 'service' || more <= 0) return
    const limits = [
      [this.credential, credentialKey(principal, ip)],
      [this.organization, organizationKey(organizationId, principal.kind)],
    ] as const
    for (const [limit, key] of limits) {
      const before = await limit?.look(key)
      if (limit && before && before.used + more > limit.points) throw tooMany(limit, before, more)
    }
    void reply.removeHeader('ratelimit-policy').removeHeader('ratelimit')
    for (const [limit, key] of limits) {
      if (!limit) continue
      const counted = await limit.add(key, more)
      // Others may have been counted since.
      if (counted.used > limit.points) throw tooMany(limit, counted, more)
      addHeaders(reply, limitHeaders(limit, counted))
    }
  }

  /** Counts a request without a credential, such as signing in, by client network. */
  countAnonymous(ip: string, reply: FastifyReply, kind: AnonymousKind = 'other'): Promise<void> | undefined {
    return count(
      this.anonymous[kind],
      clientNetwork(ip),
      'came from this address without a credential',
      reply,
    )
  }

  /** Counts a poll of a command-line login by client network, before its body is read. */
  countPoll(ip: string, reply: FastifyReply): Promise<void> | undefined {
    return count(this.polls, clientNetwork(ip), 'asked from this address whether a login is allowed', reply)
  }

  /** Counts an exchange of a workload's token by client network: many jobs may run behind one address. */
  countExchange(ip: string, reply: FastifyReply): Promise<void> | undefined {
    return count(this.exchanges, clientNetwork(ip), 'asked from this address to exchange tokens', reply)
  }

  /** Counts a poll for its login, whatever network it came from. */
  countLogin(deviceCode: string, reply: FastifyReply): Promise<void> | undefined {
    const key = createHash('sha256').update(deviceCode).digest('base64url')
    return count(this.login, key, 'asked whether this login is allowed', reply)
  }
}

function credentialKey(principal: Exclude<Principal, { kind: 'service' }>, ip: string): string {
  const { kind, credential_id: id } = principal
  return kind === 'project_key' ? `${id}|${clientNetwork(ip)}` : id
}

function organizationKey(organizationId: string, kind: Principal['kind']): string {
  return kind === 'project_key' || kind === 'device' ? `${organizationId}|devices` : organizationId
}

function tooMany(limit: Limit, counted: Count, more: number): LimitReached {
  const message = `The request counts as ${String(more + 1)} requests, and ${String(limit.points)} a minute are allowed. Send it again later, or in smaller parts.`
  return new LimitReached(limit, counted, message)
}

function count(
  limit: Limit | undefined,
  key: string,
  requests: string,
  reply: FastifyReply,
): Promise<void> | undefined {
  if (!limit) return undefined
  const settle = (counted: Count) => {
    if (counted.used > limit.points)
      throw new LimitReached(
        limit,
        counted,
        `More than ${String(limit.points)} requests a minute ${requests}.`,
      )
    addHeaders(reply, limitHeaders(limit, counted))
  }
  const counted = limit.count(key)
  if (counted instanceof Promise) return counted.then(settle)
  settle(counted)
  return undefined
}

/** The header fields are lists, so several limits stand side by side. */
function addHeaders(reply: FastifyReply, headers: LimitHeaders): void {
  addToList(reply, 'ratelimit-policy', headers['ratelimit-policy'])
  addToList(reply, 'ratelimit', headers.ratelimit)
}

function addToList(reply: FastifyReply, name: keyof LimitHeaders, value: string): void {
  const before = reply.getHeader(name)
  void reply.header(name, typeof before === 'string' ? `${before}, ${value}` : value)
}
