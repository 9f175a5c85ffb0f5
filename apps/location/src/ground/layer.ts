import { OperationError } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'

/** The id that the base layer has in the tables: part of a primary key cannot be null. No organization has it. */
export const BASE_LAYER = '00000000-0000-0000-0000-000000000000'

/**
 * Returns the layer that an operation writes to.
 *
 * The permission to import into the organization was checked before the handler. The base layer belongs to all organizations
 * and is checked here once more: only services and operators write to it.
 *
 * @param organizationId as the contracts have it: null is the base layer
 * @throws OperationError `permission_denied`
 */
export function writableLayer(organizationId: string | null, by: Principal): string {
  const layer = organizationId ?? BASE_LAYER
  if (layer === BASE_LAYER && by.kind !== 'service')
    throw new OperationError(
      'permission_denied',
      'Only the operator may change the base layer. Import into an organization instead.',
    )
  return layer.toLowerCase()
}

/** Returns the organization whose layer it is; null for the base layer. */
export function organizationOf(layer: string): string | null {
  return layer === BASE_LAYER ? null : layer
}
