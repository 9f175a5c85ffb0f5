import { OperationError } from '@bearing/contracts/errors'

/**
 * What a request is found by that still waits.
 *
 * @param id of the request; of the team where the request is from before requests had ids
 */
export function pendingLink(id: string, organizationId: string) {
  return {
    OR: [{ requestId: id }, { id, requestId: null }],
    requestedOrganizationId: organizationId,
    organizationId: null,
  }
}

/** What is said where no team asks. */
export function noLink(): OperationError {
  return new OperationError(
    'partner_link_not_found',
    'No team asks to be linked with the organization in this way. It may have chosen another one or have another name meanwhile: list the links again.',
  )
}
