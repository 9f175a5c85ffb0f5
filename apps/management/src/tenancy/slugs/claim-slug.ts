import type { Transaction } from '../../ground/database.js'
import { slugReserved } from '../rules/choose-slug.js'
import { scopeOf, type SlugOwner } from './slug-owner.js'

/**
 * Ends the reservation of a slug that its owner uses again, or refuses a slug that is reserved for another owner. Call it after the
 * write that uses the slug: the unique index has then waited for the transaction that gave the slug up and reserved it.
 *
 * @throws OperationError `slug_reserved`
 */
export async function claimSlug(
  transaction: Transaction,
  owner: SlugOwner,
  slug: string,
  now: Date,
): Promise<void> {
  const where = { scopeId: scopeOf(owner), slug }
  const reserved = await transaction.reservedSlug.findUnique({ where: { scopeId_slug: where } })
  if (!reserved) return
  const isOwn = reserved.ownerId === (owner.projectId ?? owner.organizationId)
  if (!isOwn && reserved.expiresAt > now) throw slugReserved(slug, reserved.expiresAt)
  await transaction.reservedSlug.deleteMany({ where })
}
