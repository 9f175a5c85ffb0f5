import { OperationError } from '@bearing/contracts/errors'
import { Injectable } from '@nestjs/common'
import { Clock } from '@bearing/service/ground/clock'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose'
import { z } from 'zod'
import { ProviderHttp } from './provider-http.js'

/** Lifetime of the cached location of an issuer's keys, in milliseconds. */
const DISCOVERED_MS = 600_000
/** Shortest time between two requests for the keys of an issuer, however many tokens name an unknown one. */
const COOLDOWN_MS = 30_000
/** Lifetime of the cached keys of an issuer, in milliseconds. */
const KEYS_MS = 600_000
const TIMEOUT_MS = 5_000
const MAX_ISSUERS = 1_000

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }).max(2_048) })

interface Known {
  readonly keys: Promise<JWTVerifyGetKey>
  readonly untilMs: number
}

/** The public keys of issuers, found by OpenID Connect Discovery through the guarded client, or pasted. */
@Injectable()
export class IssuerKeys {
  private readonly known = new Map<string, Known>()

  constructor(
    private readonly http: ProviderHttp,
    private readonly clock: Clock,
  ) {}

  /** @throws OperationError `service_unavailable` if the issuer does not respond as one */
  async of(issuer: string, pasted: unknown): Promise<JWTVerifyGetKey> {
    if (pasted !== null) return createLocalJWKSet(pasted as JSONWebKeySet) // the contract has checked it
    const nowMs = this.clock.nowMs()
    const known = this.known.get(issuer)
    if (known && known.untilMs > nowMs) return known.keys
    if (this.known.size >= MAX_ISSUERS) this.known.clear()
    const keys = this.discover(issuer)
    this.known.set(issuer, { keys, untilMs: nowMs + DISCOVERED_MS })
    // An issuer that does not respond is asked again after the cooldown.
    keys.catch(() => this.known.set(issuer, { keys, untilMs: nowMs + COOLDOWN_MS }))
    return keys
  }

  private async discover(issuer: string): Promise<JWTVerifyGetKey> {
    try {
      const url = new URL(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`)
      const found = Discovery.parse(await (await this.get(url.href)).json())
      if (found.issuer !== issuer) throw new Error('its metadata name another issuer')
      return createRemoteJWKSet(new URL(found.jwks_uri), {
        cooldownDuration: COOLDOWN_MS,
        cacheMaxAge: KEYS_MS,
        timeoutDuration: TIMEOUT_MS,
        [customFetch]: (address) => this.get(address),
      })
    } catch (cause) {
      throw new OperationError(
        'service_unavailable',
        'The issuer of the token does not respond as an OpenID provider. Try again shortly, or paste its keys into the trust.',
        { retry_after: 30 },
        { cause },
      )
    }
  }

  private async get(address: string): Promise<Response> {
    const headers = { accept: 'application/json' }
    const reply = await this.http.fetch(address, {
      method: 'GET',
      headers,
      body: undefined,
      redirect: 'manual',
    })
    if (reply.status !== 200) throw new Error(`the issuer responded with status ${String(reply.status)}`)
    return reply
  }
}
