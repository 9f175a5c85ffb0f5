import { OperationError, invalidInput } from '@bearing/contracts/errors'

/** A code is wrong, too old or was used. */
export function secondFactorInvalid(): OperationError {
  return new OperationError(
    'second_factor_invalid',
    'The code or passkey is not valid. Every code works once: wait for the next one, and check the clock of the device.',
  )
}

/** The user has no second factor. */
export function noSecondFactor(): OperationError {
  return new OperationError(
    'second_factor_not_found',
    'There is no such second factor. Set up an authenticator with POST /auth/totp, or add a passkey on the dashboard.',
  )
}

/** The user has a second factor already. */
export function secondFactorExists(
  message = 'There is an authenticator already. Remove it first, with one of its codes or a recovery code.',
): OperationError {
  return new OperationError('second_factor_exists', message)
}

/** Backoff after wrong codes. */
export function tooManyCodes(waitMs: number): OperationError {
  return new OperationError(
    'rate_limited',
    'Too many wrong codes. Wait, then try again; user API keys are not affected.',
    { retry_after: Math.max(1, Math.ceil(waitMs / 1_000)) },
  )
}

/** No code was sent, and no passkey. */
export function codeMissing(): OperationError {
  return invalidInput('/totp_code', 'must be given, or recovery_code or passkey')
}
