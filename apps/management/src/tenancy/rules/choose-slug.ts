import { OperationError } from '@bearing/contracts/errors'
import { slugCandidates, slugOf, slugWithSuffix } from './slug.js'

export interface SlugRequest {
  readonly name: string
  /** The requested slug (default: derived from the name). */
  readonly slug?: string | undefined
}

/** A slug that is in use, or reserved for its former owner until a time. */
export interface UnavailableSlug {
  readonly slug: string
  readonly reservedUntil: Date | undefined
}

/**
 * Chooses a slug that is free.
 *
 * @param unavailable returns which slugs are in use or reserved
 * @param randomSuffix returns a unique suffix of lower-case letters and digits
 * @param fallback the slug for a name without usable characters, for example `organization`
 * @throws OperationError `slug_taken` or `slug_reserved` if the requested slug is not free
 */
export async function chooseSlug(
  request: SlugRequest,
  unavailable: (slugs: readonly string[]) => Promise<readonly UnavailableSlug[]>,
  randomSuffix: () => string,
  fallback: string,
): Promise<string> {
  if (request.slug !== undefined) {
    const [found] = await unavailable([request.slug])
    if (found?.reservedUntil) throw slugReserved(request.slug, found.reservedUntil)
    if (found) throw slugTaken(request.slug)
    return request.slug
  }
  const base = slugOf(request.name)
  if (base === undefined) return slugWithSuffix(fallback, randomSuffix())
  const candidates = slugCandidates(base)
  const used = new Set((await unavailable(candidates)).map(({ slug }) => slug))
  return candidates.find((candidate) => !used.has(candidate)) ?? slugWithSuffix(base, randomSuffix())
}

export function slugTaken(slug: string): OperationError {
  return new OperationError('slug_taken', `The slug "${slug}" is taken. Choose another slug.`)
}

/** Returns the error for a slug that is reserved for its former owner. */
export function slugReserved(slug: string, until: Date): OperationError {
  const day = until.toISOString().slice(0, 10)
  return new OperationError(
    'slug_reserved',
    `The slug "${slug}" is reserved for its former owner until ${day}. Choose another slug.`,
  )
}
