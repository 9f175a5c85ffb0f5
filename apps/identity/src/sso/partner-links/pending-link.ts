import { OperationError } from '@bearing/contracts/errors'

/** Returns the condition for a pending request. @param id of the request, or of the team for requests without id */
export function pendingLink(id: string, organizationId: string) {
  return {
    OR: [{ requestId: id }, { id, requestId: null }],
    requestedOrganizationId: organizationId,
    organizationId: null,
  }
}

/** No team has such a pending request. */
export function noLink(): OperationError {
  return new OperationError(
    'partner_link_not_found',
    'There is no such request of a team. The team may have another request or another name meanwhile: list the links again.',
  )
}
