import { DAY_MS } from '@bearing/contracts/durations'
import { refuseBeyond } from '@bearing/contracts/counts/quota'
import type { Transaction } from '../../ground/database.js'
import { scopeOf, type SlugOwner } from './slug-owner.js'

/** Days for which a former slug stays reserved for its owner. */
export const RESERVED_DAYS = 30
/** Reserved slugs of one organization or project: a limit on the slugs that one owner keeps from others. */
export const MAX_RESERVED_SLUGS = 10

/**
 * Reserves the former slug of an organization or project for {@link RESERVED_DAYS} days: no other owner can use it, and requests to
 * it do not reach another one. Call it in the transaction that renames or deletes the owner.
 *
 * @param slug the slug that the owner no longer uses
 * @param now the start of the reservation
 */
export async function reserveSlug(
  transaction: Transaction,
  owner: SlugOwner,
  slug: string,
  now: Date,
): Promise<void> {
  const columns = {
    ownerId: owner.projectId ?? owner.organizationId,
    expiresAt: new Date(now.getTime() + RESERVED_DAYS * DAY_MS),
  }
  const scopeId = scopeOf(owner)
  await transaction.reservedSlug.upsert({
    where: { scopeId_slug: { scopeId, slug } },
    create: { scopeId, slug, ...columns },
    update: columns,
  })
}

/**
 * Checks that an organization or project may release its slug and reserve it.
 *
 * @throws OperationError `quota_exceeded`
 */
export async function checkReservedSlugs(
  transaction: Transaction,
  owner: SlugOwner,
  now: Date,
): Promise<void> {
  const ownerId = owner.projectId ?? owner.organizationId
  const count = await transaction.reservedSlug.count({ where: { ownerId, expiresAt: { gt: now } } })
  const what = owner.projectId === undefined ? 'organization' : 'project'
  refuseBeyond(
    {
      ...{ resource: 'reserved_slugs', limit: MAX_RESERVED_SLUGS, raised_by: 'nobody' },
      has: `The ${what} has too many reserved slugs`,
      remedy: `Wait until one of its former slugs expires (${String(RESERVED_DAYS)} days), or take one back`,
    },
    count,
  )
}
