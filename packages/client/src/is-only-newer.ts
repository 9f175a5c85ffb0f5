import type { z } from 'zod'

/**
 * Returns whether a reply differs from the contract only by what a newer server may have added to it: a further value of an
 * enumeration, a further alternative of a union, or a field where the contract lists all of them. A missing field or a value
 * of another type is none of these.
 *
 * @param issues what was found wrong with the reply; their paths start at it
 */
export function isOnlyNewer(reply: unknown, issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.every((issue) => isNewer(valueAt(reply, issue.path), issue))
}

function isNewer(value: unknown, issue: z.core.$ZodIssue): boolean {
  switch (issue.code) {
    case 'unrecognized_keys':
      return true
    case 'invalid_value':
      return typeof value === 'string' && issue.values.every((known) => typeof known === 'string')
    case 'invalid_union':
      // The path of an unknown alternative ends at the field that names it.
      return issue.errors.length === 0
        ? typeof value === 'string'
        : issue.errors.some((alternative) => isOnlyNewer(value, alternative))
    default:
      return false
  }
}

function valueAt(reply: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    reply,
  )
}
