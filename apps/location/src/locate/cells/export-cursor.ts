import { invalidInput } from '@bearing/contracts/errors'

/** A page of an export begins behind a cell. */
export interface Cursor {
  readonly learned: boolean
  readonly after: readonly number[]
}

/** The first page, for organizations without imports. */
export const LEARNED_FIRST: Cursor = { learned: true, after: [0, 0, 0, 0, 0] }

export function writeCursor({ learned, after }: Cursor): string {
  return [learned ? 'l' : 'i', ...after].join('.')
}

/** @throws OperationError `invalid_input` */
export function readCursor(text: string): Cursor {
  const found = /^([il])\.(\d)\.(\d{1,3})\.(\d{1,3})\.(\d{1,8})\.(\d{1,11})$/.exec(text)
  if (found) return { learned: found[1] === 'l', after: found.slice(2).map(Number) }
  throw invalidInput('/cursor', 'must be the `next` of the previous reply')
}
