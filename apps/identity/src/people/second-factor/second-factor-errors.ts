import { OperationError } from '@bearing/contracts/errors'

/** A code is wrong, too old or was used. */
export function secondFactorInvalid(): OperationError {
  return new OperationError(
    'second_factor_invalid',
    'The code is not valid. Every code works once: wait for the next one, and see that the clock of the device is right.',
  )
}

/** There is nothing to prove or take away. */
export function noSecondFactor(): OperationError {
  return new OperationError(
    'second_factor_not_found',
    'There is no second factor. POST /auth/totp begins to set one up.',
  )
}

/** There is one already. */
export function secondFactorExists(): OperationError {
  return new OperationError(
    'second_factor_exists',
    'There is a second factor already. Remove it first, with a code of it or a recovery code.',
  )
}

/** No code is looked at for a while. */
export function tooManyCodes(waitMs: number): OperationError {
  return new OperationError(
    'rate_limited',
    'Too many wrong codes. Wait, then try again; user API keys are not affected.',
    { retry_after: Math.max(1, Math.ceil(waitMs / 1_000)) },
  )
}

/** Neither code was given. */
export function codeMissing(): OperationError {
  const detail = 'must be given, or recovery_code'
  return new OperationError('invalid_input', `/totp_code ${detail}`, {
    errors: [{ pointer: '/totp_code', detail }],
  })
}
