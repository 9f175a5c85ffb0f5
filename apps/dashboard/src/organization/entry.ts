import type { CallOutput } from '@bearing/client/call-types'
import { AUDIT_ACTIONS } from '@bearing/contracts/identity/audit/audit-actions'
import { count } from '../ground/amounts.js'
import { utcMinute } from '../ground/time.js'

export type Entry = CallOutput<'listAuditEntries'>['data'][number]
type Value = Entry['details'][string]

/** Every action with its sentence. */
export const SENTENCES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(AUDIT_ACTIONS).flatMap((actions) => Object.entries(actions)),
)

/** The suffix of details that say what was there before. */
const BEFORE = '_before'

/** A detail that has changed. */
export interface Change {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** Returns what has changed, and the other details. Details that stayed as they were are in neither. */
export function changesOf({ details }: Entry): {
  readonly changes: readonly Change[]
  readonly rest: readonly (readonly [name: string, text: string])[]
} {
  const names = Object.keys(details).filter((name) => !name.endsWith(BEFORE))
  const isPaired = (name: string) => `${name}${BEFORE}` in details
  const changes = names.filter(isPaired).flatMap((name) => {
    const [before, after] = [textOf(details[`${name}${BEFORE}`]), textOf(details[name])]
    return before === after ? [] : [{ name: wordsOf(name), before, after }]
  })
  const gone = Object.keys(details)
    .filter((name) => name.endsWith(BEFORE) && !(name.slice(0, -BEFORE.length) in details))
    .map((name) => ({
      name: wordsOf(name.slice(0, -BEFORE.length)),
      before: textOf(details[name]),
      after: 'none',
    }))
    .filter(({ before, after }) => before !== after)
  return {
    changes: [...changes, ...gone],
    rest: names.filter((name) => !isPaired(name)).map((name) => [wordsOf(name), textOf(details[name])]),
  }
}

/** Returns who did it, as the beginning of a sentence. */
export function actorOf(entry: Entry): string {
  const { actor_kind, actor_email, actor_name, actor_user_id, actor_credential_id, actor_service } = entry
  switch (actor_kind) {
    case 'user':
      return actor_email ?? `The user ${shortId(actor_user_id)}`
    case 'service':
      return actor_service === 'operator' ? 'An operator' : `The service ${actor_service ?? ''}`
    case 'anonymous':
      return 'An unknown caller'
    default:
      return `The ${actor_kind.replaceAll('_', ' ')} ${actor_name ?? shortId(actor_credential_id)}`
  }
}

/** Returns the id that the filter for who did it takes. */
export function actorIdOf({ actor_user_id, actor_credential_id }: Entry): string | undefined {
  return actor_user_id ?? actor_credential_id ?? undefined
}

/** Returns what people call the target of an event. */
export function targetOf(entry: Entry, projects: ReadonlyMap<string, string>): string {
  const { action, details, target, target_name } = entry
  const [noun, id] = splitTarget(target)
  const sentence = SENTENCES[action] ?? ''
  // Some events of a project are about a thing in it, which their details name.
  const isProject = noun === 'project' && !/ device(?: attribute)? \{target\}/.test(sentence)
  const isOfProject = / (?:of|into) \{target\}/.test(sentence)
  const named = ['device_serial', 'name', 'email', 'team', 'host'].map((name) => details[name]).find(isText)
  return (
    (noun === 'project' && !isProject ? named : undefined) ??
    target_name ??
    (isProject ? undefined : named) ??
    projects.get(id) ??
    (isOfProject ? projects.get(String(details['project_id'])) : undefined) ??
    named ??
    shortId(id)
  )
}

/** Returns noun and id of a target. */
export function splitTarget(target: string): readonly [noun: string, id: string] {
  const at = target.indexOf(':')
  return at < 0 ? ['', target] : [target.slice(0, at), target.slice(at + 1)]
}

/** Returns the end of an id: those of one moment begin alike. */
export function shortId(id: string | null): string {
  return id !== null && /^[0-9a-f-]{36}$/.test(id) ? `…${id.slice(-8)}` : (id ?? '')
}

function isText(value: Value | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function textOf(value: Value | undefined): string {
  if (value === undefined || value === null || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value === 'number') return count(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? utcMinute(value) : value
}

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ')
}
