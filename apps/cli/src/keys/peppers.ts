import { randomBytes } from 'node:crypto'
import { UsageError } from '../usage-error.js'

/** What became of the peppers, and the one that it is about. */
export interface ChangedPeppers {
  /** The new value of IDENTITY_PEPPERS. */
  readonly value: string
  readonly id: string
}

/** Adds a new pepper behind those there are: it verifies, and makes nothing yet. */
export function addPepper(value: string): ChangedPeppers {
  const peppers = read(value)
  const numbers = peppers.map(({ id }) => Number(id)).filter(Number.isSafeInteger)
  const id = String(Math.max(0, ...numbers) + 1)
  return write([...peppers, { id, key: randomBytes(32).toString('base64') }], id)
}

/**
 * Puts the last pepper in front, so that new secrets get it.
 *
 * @throws UsageError where there is only one
 */
export function promotePepper(value: string): ChangedPeppers {
  const peppers = read(value)
  const last = peppers.at(-1)
  if (!last || peppers.length < 2)
    throw new UsageError('There is no new pepper to put in front.', 'Add one first: peppers add.')
  return write([last, ...peppers.slice(0, -1)], last.id)
}

/**
 * Takes a pepper away.
 *
 * @throws UsageError where there is none of that id, or it is the one that new secrets get
 */
export function retirePepper(value: string, id: string): ChangedPeppers {
  const peppers = read(value)
  if (!peppers.some((pepper) => pepper.id === id)) throw new UsageError(`There is no pepper "${id}".`)
  if (peppers[0]?.id === id)
    throw new UsageError(
      `New secrets get the pepper "${id}".`,
      'Put another one in front first: peppers promote.',
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

/** No message repeats any of it: it is secret. */
function read(value: string): Pepper[] {
  return value.split(',').map((text) => {
    const [, id = '', key = ''] = /^\s*([^:\s]+):(\S+)\s*$/.exec(text) ?? []
    if (id === '')
      throw new UsageError('This is no value of IDENTITY_PEPPERS: it has to be id:base64, comma separated.')
    return { id, key }
  })
}

function write(peppers: readonly Pepper[], id: string): ChangedPeppers {
  return { value: peppers.map((pepper) => `${pepper.id}:${pepper.key}`).join(','), id }
}
