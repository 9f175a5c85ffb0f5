import { hasExpired } from '@bearing/access/expiry'
import { isProjectKey } from '@bearing/access/project-key-format'
import { parseToken, tokenKind } from '@bearing/access/token-format'
import { OperationError } from '@bearing/contracts/errors'
import {
  credentialChanged,
  introspectCredential,
  type PresentedCredential,
} from '@bearing/contracts/identity/credential'
import type { Principal } from '@bearing/contracts/principal'
import type { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import type { Logger } from '@bearing/service/logger'
import { CredentialCache, type Introspected } from '@bearing/service/credential-cache'

/** Somebody whose credential was found valid. */
export interface Caller {
  readonly principal: Principal
  /** Signed claims about the principal, for the services. */
  readonly claims: string
}

/** Why a credential is refused. */
export type RefusalReason = 'malformed' | 'unknown' | 'expired'

/** How long a refused credential is remembered, in milliseconds: long enough to blunt a flood, short for a new key. */
const REFUSED_TTL_MS = 1_000
/** How long identity may take, in milliseconds. */
const INTROSPECTION_TIMEOUT_MS = 3_000

/** Tells who holds a credential, from memory or by asking identity. */
export class Authenticator {
  private readonly cache: CredentialCache

  constructor(
    client: NatsClient,
    connection: Connection,
    logger: Logger,
    limits: { readonly ttlMs: number; readonly maxEntries: number },
    private readonly now: () => number = Date.now,
  ) {
    this.cache = new CredentialCache({
      introspect: (credential, fresh) =>
        client.call(introspectCredential, { ...credential, fresh }, { timeoutMs: INTROSPECTION_TIMEOUT_MS }),
      isWellFormed,
      now,
      elapsed: () => performance.now(),
      refusedTtlMs: REFUSED_TTL_MS,
      ...limits,
    })
    onEvent(
      connection,
      credentialChanged,
      ({ tags }) => {
        this.cache.forget(tags)
      },
      (error) => {
        // What it was about is unknown, so it may have been about anything.
        this.cache.clear()
        logger.warn({ err: error }, 'an event about credentials could not be read')
      },
    )
    connection.reconnected(() => {
      this.cache.clear()
    })
  }

  /**
   * The holder of a credential.
   *
   * @returns the caller, or why the credential is refused
   * @throws OperationError (status 503) where it cannot be told: that must never look like a refusal
   */
  async authenticate(credential: PresentedCredential): Promise<Caller | RefusalReason> {
    const answer = await this.ask(credential)
    if (!answer.active) return answer.reason
    // Checked on every request, since a remembered credential may have expired since.
    if (hasExpired(answer.principal, this.now())) return 'expired'
    return answer
  }

  private async ask(credential: PresentedCredential): Promise<Introspected> {
    try {
      return await this.cache.look(credential)
    } catch (error) {
      if (error instanceof OperationError && error.status === 503) throw error
      throw new OperationError(
        'service_unavailable',
        'It cannot be told at the moment whether the credential is valid. Try again shortly.',
        { retry_after: 1 },
        { cause: error },
      )
    }
  }
}

/** What is mistyped or made up is refused without asking anybody. */
function isWellFormed(credential: PresentedCredential): boolean {
  switch (credential.kind) {
    case 'organization_token':
      return parseToken(credential.token)?.kind === 'organization_token'
    case 'project_key':
      return isProjectKey(credential.key)
    case 'user':
      // What begins like an API key is checked as one, and never as a password.
      return tokenKind(credential.secret) === undefined || parseToken(credential.secret)?.kind === 'user_key'
  }
}
