import { OperationError, invalidInput } from '@bearing/contracts/errors'

/** A code is wrong, too old or was used. */
export function secondFactorInvalid(): OperationError {
  return new OperationError(
    'second_factor_invalid',
    'The code is not valid. Every code works once: wait for the next one, and check the clock of the device.',
  )
}

/** The user has no second factor. */
export function noSecondFactor(): OperationError {
  return new OperationError(
    'second_factor_not_found',
    'There is no second factor. Set one up with POST /auth/totp.',
  )
}

/** The user has a second factor already. */
export function secondFactorExists(): OperationError {
  return new OperationError(
    'second_factor_exists',
    'There is a second factor already. Remove it first, with one of its codes or a recovery code.',
  )
}

/** Backoff after wrong codes. */
export function tooManyCodes(waitMs: number): OperationError {
  return new OperationError(
    'rate_limited',
    'Too many wrong codes. Wait, then try again; user API keys are not affected.',
    { retry_after: Math.max(1, Math.ceil(waitMs / 1_000)) },
  )
}

/** Neither code was sent. */
export function codeMissing(): OperationError {
  return invalidInput('/totp_code', 'must be given, or recovery_code')
}
