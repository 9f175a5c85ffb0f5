import { ERROR_CODES, OperationError } from '@bearing/contracts/errors'
import { expect, it } from '@jest/globals'
import { geolocationErrorOf } from './geolocation-error.js'

it.each([
  ['malformed_json', 400, 'parseError'],
  ['invalid_input', 400, 'parseError'],
  ['credential_missing', 400, 'keyInvalid'],
  ['project_key_invalid', 400, 'keyInvalid'],
  ['permission_denied', 400, 'keyInvalid'],
  ['method_not_allowed', 405, 'httpMethodNotAllowed'],
  ['rate_limited', 403, 'userRateLimitExceeded'],
  ['location_not_found', 404, 'notFound'],
  ['nothing_usable', 404, 'notFound'],
  ['service_unavailable', 503, 'backendError'],
  ['internal', 500, 'internalError'],
] as const)('%s is %i %s to clients of geolocation services', (code, status, reason) => {
  const { error } = geolocationErrorOf(new OperationError(code, 'Why.'))
  expect(error).toMatchObject({ code: status, message: 'Why.', errors: [{ reason, message: 'Why.' }] })
})

it('has a status for every code, and never 401: clients of those services know of none', () => {
  for (const code of ERROR_CODES)
    expect([400, 403, 404, 405, 413, 500, 503]).toContain(
      geolocationErrorOf(new OperationError(code, '')).error.code,
    )
})
