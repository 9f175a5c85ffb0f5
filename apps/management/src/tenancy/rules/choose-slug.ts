import { OperationError } from '@bearing/contracts/errors'
import { slugCandidates, slugOf, slugWithEnding } from './slug.js'

/** What a slug is chosen for. */
export interface SlugRequest {
  readonly name: string
  /** The slug that the caller wants; one is made from the name when left out. */
  readonly slug?: string | undefined
}

/**
 * Chooses a slug that is free at the moment.
 *
 * @param taken which of some slugs are taken
 * @param randomEnding makes an ending that nobody else has, of lower-case letters and digits
 * @param otherwise what stands in the slug where the name has nothing for one, for example `organization`
 * @throws OperationError `slug_taken` where the caller wants one that is taken
 */
export async function chooseSlug(
  request: SlugRequest,
  taken: (slugs: readonly string[]) => Promise<readonly string[]>,
  randomEnding: () => string,
  otherwise: string,
): Promise<string> {
  if (request.slug !== undefined) {
    if ((await taken([request.slug])).length > 0) throw slugTaken(request.slug)
    return request.slug
  }
  const base = slugOf(request.name)
  if (base === undefined) return slugWithEnding(otherwise, randomEnding())
  const candidates = slugCandidates(base)
  const used = new Set(await taken(candidates))
  return candidates.find((candidate) => !used.has(candidate)) ?? slugWithEnding(base, randomEnding())
}

/** The error for a slug that somebody else has. */
export function slugTaken(slug: string): OperationError {
  return new OperationError('slug_taken', `The slug "${slug}" is taken. Choose another one.`)
}
