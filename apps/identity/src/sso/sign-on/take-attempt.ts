import { OperationError } from '@bearing/contracts/errors'
import { Clock } from '@bearing/service/clock'
import { SecretBox } from '@bearing/service/secret-box'
import { Injectable } from '@nestjs/common'
import { z } from 'zod'
import { Database } from '../../ground/database.js'
import type { SignOnSecrets } from '../openid/openid-provider.js'
import { PURPOSE, attemptHash, subjectOf } from './attempt-row.js'

const Sealed = z.object({ nonce: z.string(), verifier: z.string() })

/** A sign-on that the right browser has come back from. */
export interface TakenAttempt {
  readonly secrets: SignOnSecrets
  readonly redirectUri: string
  readonly returnTo: string
  /** The session that wants to be linked. Null: none does. */
  readonly sessionId: string | null
}

interface Row {
  readonly secretBox: Uint8Array
  readonly pepperId: string
  readonly redirectUri: string
  readonly returnTo: string
  readonly sessionId: string | null
}

/** Finds the sign-on that a browser comes back from, once. */
@Injectable()
export class TakeAttempt {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Of two who come with the same `state` one gets it. It is left alone where the connection or the browser is another
   * one: who has stolen a `state` can neither use it nor take it away.
   *
   * @throws OperationError `sso_failed`
   */
  async take(
    connectionId: string,
    state: string | undefined,
    browser: string | undefined,
  ): Promise<TakenAttempt> {
    if (state === undefined || browser === undefined) throw notBegun()
    const stateHash = attemptHash(state)
    const [row] = await this.database.$queryRaw<Row[]>`
      DELETE FROM sign_on_attempts
      WHERE state_hash = ${stateHash} AND browser_hash = ${attemptHash(browser)}
        AND connection_id = ${connectionId}::uuid AND expires_at > ${this.clock.now()}::timestamptz
      RETURNING secret_box AS "secretBox", pepper_id AS "pepperId", redirect_uri AS "redirectUri",
                return_to AS "returnTo", session_id AS "sessionId"`
    if (!row) throw notBegun()
    const { secretBox: box, pepperId: keyId, ...attempt } = row
    const opened = this.box.open(PURPOSE, subjectOf(stateHash), { box, keyId })
    const { nonce, verifier } = Sealed.parse(JSON.parse(Buffer.from(opened).toString()))
    return { ...attempt, secrets: { state, nonce, verifier } }
  }
}

function notBegun(): OperationError {
  return new OperationError(
    'sso_failed',
    'This sign-on was not begun in this browser, was finished already, or has taken longer than ten minutes. Sign in again.',
    { reason: 'not_begun' },
  )
}
