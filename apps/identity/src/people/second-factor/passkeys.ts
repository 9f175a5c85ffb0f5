import { Buffer } from 'node:buffer'
import { OperationError } from '@bearing/contracts/errors'
import type { addPasskey, PasskeyAssertion } from '@bearing/contracts/identity/people/passkey'
import type { Input } from '@bearing/contracts/operation'
import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockPasskey, type LockedPasskey } from '../../ground/locks.js'
import { MailQueue } from '../mails/mail-queue.js'
import { PasskeyChallenges } from './passkey-challenges.js'

/** Loads the library with the first passkey: it takes more than 20 MiB of memory. */
const loadLibrary = () => import('@simplewebauthn/server')

/** Fields that every reply of a browser has, and the library requires. */
const CREDENTIAL = { type: 'public-key', clientExtensionResults: {} } as const

/** Verifies passkeys (WebAuthn). Each must verify its user, and is bound to the public URL. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly database: Database,
    private readonly challenges: PasskeyChallenges,
    private readonly mails: MailQueue,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws OperationError `service_unavailable` without a public URL */
  challenge() {
    return { challenge: this.challenges.issue(), rp_id: this.expected().expectedRPID }
  }

  /** Returns the columns of a new passkey; undefined if the reply of the browser is not valid. */
  async verifyNew({ client_data: clientDataJSON, attestation_object }: Input<typeof addPasskey>) {
    const challengedAt = this.challenges.issuedAt(clientDataJSON)
    if (!challengedAt) return undefined
    const { verifyRegistrationResponse } = await loadLibrary()
    const { registrationInfo } = await unlessRefused(
      verifyRegistrationResponse({
        // The library compares the two ids with each other alone, and reads that of the attestation.
        response: {
          ...{ ...CREDENTIAL, id: 'new', rawId: 'new' },
          response: { clientDataJSON, attestationObject: attestation_object },
        },
        ...this.expected(),
      }),
    )
    if (!registrationInfo) return undefined
    const { id, publicKey, counter } = registrationInfo.credential
    return {
      credentialId: bytesOf(id),
      publicKey: new Uint8Array(publicKey),
      counter: BigInt(counter),
      challengedAt,
    }
  }

  /** Returns the user of a passkey that has not been verified yet. */
  async userOf({ credential_id }: PasskeyAssertion): Promise<string | undefined> {
    const row = await this.database.passkey.findUnique({
      where: { credentialId: bytesOf(credential_id) },
      select: { userId: true },
    })
    return row?.userId
  }

  /**
   * Returns whether a passkey of a user has signed a challenge that it has not signed before. The challenge is then used up. If the
   * counter of the authenticator went back, it is refused and its user is notified, so the transaction must be committed.
   */
  async accept(transaction: Transaction, userId: string, assertion: PasskeyAssertion): Promise<boolean> {
    const row = await lockPasskey(transaction, userId, bytesOf(assertion.credential_id))
    const challengedAt = this.challenges.issuedAt(assertion.client_data)
    if (!row || !challengedAt || challengedAt <= row.challengedAt) return false
    const counter = await this.verify(row, assertion)
    if (counter === undefined) return false
    const wasCloned = (counter > 0 || row.counter > 0) && counter <= row.counter
    await transaction.passkey.update({
      where: { id: row.id },
      data: wasCloned ? { challengedAt } : { challengedAt, counter, lastUsedAt: this.clock.now() },
    })
    if (!wasCloned) return true
    recordAudit(transaction, ANONYMOUS, { action: 'passkey.refused', target: ['user', userId] })
    await this.mails.add(transaction, 'passkey_refused', userId)
    return false
  }

  private async verify(
    { publicKey }: LockedPasskey,
    { credential_id: id, client_data, authenticator_data, signature }: PasskeyAssertion,
  ): Promise<bigint | undefined> {
    const { verifyAuthenticationResponse } = await loadLibrary()
    const response = { clientDataJSON: client_data, authenticatorData: authenticator_data, signature }
    const { verified, authenticationInfo } = await unlessRefused(
      verifyAuthenticationResponse({
        response: { ...CREDENTIAL, id, rawId: id, response },
        // The library would report a counter that went back like any other error.
        credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
        ...this.expected(),
      }),
    )
    return verified === true ? BigInt(authenticationInfo.newCounter) : undefined
  }

  private expected() {
    const { PUBLIC_URL } = this.settings
    if (PUBLIC_URL === '')
      throw new OperationError(
        'service_unavailable',
        'Passkeys are bound to the public URL, and this Bearing has none. Its operator has to set PUBLIC_URL of identity.',
      )
    const { origin, hostname } = new URL(PUBLIC_URL)
    return {
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
      // `issuedAt` has verified the challenge.
      expectedChallenge: () => true,
    }
  }
}

/** Returns an empty outcome if the library refuses a reply: it throws for each reason, and the caller learns none of them. */
async function unlessRefused<Outcome extends object>(
  verification: Promise<Outcome>,
): Promise<Outcome | { verified?: undefined; registrationInfo?: undefined; authenticationInfo?: undefined }> {
  try {
    return await verification
  } catch {
    return {}
  }
}

export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, 'base64url'))
}
