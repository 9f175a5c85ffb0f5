import { z } from 'zod'
import type { Mistake } from '../../errors.js'

/** A part of a request that cannot be read, or is out of range, and is not used. */
export class LeftOut {
  constructor(readonly mistakes: readonly Mistake[]) {}
}

/** Returns a schema of an optional part: one that cannot be read costs itself, and the answer says so ({@link leftOutOf}). */
export function optionalPart<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .transform((read): z.output<Schema> | LeftOut => read)
    .catch(({ value }) => new LeftOut((schema.safeParse(value).error?.issues ?? []).map(mistakeOf)))
}

function mistakeOf({ path, message }: Pick<z.core.$ZodIssue, 'path' | 'message'>): Mistake {
  return { pointer: path.map((part) => `/${String(part)}`).join(''), detail: message }
}

/** Returns a part that could be read. */
export function given<Part>(part: Part | LeftOut): Part | undefined {
  return part instanceof LeftOut ? undefined : part
}

/** Returns those of a list that could be read. */
export function allGiven<Part>(parts: readonly (Part | LeftOut)[] | LeftOut | null | undefined): Part[] {
  if (!parts || parts instanceof LeftOut) return []
  return parts.filter((part): part is Exclude<Part, LeftOut> => !(part instanceof LeftOut))
}

/** Returns the mistakes of the parts that were left out, with their places in the request; lists are looked through. */
export function mistakesIn(parts: object): Mistake[] {
  return Object.entries(parts).flatMap(([name, part]: [string, unknown]) => {
    const found = part instanceof LeftOut ? part.mistakes : Array.isArray(part) ? mistakesIn(part) : []
    return found.map(({ pointer, detail }) => ({ pointer: `/${name}${pointer}`, detail }))
  })
}

/** Field that reports optional parts that were not used. */
export const LeftOutParts = {
  leftOut: z
    .array(z.object({ pointer: z.string(), detail: z.string() }))
    .optional()
    .describe(
      'Optional parts of the request that cannot be read or are out of range, and were not used; `pointer` is their place in it. Left out if there are none.',
    ),
}

/** Returns the same for an answer: nothing if all parts of the request could be read. */
export function leftOutOf(parts: Readonly<Record<string, unknown>>): { readonly leftOut?: Mistake[] } {
  const leftOut = mistakesIn(parts)
  return leftOut.length > 0 ? { leftOut } : {}
}
