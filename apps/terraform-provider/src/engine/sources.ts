import type { DataSource, EphemeralResource } from '../declarations/resource.js'
import { operationOf } from '../schema/attributes.js'
import { inputFields } from '../schema/fields.js'
import type { Attributes } from '../schema/attributes.js'
import type { Values } from '../wire/value.js'
import type { Connection } from './connection.js'

/** Reads a data source. */
export async function readSource(
  { name, read }: DataSource,
  config: Values,
  connection: Connection,
): Promise<Values> {
  if ('values' in read) return read.values()
  const api = await connection.api()
  const asked = given(config)
  if ('show' in read) return { ...config, ...(await api.call(read.show, asked)) }
  return { ...config, [name]: await api.list(read.list, asked) }
}

export async function openEphemeral(
  { open }: EphemeralResource,
  { config, attributes }: { readonly config: Values; readonly attributes: Attributes },
  connection: Connection,
): Promise<Values> {
  const api = await connection.api()
  const asked = given(config)
  const sent = [...inputFields(operationOf(open)).keys()].filter((name) => name in asked)
  const opened = await api.call(open, Object.fromEntries(sent.map((name) => [name, asked[name] ?? null])))
  return Object.fromEntries(
    [...attributes.keys()].map((name) => [name, config[name] ?? opened[name] ?? null]),
  )
}

/** Returns the attributes that are set. */
function given(config: Values): Values {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))
}
