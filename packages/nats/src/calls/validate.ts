import { OperationError, type Mistake } from '@bearing/contracts/errors'
import type { z } from 'zod'

/** The most mistakes that one reply lists. */
const MAX_MISTAKES = 50

/**
 * Validates an input.
 *
 * @throws OperationError `invalid_input` with every mistake and its place
 */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw inputError(result.error)
}

/** Returns the error for an input that a schema refuses: `invalid_input` with every mistake and its place. */
export function inputError({ issues }: z.ZodError): OperationError {
  return invalidInput(mistakes(issues))
}

/** Returns `invalid_input` with mistakes and their places. */
export function invalidInput(errors: readonly Mistake[]): OperationError {
  const first = errors[0]
  const summary = first
    ? `${first.pointer === '' ? 'The input' : first.pointer} ${lowerFirst(first.detail)}`
    : ''
  const more = errors.length > 1 ? ` (and ${String(errors.length - 1)} more)` : ''
  return new OperationError('invalid_input', `${summary}${more}`, { errors: errors.slice(0, MAX_MISTAKES) })
}

function mistakes(issues: readonly z.core.$ZodIssue[]): Mistake[] {
  return issues.flatMap(innermost).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ pointer: pointerTo(issue.path), detail: issue.message }]
    // A line for each: see strict.ts of the contracts.
    const details = issue.message.split('\n')
    return issue.keys.map((name, at) => ({
      pointer: pointerTo([...issue.path, name]),
      detail: details[at] ?? issue.message,
    }))
  })
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Of alternatives, the issues of the intended one if it can be identified: they say more than that none fits. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.filter((inner) => inner.some(({ path }) => path.length > 0))
  const [inner] = meant
  if (!inner || meant.length > 1) return [issue]
  return inner.flatMap((each) => innermost({ ...each, path: [...issue.path, ...each.path] }))
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
