import { createHash } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { SecretBox } from '@bearing/service/secret-box'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { OpenidProvider } from '../openid/openid-provider.js'
import { ProviderMetadata } from '../openid/provider-metadata.js'
import { callbackPath } from '../connections/connection-row.js'
import { PURPOSE, attemptHash, subjectOf } from './attempt-row.js'

/** Within so many milliseconds people sign in at their provider, or begin again. */
const LIFETIME_MS = 600_000

/** A connection that a sign-on goes through. */
export interface ConnectionRow {
  readonly id: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly metadata: unknown
}

/** What a sign-on is begun with. */
export interface NewAttempt {
  /** The address of the gateway that the browser knows. */
  readonly origin: string | undefined
  /** What the browser has in its cookie from another sign-on, if any: both can then be finished. */
  readonly browser: string | undefined
  readonly returnTo: string
  /** The session that wants to be linked, if any. */
  readonly sessionId?: string
}

/** Begins a sign-on. */
@Injectable()
export class OpenAttempt {
  constructor(
    private readonly database: Database,
    private readonly provider: OpenidProvider,
    private readonly box: SecretBox,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** @returns where to send the browser, and what to put into its cookie */
  async open(connection: ConnectionRow, attempt: NewAttempt) {
    if (attempt.origin === undefined)
      throw new OperationError('invalid_input', 'The address that the browser knows is missing (origin).')
    const redirectUri = new URL(callbackPath(connection.id), attempt.origin).href
    const [state, nonce, verifier] = [this.random(), this.random(), this.random()]
    const browser = attempt.browser ?? this.random()
    const authorizationUrl = this.provider.authorizationUrl(
      {
        metadata: ProviderMetadata.parse(connection.metadata),
        clientId: connection.clientId,
        clientSecret: undefined, // nothing of it goes through the browser
      },
      redirectUri,
      connection.scopes,
      { state, nonce, codeChallenge: createHash('sha256').update(verifier).digest('base64url') },
    )
    const stateHash = attemptHash(state)
    const { box, keyId } = this.box.seal(
      PURPOSE,
      subjectOf(stateHash),
      Buffer.from(JSON.stringify({ nonce, verifier })),
    )
    const now = this.clock.now()
    await this.database.signOnAttempt.deleteMany({ where: { expiresAt: { lte: now } } })
    await this.database.signOnAttempt.create({
      data: {
        stateHash,
        connectionId: connection.id,
        browserHash: attemptHash(browser),
        secretBox: box,
        pepperId: keyId,
        redirectUri,
        returnTo: attempt.returnTo,
        sessionId: attempt.sessionId ?? null,
        expiresAt: new Date(now.getTime() + LIFETIME_MS),
      },
    })
    return { authorization_url: authorizationUrl, browser }
  }

  /** 256 bits. As a PKCE verifier it has the 43 characters that RFC 7636 §4.1 asks for. */
  private random(): string {
    return Buffer.from(this.randomness.bytes(32)).toString('base64url')
  }
}
