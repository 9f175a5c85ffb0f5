import { isUniqueViolation } from '../ground/database.js'
import { chooseSlug, slugTaken, type SlugRequest } from './rules/choose-slug.js'

/** How a row with a slug is inserted. */
export interface SlugInsert<Result> {
  /** The slug for a name without usable characters. */
  readonly fallback: string
  /** Returns a unique suffix of lower-case letters and digits. */
  readonly randomSuffix: () => string
  /** Returns which slugs are taken. */
  readonly taken: (slugs: readonly string[]) => Promise<readonly string[]>
  /** Runs once, after a free slug was chosen and before the insert. */
  readonly before: () => Promise<unknown>
  /** Inserts the row. Fails with a unique violation only if the slug was taken meanwhile. */
  readonly insert: (slug: string) => Promise<Result>
}

/** Attempts if concurrent inserts take the chosen slugs. */
const ATTEMPTS = 5

/**
 * Inserts a row under the requested slug, or one derived from the name.
 *
 * @throws OperationError `slug_taken` if the requested slug is taken
 */
export async function insertWithSlug<Result>(request: SlugRequest, how: SlugInsert<Result>): Promise<Result> {
  const choose = () => chooseSlug(request, how.taken, how.randomSuffix, how.fallback)
  let slug = await choose()
  await how.before()
  for (let attempt = 1; ; attempt++) {
    try {
      return await how.insert(slug)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      if (request.slug !== undefined || attempt === ATTEMPTS) throw slugTaken(slug)
      slug = await choose()
    }
  }
}
