import { constants, publicEncrypt } from 'node:crypto'
import { ProblemError } from '@bearing/client/errors'
import type { RouteName } from '@bearing/contracts/routes'
import type { Resource } from '../declarations/resource.js'
import { attributesOf, inputOf, operationOf, parametersOf } from '../schema/attributes.js'
import { inputFields } from '../schema/fields.js'
import type { Values } from '../wire/value.js'
import type { Api } from './api.js'
import { stateOf } from './plan.js'

/** A change that has happened in part: the state says how far. */
export class PartialError extends Error {
  constructor(
    readonly state: Values,
    override readonly cause: unknown,
  ) {
    super('A part of the change has failed.')
  }
}

/** Returns the state of a resource. @returns null if there is none any more */
export async function readResource(resource: Resource, state: Values, api: Api): Promise<Values | null> {
  const shown = await show(resource, state, api)
  return shown && stateOf(shown, state, attributesOf(resource))
}

async function show(resource: Resource, state: Values, api: Api): Promise<Values | null> {
  const { read, fromShown, isGone: isOver } = resource
  try {
    const all =
      'show' in read
        ? [await api.call(read.show, addressed(read.show, state))]
        : await api.list(read.list, addressed(read.list, state))
    const items = all.map((item): Values => ({ ...item, ...fromShown?.(item) }))
    const found = 'show' in read ? items : read.by.flatMap((name) => items.filter(isNamed(state, name)))
    const [shown] = found
    return shown && !isOver?.(shown) ? shown : null
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

function isNamed(state: Values, name: string) {
  return (item: Values) => state[name] !== null && item[name] === state[name]
}

/** Creates a resource. @throws PartialError if it exists, but not as planned */
export async function createResource(resource: Resource, planned: Values, secrets: Values, api: Api) {
  const values = { ...planned, ...secrets }
  const input = await prepared(resource, inputOf(resource, resource.create, values), {}, api)
  const made = await api.call(resource.create, input, { isRepeatable: resource.isAdopted === true })
  const shown = { ...made, ...resource.fromShown?.(made) }
  const state = stateOf(shown, { ...planned, ...encrypted(resource, made, planned) }, attributesOf(resource))
  try {
    const rest = needsUpdate(resource, planned, state)
    if (rest) await api.call(rest, await changes(resource, rest, values, state, api))
    return (await readResource(resource, state, api)) ?? state
  } catch (error) {
    throw new PartialError(state, error)
  }
}

/** Returns the secret of a new resource, encrypted as `rsadecrypt` of Terraform reads it. */
function encrypted({ shownOnce }: Resource, made: Values, { public_key: key = null }: Values): Values {
  if (!shownOnce) return {}
  const secret = made[shownOnce]
  if (typeof key !== 'string' || typeof secret !== 'string') return { [`encrypted_${shownOnce}`]: null }
  const bytes = publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(secret))
  return { [`encrypted_${shownOnce}`]: bytes.toString('base64') }
}

/** Returns the operation that sets what creating does not. */
function needsUpdate(resource: Resource, planned: Values, state: Values): RouteName | undefined {
  const { create, update } = resource
  if (!update || update === create) return undefined
  const created = inputFields(operationOf(create))
  const rest = [...inputFields(operationOf(update)).keys()].filter((name) => !created.has(name))
  const isSet = rest.some(
    (name) => name in planned && JSON.stringify(planned[name]) !== JSON.stringify(state[name]),
  )
  return isSet ? update : undefined
}

/** Changes a resource in place. */
export async function updateResource(
  resource: Resource,
  { prior, planned, secrets }: { readonly prior: Values; readonly planned: Values; readonly secrets: Values },
  api: Api,
): Promise<Values> {
  if (!resource.update) return { ...prior, ...keptOf(resource, planned) }
  await api.call(
    resource.update,
    await changes(resource, resource.update, { ...planned, ...secrets }, prior, api),
  )
  const merged = { ...prior, ...planned }
  return (await readResource(resource, merged, api)) ?? merged
}

function keptOf(resource: Resource, planned: Values): Values {
  const kept = [...attributesOf(resource).values()].filter(({ isKept }) => isKept)
  return Object.fromEntries(kept.map(({ name }) => [name, planned[name] ?? null]))
}

async function changes(
  resource: Resource,
  name: RouteName,
  values: Values,
  prior: Values,
  api: Api,
): Promise<Values> {
  const input = await prepared(resource, inputOf(resource, name, values), prior, api)
  return { ...input, ...addressed(name, prior) }
}

async function prepared(resource: Resource, input: Values, prior: Values, api: Api): Promise<Values> {
  return resource.toInput ? resource.toInput(input, prior, (name, of) => api.call(name, of)) : input
}

/** Removes a resource, or returns a policy to its defaults. If it is gone already, nothing happens. */
export async function deleteResource(resource: Resource, prior: Values, api: Api): Promise<void> {
  try {
    if (resource.delete) await api.call(resource.delete, addressed(resource.delete, prior))
    else if (resource.reset)
      await api.call(resource.create, {
        ...inputOf(resource, resource.create, { ...prior, ...resource.reset }),
        ...addressed(resource.create, prior),
      })
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** Returns the parameters of the path of a route, which name a resource. */
function addressed(name: RouteName, state: Values): Values {
  const parameters = parametersOf(name).filter((parameter) => parameter !== 'organization')
  return Object.fromEntries(
    parameters.map((parameter) => {
      if (parameter === 'project')
        return state['project_id'] === undefined
          ? ['project', state['slug'] ?? null]
          : ['project_id', state['project_id']]
      if (parameter === 'project_slug') return [parameter, state['slug'] ?? null]
      return [parameter, state[parameter] ?? state['id'] ?? null]
    }),
  )
}

/** Returns the state that an import id names. */
export async function importedState(resource: Resource, id: string, api: Api): Promise<Values | null> {
  const attributes = attributesOf(resource)
  const names = importNames(resource)
  const parts = id.split('/')
  if (names.length > 0 && parts.length !== names.length)
    throw new Error(`The import id of bearing_${resource.name} is ${importIdOf(resource)}.`)
  const named = Object.fromEntries(names.map((name, at) => [name, parts[at] ?? null]))
  const project = named['project_id']
  const known = typeof project === 'string' ? { ...named, project_id: await api.projectId(project) } : named
  const empty = Object.fromEntries([...attributes.keys()].map((name) => [name, null]))
  // A project is named by its id or its slug.
  const first = 'list' in resource.read && resource.read.by.includes('slug') ? { slug: id } : {}
  return readResource(resource, { ...empty, ...first, ...known }, api)
}

/** Returns the attributes that an import id consists of. */
function importNames(resource: Resource): readonly string[] {
  const hasProject = attributesOf(resource).has('project_id')
  const own = 'list' in resource.read ? resource.read.by[0] : parametersOf(resource.read.show).at(-1)
  const name = own === 'project' || own === 'organization' ? undefined : own
  return [
    ...(hasProject ? ['project_id'] : []),
    ...(name === undefined ? [] : [attributesOf(resource).has(name) ? name : 'id']),
  ]
}

/** Returns the form of an import id, for people. */
export function importIdOf(resource: Resource): string {
  const names = importNames(resource)
  return names.length > 0 ? names.map((name) => `<${name}>`).join('/') : 'any text'
}

/** Returns whether an error says that the resource does not exist. If the organization is unknown, the provider is not configured for it. */
function isGone(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false
  const { code } = error
  return (
    (code.endsWith('_not_found') && code !== 'organization_not_found') ||
    ['invitation_ended', 'project_deleted'].includes(code)
  )
}
