import { randomBytes } from 'node:crypto'
import { UsageError } from '../usage-error.js'

/** The changed peppers, and the affected one. */
export interface ChangedPeppers {
  /** The new value of IDENTITY_PEPPERS. */
  readonly value: string
  readonly id: string
}

/** Adds a pepper at the end: it verifies, and new secrets do not use it yet. */
export function addPepper(value: string): ChangedPeppers {
  const peppers = read(value)
  const numbers = peppers.map(({ id }) => Number(id)).filter(Number.isSafeInteger)
  const id = String(Math.max(0, ...numbers) + 1)
  return write([...peppers, { id, key: randomBytes(32).toString('base64') }], id)
}

/**
 * Moves the last pepper to the front, so that new secrets use it.
 *
 * @throws UsageError if there is only one
 */
export function promotePepper(value: string): ChangedPeppers {
  const peppers = read(value)
  const last = peppers.at(-1)
  if (!last || peppers.length < 2)
    throw new UsageError('There is no new pepper to promote.', 'Add one first: peppers add.')
  return write([last, ...peppers.slice(0, -1)], last.id)
}

/**
 * Removes a pepper.
 *
 * @throws UsageError if it does not exist, or new secrets use it
 */
export function retirePepper(value: string, id: string): ChangedPeppers {
  const peppers = read(value)
  if (!peppers.some((pepper) => pepper.id === id)) throw new UsageError(`The pepper "${id}" does not exist.`)
  if (peppers[0]?.id === id)
    throw new UsageError(
      `New secrets use the pepper "${id}".`,
      'Promote another pepper first: peppers promote.',
    )
  return write(
    peppers.filter((pepper) => pepper.id !== id),
    id,
  )
}

interface Pepper {
  readonly id: string
  /** Base 64. */
  readonly key: string
}

/** Messages must not contain the value: it is secret. */
function read(value: string): Pepper[] {
  return value.split(',').map((text) => {
    const [, id = '', key = ''] = /^\s*([^:\s]+):(\S+)\s*$/.exec(text) ?? []
    if (id === '')
      throw new UsageError('The value of IDENTITY_PEPPERS is invalid: it must be id:base64, comma separated.')
    return { id, key }
  })
}

function write(peppers: readonly Pepper[], id: string): ChangedPeppers {
  return { value: peppers.map((pepper) => `${pepper.id}:${pepper.key}`).join(','), id }
}
