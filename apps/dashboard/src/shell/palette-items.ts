import { isProjectKey } from '@bearing/access/project-key-format'
import { parseToken, tokenKind, type TokenKind } from '@bearing/access/token-format'
import { useQuery } from '@tanstack/react-query'
import { addressOf, AUDIT_PAGE } from '../ground/address-of.js'
import { client } from '../ground/client.js'
import { organizations, projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { PAGES } from './pages.js'
import type { Place } from './places.js'

/** The kind of a text that was typed or pasted. */
type Recognized =
  | { readonly is: 'token'; readonly kind: TokenKind; readonly id: string }
  /** A secret, or a part of one, that is never sent anywhere. */
  | { readonly is: 'secret' }
  | { readonly is: 'mac'; readonly mac: string }
  | { readonly is: 'id'; readonly id: string }
  /** May be the beginning of a serial number. */
  | { readonly is: 'serial'; readonly prefix: string }
  | { readonly is: 'words' }

/** Prefixes of secrets: those of webhooks, and of keys of other makers that people paste by mistake. */
const SECRET = /^(?:whsec_|sk_|ghp_|xox|eyJ|Bearer\s|Basic\s)/i

/** Most serial numbers are shorter. Longer texts may be secrets, such as legacy tokens, or parts of some. */
const MAX_SERIAL = 24

/** The most entries of each kind. */
const SHOWN = 6
const TOKENS_READ = 1_000

/** An entry of the palette. */
export interface Item {
  readonly id: string
  readonly text: string
  readonly hint?: string
  /** Where it leads; undefined: it only says something. */
  readonly to?: string
  readonly search?: Readonly<Record<string, string>>
}

export interface Section {
  readonly title: string
  readonly items: readonly Item[]
}

/** Returns what a text leads to. Secrets are looked at here and never sent. */
export function usePaletteItems(text: string, places: readonly Place[]): readonly Section[] {
  const recognized = useRecognized(text)
  const devices = useDevices(text)
  const projects = useProjects(text)
  return [
    { title: 'This text', items: recognized },
    { title: 'Pages', items: recognize(text).is === 'secret' ? [] : pagesFor(text, places) },
    { title: 'Devices', items: devices },
    { title: 'Projects and organizations', items: projects },
  ].filter(({ items }) => items.length > 0)
}

function pagesFor(text: string, places: readonly Place[]): Item[] {
  return places
    .filter(({ title, words = '' }) => matches(`${title} ${words}`, text))
    .map(({ to, title }) => ({ id: `page ${to}`, text: title, to }))
}

function useProjects(text: string): Item[] {
  const { organizationSlug, projectSlug } = useScope()
  const known = useQuery(organizations)
  const projects = useQuery({ ...projectsOf(organizationSlug), enabled: organizationSlug !== '' })
  const landing = addressOf(pathOf('General') ?? '', organizationSlug, '$project')
  const found = [
    ...(projects.data ?? [])
      .filter(({ slug }) => slug !== projectSlug)
      .map(({ slug, name }) => ({
        ...{ id: `project ${slug}`, text: name, hint: `project ${slug}` },
        to: landing.replace('$project', slug),
      })),
    ...(known.data ?? [])
      .filter(({ slug }) => slug !== organizationSlug)
      .map(({ slug, name }) => ({
        ...{ id: `organization ${slug}`, text: name, hint: `organization ${slug}` },
        to: `/app/o/${slug}`,
      })),
  ]
  if (recognize(text).is === 'secret') return []
  return found.filter((item) => matches(`${item.text} ${item.hint}`, text)).slice(0, SHOWN)
}

/** Devices of the project in the URL whose serial numbers begin with the text. */
function useDevices(text: string): Item[] {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const recognized = recognize(text)
  const q = recognized.is === 'serial' ? recognized.prefix : ''
  const path = PAGES.find((page) => page.path.endsWith('/devices/$serial'))?.path
  const devices = useQuery({
    queryKey: ['palette-devices', organization, project, q],
    queryFn: async ({ signal }) =>
      (await client.call('listDevices', { organization, project, q, per_page: SHOWN }, { signal })).data,
    // What was typed may have been a part of a secret.
    gcTime: 0,
    enabled: q !== '' && project !== '' && path !== undefined && !refused('device:read'),
  })
  if (q === '' || path === undefined) return []
  return (devices.data ?? []).map(({ device_serial, nickname, software_version }) => ({
    id: `device ${device_serial}`,
    text: device_serial,
    hint: [nickname, software_version].filter((part) => part !== null).join(' · '),
    to: addressOf(path, organization, project).replace('$serial', device_serial),
  }))
}

/** What a pasted token, MAC address or id is. */
function useRecognized(text: string): Item[] {
  const { organizationSlug: organization, refused } = useScope()
  const recognized = recognize(text)
  const token = useTokenItem(recognized)
  if (recognized.is === 'secret')
    return [{ id: 'secret', text: 'This looks like a secret, or a part of one. It was not sent.' }]
  if (token) return [token]
  if (organization === '' || refused('audit-log:read')) return []
  const to = addressOf(AUDIT_PAGE, organization, '')
  if (recognized.is === 'mac') {
    const { mac } = recognized
    const search = { target: `access_point:${mac}` }
    return [{ id: 'mac', text: `What happened to the access point ${mac}`, to, search }]
  }
  if (recognized.is !== 'id') return []
  const { id } = recognized
  return [
    { id: 'request', text: 'What this request did', to, search: { request_id: id } },
    { id: 'actor', text: 'What this user or credential did', to, search: { actor: id } },
  ]
}

/** Says whose token a text is, out of the list of tokens: the text itself is not sent. */
function useTokenItem(recognized: Recognized): Item | undefined {
  const { organizationSlug: organization, refused } = useScope()
  const isToken = recognized.is === 'token' && recognized.kind === 'organization_token'
  const tokens = useQuery({
    queryKey: ['tokens', organization],
    queryFn: async ({ signal }) =>
      (await client.call('listOrganizationTokens', { organization, per_page: TOKENS_READ }, { signal })).data,
    enabled: isToken && organization !== '' && !refused('organization-token:read'),
  })
  if (recognized.is !== 'token') return undefined
  const { id, kind } = recognized
  if (!isToken) return { id: 'token', text: `A ${kind.replace('_', ' ')}, id ${id}. It was not sent.` }
  const found = tokens.data?.find((token) => token.id === id)
  if (found)
    return {
      ...{ id: 'token', text: `The auth token “${found.description}” (${found.state})` },
      hint: 'Recognized in this browser. It was not sent.',
      to: addressOf(pathOf('Organization Auth Tokens') ?? '', organization, ''),
      search: { state: 'all', q: found.id },
    }
  if (tokens.isFetching) return { id: 'token', text: 'An auth token. Looking whose it is …' }
  return { id: 'token', text: `The auth token ${id} is not one that you can see here. It was not sent.` }
}

/** Returns the path of a page by its title. */
function pathOf(title: string): string | undefined {
  return PAGES.find((page) => page.title === title)?.path
}

/** Whether each word of a text begins a word of another. */
function matches(of: string, text: string): boolean {
  const words = of.toLowerCase().split(/[\s/_-]+/)
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .every((wanted) => words.some((word) => word.startsWith(wanted)))
}

/** Recognizes a text without sending it. */
function recognize(text: string): Recognized {
  const trimmed = text.trim()
  const token = parseToken(trimmed)
  if (token) return { is: 'token', kind: token.kind, id: token.id }
  if (tokenKind(trimmed) !== undefined || SECRET.test(trimmed) || isProjectKey(trimmed))
    return { is: 'secret' }
  const lower = trimmed.toLowerCase()
  if (/^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/.test(lower)) return { is: 'mac', mac: lower.replaceAll('-', ':') }
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(lower)) return { is: 'id', id: lower }
  if (/^[A-Za-z0-9_-]+$/.test(trimmed))
    return trimmed.length <= MAX_SERIAL ? { is: 'serial', prefix: trimmed } : { is: 'secret' }
  return { is: 'words' }
}
