import { z } from 'zod'

/** An entry of a list before it is read: its fields may be anything. */
export type Unread<Shape extends z.ZodObject> = Readonly<Partial<Record<keyof z.input<Shape>, unknown>>>

/**
 * Returns an entry of a list that devices send: what is wrong with one costs that one, and not the request. Null counts as one that
 * cannot be read; what is neither null nor an object is another shape, and refused.
 *
 * Read in one step: a step for each field of each entry took ten times as long, and there are twenty in a scan.
 *
 * @param id name in the API reference
 * @param shape what is to be sent, for the API reference and for who writes a client; nothing is checked with it
 * @param read reads one; undefined is one that cannot be read
 */
export function sentEntry<Shape extends z.ZodObject, Read>(
  id: string,
  shape: Shape,
  read: (sent: Unread<Shape>) => Read | undefined,
) {
  const { $schema: _, ...json } = z.toJSONSchema(shape, { io: 'input' })
  return z
    .custom<z.input<Shape> | null>(
      (sent) => typeof sent === 'object' && !Array.isArray(sent),
      'must be an object',
    )
    .meta({ ...json, id })
    .transform((sent) => (sent === null ? undefined : read(sent)))
}
