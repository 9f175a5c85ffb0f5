import { DAY_MS } from '@bearing/contracts/durations'
import type { CallOutput } from '@bearing/client/call-types'
import { count } from '../ground/amounts.js'
import { AUDIT_PAGE } from '../ground/address-of.js'

type Token = CallOutput<'listOrganizationTokens'>['data'][number]

/** A task for the user. */
export interface Need {
  readonly id: string
  readonly look: 'bad' | 'attention'
  readonly text: string
  /** The action, as the text of the link. */
  readonly todo: string
  /** Path of the page on which it is done, below `/app`. */
  readonly page: string
  /** Slug of the project of the page. */
  readonly project?: string
  readonly search?: Readonly<Record<string, string>>
}

const ENDING_DAYS = 14
const UNUSED_DAYS = 90
/** From this part of a limit on it needs attention. */
const NEAR = 0.9
/** The most names in a sentence. */
const NAMED = 2

/** Tokens that leaked and still work, that end soon without a successor, or that are unused. */
export function tokenNeeds(tokens: readonly Token[], nowMs: number): Need[] {
  const active = tokens.filter(({ state }) => state === 'active')
  const leaked = active.filter(({ leaked_at }) => leaked_at !== null)
  const ending = active.filter(
    ({ expires_at, replaced_by }) =>
      expires_at !== null && replaced_by === null && Date.parse(expires_at) - nowMs < ENDING_DAYS * DAY_MS,
  )
  const unused = active.filter(
    ({ last_used, created_at }) => nowMs - Date.parse(last_used?.at ?? created_at) > UNUSED_DAYS * DAY_MS,
  )
  const page = '/o/$organization/admin/tokens'
  const need = (list: readonly Token[], state: string, look: Need['look'], rest: string, todo: string) =>
    list.length === 0
      ? []
      : [
          {
            ...{ id: `tokens ${state}`, look, page, todo, search: { state } },
            text: `${sentenceOf(list.map(({ description }) => description))} ${rest}`,
          },
        ]
  const are = (list: readonly unknown[], one: string, many: string) => (list.length === 1 ? one : many)
  return [
    ...need(
      leaked,
      'leaked',
      'bad',
      are(leaked, 'was reported as leaked and still works.', 'were reported as leaked and still work.'),
      'Rotate',
    ),
    ...need(
      ending,
      'ending',
      'attention',
      are(ending, 'ends', 'end') + ` within ${String(ENDING_DAYS)} days.`,
      'Rotate',
    ),
    ...need(
      unused,
      'unused',
      'attention',
      are(unused, 'has', 'have') + ` not been used for ${String(UNUSED_DAYS)} days.`,
      'Delete what is not needed',
    ),
  ]
}

/** Webhooks that fail, or were paused because they did. */
export function webhookNeeds(
  webhooks: CallOutput<'listWebhooks'>['data'],
  project: { readonly slug: string; readonly name: string },
): Need[] {
  const failing = webhooks.filter(
    ({ state, paused_reason }) => state === 'failing' || (state === 'paused' && paused_reason !== 'by_user'),
  )
  return failing.slice(0, NAMED + 1).map(({ id, url, description, state }) => ({
    id: `webhook ${id}`,
    look: state === 'paused' ? 'bad' : 'attention',
    text:
      state === 'paused'
        ? `The webhook ${description ?? hostOf(url)} of ${project.name} is paused: its receiver accepted nothing.`
        : `The webhook ${description ?? hostOf(url)} of ${project.name} fails. Its deliveries are retried.`,
    todo: state === 'paused' ? 'Repair and resume' : 'See its deliveries',
    page: '/o/$organization/p/$project/webhooks',
    project: project.slug,
  }))
}

/** Teams of partners that wait for an answer. */
export function linkNeeds(links: CallOutput<'listPartnerLinks'>['data']): Need[] {
  return links.slice(0, NAMED + 1).map(({ id, team_name, partner, requested_by }) => ({
    id: `link ${id}`,
    look: 'attention',
    text: `${requested_by} asks to link the team ${team_name} of ${partner}.`,
    todo: 'Confirm or refuse',
    page: '/o/$organization/admin/single-sign-on',
  }))
}

/** Deleted projects that can still be restored. */
export function deletionNeeds(deletions: CallOutput<'listDeletedProjects'>['data'], nowMs: number): Need[] {
  return deletions
    .filter(({ state }) => state === 'deleted')
    .slice(0, NAMED + 1)
    .map(({ id, name, slug, erase_after }) => ({
      id: `deletion ${id}`,
      look: 'attention',
      text: `The deleted project ${name ?? slug ?? id} is erased ${inDays(Date.parse(erase_after) - nowMs)}.`,
      todo: 'Restore it, or let it go',
      page: '/o/$organization/admin/deletion',
    }))
}

/** Limits that are nearly reached: beyond them the gateway refuses new devices, files and data. */
export function usageNeeds(usage: CallOutput<'showOrganizationUsage'>): Need[] {
  const today = usage.days.at(-1)
  const limits = [
    ['devices', 'New devices are refused', usage.devices.count, usage.devices.limit],
    ['stored files', 'New files are refused', usage.stored.files.bytes, usage.stored.files.limit],
    ['data a day', 'Data of devices is refused', today?.chunks.bytes ?? 0, usage.chunk_bytes_per_day],
  ] as const
  return limits.flatMap(([name, effect, count, limit]) =>
    limit === null || count < limit * NEAR
      ? []
      : [
          {
            ...{ id: `limit ${name}`, todo: 'See the usage', page: '/o/$organization/admin/usage' },
            look: count >= limit ? ('bad' as const) : ('attention' as const),
            text:
              count >= limit
                ? `${effect}: the limit of ${name} is reached.`
                : `${String(Math.floor((count / limit) * 100))} % of the limit of ${name} are used.`,
          },
        ],
  )
}

/** Callers with a right credential that a rule of the organization has refused since a moment. */
export function refusalNeeds(refusals: number, isMinimum: boolean, fromDay: string): Need[] {
  if (refusals === 0) return []
  const often = refusals === 1 ? 'once' : `${isMinimum ? 'more than ' : ''}${count(refusals)} times`
  return [
    {
      id: 'refusals',
      look: 'attention',
      text: `A rule of the organization refused callers whose credentials are right: ${often} since yesterday.`,
      todo: 'See who',
      page: AUDIT_PAGE,
      search: { action: 'access', from: fromDay },
    },
  ]
}

/** Returns names as the beginning of a sentence: "“A”, “B” and 3 more". */
function sentenceOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `“${name}”`)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${String(more)} more`
  return shown.join(' and ')
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

function inDays(ms: number): string {
  const days = Math.ceil(ms / DAY_MS)
  return days <= 1 ? 'within a day' : `in ${String(days)} days`
}
