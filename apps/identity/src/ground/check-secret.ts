import { OperationError } from '@bearing/contracts/errors'
import { Injectable } from '@nestjs/common'
import { Peppers, UnknownPepperError, type RandomSecret, type StoredSecret } from './rules/peppers.js'

/** Verifies secrets of tokens and recovery codes. */
@Injectable()
export class CheckSecret {
  constructor(private readonly peppers: Peppers) {}

  /**
   * Returns whether a secret is the stored one.
   *
   * @param withoutPepper the result if the pepper is missing: `wrong` if the row is refused anyway, such as an expired one
   * @throws OperationError `service_unavailable` if the pepper is missing: a wrong configuration must not look like a wrong
   *   credential, since devices erase those
   */
  matches(
    token: RandomSecret,
    stored: StoredSecret | undefined,
    withoutPepper: 'wrong' | 'unverifiable' = 'unverifiable',
  ): boolean {
    try {
      return this.peppers.verify(token, stored)
    } catch (cause) {
      if (!(cause instanceof UnknownPepperError)) throw cause
      if (withoutPepper === 'wrong') return false
      throw new OperationError(
        'service_unavailable',
        'The credential cannot be verified right now.',
        {},
        { cause },
      )
    }
  }
}
