import { OperationError } from '@bearing/contracts/errors'
import { slugCandidates, slugOf, slugWithSuffix } from './slug.js'

export interface SlugRequest {
  readonly name: string
  /** The requested slug (default: derived from the name). */
  readonly slug?: string | undefined
}

/**
 * Chooses a slug that is free.
 *
 * @param taken returns which slugs are taken
 * @param randomSuffix returns a unique suffix of lower-case letters and digits
 * @param fallback the slug for a name without usable characters, for example `organization`
 * @throws OperationError `slug_taken` if the requested slug is taken
 */
export async function chooseSlug(
  request: SlugRequest,
  taken: (slugs: readonly string[]) => Promise<readonly string[]>,
  randomSuffix: () => string,
  fallback: string,
): Promise<string> {
  if (request.slug !== undefined) {
    if ((await taken([request.slug])).length > 0) throw slugTaken(request.slug)
    return request.slug
  }
  const base = slugOf(request.name)
  if (base === undefined) return slugWithSuffix(fallback, randomSuffix())
  const candidates = slugCandidates(base)
  const used = new Set(await taken(candidates))
  return candidates.find((candidate) => !used.has(candidate)) ?? slugWithSuffix(base, randomSuffix())
}

/** Returns the error for a slug that is taken. */
export function slugTaken(slug: string): OperationError {
  return new OperationError('slug_taken', `The slug "${slug}" is taken. Choose another slug.`)
}
