import { OperationError } from '@bearing/contracts/errors'
import { isUniqueViolation } from '../../ground/database.js'
import { chooseSlug, slugTaken, type SlugRequest, type UnavailableSlug } from '../rules/choose-slug.js'

/** Parameters for inserting a row with a slug. */
export interface SlugInsert<Result> {
  /** The slug for a name without usable characters. */
  readonly fallback: string
  /** Returns a unique suffix of lower-case letters and digits. */
  readonly randomSuffix: () => string
  /** Returns which slugs are in use or reserved. */
  readonly unavailable: (slugs: readonly string[]) => Promise<readonly UnavailableSlug[]>
  /** Runs once, after a free slug was chosen and before the insert. */
  readonly before: () => Promise<unknown>
  /** Inserts the row. Fails with a unique violation or `slug_reserved` only if the slug was taken or reserved meanwhile. */
  readonly insert: (slug: string) => Promise<Result>
}

/** Attempts if concurrent inserts take the chosen slugs. */
const ATTEMPTS = 5

/**
 * Inserts a row under the requested slug, or one derived from the name.
 *
 * @throws OperationError `slug_taken` or `slug_reserved` if the requested slug is not free
 */
export async function insertWithSlug<Result>(request: SlugRequest, how: SlugInsert<Result>): Promise<Result> {
  const choose = () => chooseSlug(request, how.unavailable, how.randomSuffix, how.fallback)
  let slug = await choose()
  await how.before()
  for (let attempt = 1; ; attempt++) {
    try {
      return await how.insert(slug)
    } catch (error) {
      const isReserved = error instanceof OperationError && error.code === 'slug_reserved'
      if (!isReserved && !isUniqueViolation(error)) throw error
      if (request.slug !== undefined || attempt === ATTEMPTS) throw isReserved ? error : slugTaken(slug)
      slug = await choose()
    }
  }
}
