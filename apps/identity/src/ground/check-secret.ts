import { OperationError } from '@bearing/contracts/errors'
import { Injectable } from '@nestjs/common'
import {
  Peppers,
  UnknownPepperError,
  type RandomSecret,
  type StoredSecret,
} from './rules/peppers.js'

/** Checks the secret of a token, or a recovery code, against what is stored. */
@Injectable()
export class CheckSecret {
  constructor(private readonly peppers: Peppers) {}

  /**
   * Whether a token is the one that was stored under its id.
   *
   * @param withoutPepper what it is where the pepper is missing: `wrong` where the row alone says that it is refused, such
   *   as one that has expired
   * @throws OperationError `service_unavailable` where the pepper is missing: an operator's mistake must not look like a
   *   wrong credential, since devices and people throw those away
   */
  matches(
    token: RandomSecret,
    stored: StoredSecret | undefined,
    withoutPepper: 'wrong' | 'cannot_tell' = 'cannot_tell',
  ): boolean {
    try {
      return this.peppers.verify(token, stored)
    } catch (cause) {
      if (!(cause instanceof UnknownPepperError)) throw cause
      if (withoutPepper === 'wrong') return false
      throw new OperationError(
        'service_unavailable',
        'The credential cannot be checked at the moment.',
        {},
        { cause },
      )
    }
  }
}
