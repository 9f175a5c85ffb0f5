import { OperationError } from '@bearing/contracts/errors'

/** What is said where no team asks. */
export function noLink(): OperationError {
  return new OperationError(
    'partner_link_not_found',
    'No team asks to be linked with the organization in this way. It may have chosen another one meanwhile.',
  )
}
