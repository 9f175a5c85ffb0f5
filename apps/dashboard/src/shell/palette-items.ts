import { isProjectKey } from '@bearing/access/project-key-format'
import { parseToken, tokenKind, type TokenKind } from '@bearing/access/token-format'
import { refusal } from '@bearing/access/authorize'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Permission } from '@bearing/contracts/permission'
import { useNavigate } from '@tanstack/react-router'
import { addressOf, AUDIT_PAGE, deviceAddress } from '../ground/address-of.js'
import { asked } from '../ground/asked.js'
import { listing } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { organizations, projectsOf } from '../ground/queries.js'
import { useNearScope } from '../ground/scope.js'
import { signOut } from '../ground/sign-out.js'
import { chooseTheme, THEMES } from '../ground/theme.js'
import { DOCUMENTATION } from './documentation.js'
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
  /** Path that it leads to, or else its action; neither: it only says something. */
  readonly to?: string
  readonly run?: () => void
  /** A page that is none of the dashboard. */
  readonly href?: string
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
  const actions = useActions(places)
  const isSecret = recognize(text).is === 'secret'
  return [
    { title: 'This text', items: recognized },
    { title: 'Pages', items: isSecret ? [] : pagesFor(text, places) },
    { title: 'Devices', items: devices },
    { title: 'Actions', items: isSecret ? [] : actionsFor(text, actions) },
    { title: 'Projects and organizations', items: projects },
    { title: 'Documentation', items: isSecret ? [] : documentationFor(text) },
  ].filter(({ items }) => items.length > 0)
}

function pagesFor(text: string, places: readonly Place[]): Item[] {
  return places
    .filter(({ title, words = '' }) => matches(`${title} ${words}`, text))
    .map(({ to, title }) => ({ id: `page ${to}`, text: title, to }))
}

function useProjects(text: string): Item[] {
  const { organizationSlug, projectSlug } = useNearScope()
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

/** Projects in which a device is searched: the nearest one first. */
const PROJECTS_SEARCHED = 8

/** Devices whose serial numbers begin with the text, in the project that is open or was last, then in the others. */
function useDevices(text: string): Item[] {
  const { user, organization, organizationSlug, projectSlug } = useNearScope()
  const recognized = recognize(text)
  const q = recognized.is === 'serial' ? recognized.prefix : ''
  const all = useQuery({ ...projectsOf(organizationSlug), enabled: organizationSlug !== '' }).data ?? []
  const reached = all.filter(
    ({ id }) => user && !refusal(user, 'device:read', { organization_id: organization?.id, project_id: id }),
  )
  const searched = reached
    .toSorted((a, b) => Number(b.slug === projectSlug) - Number(a.slug === projectSlug))
    .slice(0, PROJECTS_SEARCHED)
  const found = useQueries({
    queries: searched.map(({ slug: project }) => ({
      queryKey: ['palette-devices', organizationSlug, project, q],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const input = { organization: organizationSlug, project, q, per_page: SHOWN }
        return (await client.call('listDevices', input, { signal })).data
      },
      // The typed text may have been a part of a secret.
      gcTime: 0,
      enabled: q !== '',
    })),
  })
  if (q === '') return []
  return searched
    .flatMap(({ slug, name }, at) =>
      (found[at]?.data ?? []).map(({ device_serial, nickname, software_version }) => ({
        id: `device ${slug} ${device_serial}`,
        text: device_serial,
        hint: [nickname, software_version, slug === projectSlug ? null : name]
          .filter((part) => part !== null)
          .join(' · '),
        to: deviceAddress(organizationSlug, slug, device_serial),
      })),
    )
    .slice(0, SHOWN)
}

/** Actions of pages, each with the path of its page and the words that find it. */
const ADDS = [
  {
    path: '/admin/tokens',
    text: 'Create an organization auth token',
    permission: 'organization-token:create',
  },
  { path: '/admin/trusts', text: 'Create a trust for a workload', permission: 'workload-trust:manage' },
  { path: '/admin/members', text: 'Invite a person', permission: 'invitation:create' },
  { path: '/webhooks', text: 'Create a webhook', permission: 'webhook:manage' },
  { path: '/files', text: 'Upload a file', permission: 'file:upload' },
  { path: '/symbols', text: 'Upload symbols', permission: 'symbols:upload' },
] as const satisfies readonly { path: string; text: string; permission: Permission }[]

function useActions(places: readonly Place[]): (Item & { readonly words?: string })[] {
  const { organization, refused } = useNearScope()
  const navigate = useNavigate()
  const ask = async (to: string) => {
    await navigate({ to })
    asked.set('add')
  }
  const adds = ADDS.flatMap(({ path, text, permission }) => {
    const to = places.find((place) => place.path.endsWith(path))?.to
    return to === undefined || refused(permission) ? [] : [{ id: text, text, run: () => void ask(to) }]
  })
  const key = places.find(({ path }) => path.endsWith('/settings/project-key'))?.to
  return [
    ...adds,
    ...(organization && !refused('project:create')
      ? [{ id: 'new project', text: 'New project', words: 'create', run: () => asked.set('project') }]
      : []),
    ...(refused('organization:create')
      ? []
      : [
          {
            ...{ id: 'new organization', text: 'New organization', words: 'create' },
            run: () => asked.set('organization'),
          },
        ]),
    ...(key === undefined || refused('project-key:cycle')
      ? []
      : [{ id: 'rotate key', text: 'Replace the project key', words: 'rotate cycle', to: key }]),
    ...THEMES.map((theme) => ({
      ...{ id: `theme ${theme}`, text: `Colors: ${theme}`, words: 'theme mode' },
      run: () => chooseTheme(theme),
    })),
    { id: 'sign out', text: 'Sign out', words: 'log logout', run: () => void signOut() },
  ]
}

function actionsFor(text: string, actions: readonly (Item & { readonly words?: string })[]): Item[] {
  if (text.trim() === '') return []
  return actions.filter(({ text: of, words = '' }) => matches(`${of} ${words}`, text))
}

function documentationFor(text: string): Item[] {
  if (text.trim() === '') return []
  return DOCUMENTATION.filter(({ title }) => matches(title, text))
    .slice(0, SHOWN)
    .map(({ title, url }) => ({ id: url, text: title, hint: 'Documentation', href: url }))
}

/** Returns items for a pasted token, MAC address or id. */
function useRecognized(text: string): Item[] {
  const { organizationSlug: organization, refused } = useNearScope()
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
  const { organizationSlug: organization, refused } = useNearScope()
  const isToken = recognized.is === 'token' && recognized.kind === 'organization_token'
  const tokens = useQuery({
    ...listing(['tokens', organization], 'listOrganizationTokens', { organization, per_page: TOKENS_READ }),
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

/** Returns true if each word of a text begins a word of another. */
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
