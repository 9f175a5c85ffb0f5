import { createHash } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { SecretBox } from '@bearing/service/store/secret-box'
import { Injectable } from '@nestjs/common'
import { z } from 'zod'
import { Database } from '../../ground/database.js'
import { callbackPath } from '../connections/connection-row.js'
import { OpenidProvider, type SignOnSecrets } from '../openid/openid-provider.js'
import { CurrentMetadata } from '../openid/current-metadata.js'

/** A sign-on must be completed within this time, in milliseconds. */
const LIFETIME_MS = 600_000
/** Purpose of the sealed secrets. */
const PURPOSE = 'sign-on attempt'
const Sealed = z.object({ nonce: z.string(), verifier: z.string() })

/** The connection of a sign-on. */
export interface ConnectionRow {
  readonly id: string
  readonly issuer: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly metadata: unknown
}

/** The columns of a {@link ConnectionRow}. */
export const CONNECTION_ROW = {
  id: true,
  issuer: true,
  clientId: true,
  scopes: true,
  metadata: true,
} as const

/** Data with which a browser starts a sign-on. */
export interface StartedAttempt {
  /** URL of the gateway, as the browser has it. */
  readonly origin?: string | undefined
  /** The browser's cookie from another sign-on, if any: both can then be completed. */
  readonly browser?: string | undefined
  readonly return_to: string
}

/** A sign-on that its browser completes. */
export interface CompletedAttempt {
  readonly secrets: SignOnSecrets
  readonly redirectUri: string
  readonly returnTo: string
  /** The session whose account is to be linked, if any. */
  readonly sessionId: string | null
}

interface Row extends Omit<CompletedAttempt, 'secrets'> {
  readonly secretBox: Uint8Array
  readonly pepperId: string
}

/** Stores sign-ons between their start and the browser's return from the provider. */
@Injectable()
export class SignOnAttempts {
  constructor(
    private readonly database: Database,
    private readonly provider: OpenidProvider,
    private readonly metadata: CurrentMetadata,
    private readonly box: SecretBox,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Starts a sign-on.
   *
   * @param sessionId the session whose account is to be linked, if any
   * @returns the URL to send the browser to, and its cookie
   */
  async start(connection: ConnectionRow, attempt: StartedAttempt, sessionId: string | null = null) {
    if (attempt.origin === undefined)
      throw new OperationError('invalid_input', 'The address that the browser knows is missing (origin).')
    const redirectUri = new URL(callbackPath(connection.id), attempt.origin).href
    const [state, nonce, verifier] = [this.random(), this.random(), this.random()]
    const browser = attempt.browser ?? this.random()
    const authorization_url = this.provider.authorizationUrl(
      {
        metadata: await this.metadata.of(connection),
        clientId: connection.clientId,
        clientSecret: undefined, // never sent through the browser
      },
      redirectUri,
      connection.scopes,
      { state, nonce, codeChallenge: createHash('sha256').update(verifier).digest('base64url') },
    )
    const stateHash = hashOf(state)
    const sealed = Buffer.from(JSON.stringify({ nonce, verifier }))
    const { box: secretBox, keyId: pepperId } = this.box.seal(PURPOSE, subjectOf(stateHash), sealed)
    const now = this.clock.now()
    await this.database.signOnAttempt.deleteMany({ where: { expiresAt: { lte: now } } })
    await this.database.signOnAttempt.create({
      data: {
        ...{ stateHash, secretBox, pepperId, redirectUri, sessionId },
        connectionId: connection.id,
        browserHash: hashOf(browser),
        returnTo: attempt.return_to,
        expiresAt: new Date(now.getTime() + LIFETIME_MS),
      },
    })
    return { authorization_url, browser }
  }

  /**
   * Completes a sign-on. Of two callers with the same `state` one succeeds. With another connection or browser the sign-on
   * stays, so a stolen `state` can neither be used nor deleted.
   *
   * @throws OperationError `sso_failed`
   */
  async complete(
    connectionId: string,
    state: string | undefined,
    browser: string | undefined,
  ): Promise<CompletedAttempt> {
    if (state === undefined || browser === undefined) throw notStarted()
    const stateHash = hashOf(state)
    const [row] = await this.database.$queryRaw<Row[]>`
      DELETE FROM sign_on_attempts
      WHERE state_hash = ${stateHash} AND browser_hash = ${hashOf(browser)}
        AND connection_id = ${connectionId}::uuid AND expires_at > ${this.clock.now()}::timestamptz
      RETURNING secret_box AS "secretBox", pepper_id AS "pepperId", redirect_uri AS "redirectUri",
                return_to AS "returnTo", session_id AS "sessionId"`
    if (!row) throw notStarted()
    const { secretBox: box, pepperId: keyId, ...attempt } = row
    const opened = this.box.open(PURPOSE, subjectOf(stateHash), { box, keyId })
    const { nonce, verifier } = Sealed.parse(JSON.parse(Buffer.from(opened).toString()))
    return { ...attempt, secrets: { state, nonce, verifier } }
  }

  /** Returns 256 bits: as PKCE verifier these are the 43 characters that RFC 7636 §4.1 requires. */
  private random(): string {
    return Buffer.from(this.randomness.bytes(32)).toString('base64url')
  }
}

/** `state` and cookie have 256 random bits, so a plain hash is enough. */
function hashOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(text).digest())
}

/** Returns what the secrets of an attempt are bound to. */
function subjectOf(stateHash: Uint8Array): string {
  return Buffer.from(stateHash).toString('hex')
}

function notStarted(): OperationError {
  return new OperationError(
    'sso_failed',
    'This sign-on was not started in this browser, was completed already, or took longer than ten minutes. Sign in again.',
    { reason: 'not_begun' },
  )
}
