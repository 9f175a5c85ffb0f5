import { invalidInput } from '@bearing/contracts/errors'
import { isUniqueViolation, type Transaction } from '../../ground/database.js'
import { slugTaken } from '../rules/choose-slug.js'
import { claimSlug } from './claim-slug.js'
import { checkReservedSlugs, reserveSlug } from './reserve-slug.js'
import type { SlugOwner } from './slug-owner.js'

export interface Names {
  readonly name: string
  readonly slug: string
}

/** Result of a rename: the new names, the former slug, and the details for the audit log. */
export interface Renamed extends Names {
  /** Null: only the name changed. */
  readonly former_slug: string | null
  readonly details: Readonly<Record<string, string>>
}

/**
 * Changes the name and slug of an organization or project, and reserves its former slug. The caller has locked the organization.
 *
 * @param wanted what to change
 * @param write writes both names
 * @returns undefined if nothing changes
 * @throws OperationError `slug_taken`, `slug_reserved`, `quota_exceeded` if it has too many reserved slugs, `invalid_input`
 */
export async function changeNames(
  transaction: Transaction,
  owner: SlugOwner,
  before: Names,
  wanted: { readonly name?: string | undefined; readonly slug?: string | undefined },
  now: Date,
  write: (names: Names) => Promise<unknown>,
): Promise<Renamed | undefined> {
  if (wanted.name === undefined && wanted.slug === undefined)
    throw invalidInput('/name', 'is missing, and so is /slug: send one of them or both')
  const { name = before.name, slug = before.slug } = wanted
  if (name === before.name && slug === before.slug) return undefined
  try {
    await write({ name, slug })
  } catch (error) {
    throw isUniqueViolation(error) ? slugTaken(slug) : error
  }
  if (slug !== before.slug) {
    await claimSlug(transaction, owner, slug, now)
    await checkReservedSlugs(transaction, owner, now)
    await reserveSlug(transaction, owner, before.slug, now)
  }
  return {
    name,
    slug,
    former_slug: slug === before.slug ? null : before.slug,
    details: {
      ...(name !== before.name && { name, name_before: before.name }),
      ...(slug !== before.slug && { slug, slug_before: before.slug }),
    },
  }
}
