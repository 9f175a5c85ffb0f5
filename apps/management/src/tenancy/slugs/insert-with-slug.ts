import { isUniqueViolation } from '../../ground/database.js'
import { chooseSlug, slugTaken, type SlugRequest } from '../rules/choose-slug.js'

/** How something with a slug comes into the database. */
export interface SlugInsert<Result> {
  /** What stands in the slug where the name has nothing for one. */
  readonly otherwise: string
  /** Makes an ending that nobody else has, of lower-case letters and digits. */
  readonly randomEnding: () => string
  /** Which of some slugs are taken. */
  readonly taken: (slugs: readonly string[]) => Promise<readonly string[]>
  /** Done once, when a slug was free and nothing was written yet. */
  readonly before: () => Promise<unknown>
  /** Writes the row. Fails with a unique violation where the slug was taken meanwhile, and only there. */
  readonly insert: (slug: string) => Promise<Result>
}

/** How often another slug is tried when somebody else was faster. */
const ATTEMPTS = 5

/**
 * Inserts something under the slug that the caller wants, or else one made from the name.
 *
 * @throws OperationError `slug_taken` where the caller wants one that is taken
 */
export async function insertWithSlug<Result>(request: SlugRequest, how: SlugInsert<Result>): Promise<Result> {
  const choose = () => chooseSlug(request, how.taken, how.randomEnding, how.otherwise)
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
