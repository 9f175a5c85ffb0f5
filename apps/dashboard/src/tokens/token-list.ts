import type { CallOutput } from '@bearing/client/call-types'
import { DAY_MS } from '@bearing/contracts/durations'

export type Token = CallOutput<'listOrganizationTokens'>['data'][number]

export const STATES = ['active', 'unused', 'ending', 'leaked', 'ended', 'all'] as const
export type State = (typeof STATES)[number]

export const STATE_TEXTS: Record<State, string> = {
  active: 'Active',
  unused: 'Unused for 90 days',
  ending: 'Ends within 30 days',
  leaked: 'Reported as leaked',
  ended: 'Expired and deleted',
  all: 'All',
}

const UNUSED_DAYS = 90
const ENDING_DAYS = 30

/** Returns true if a report has ended the token: it can still be replaced. */
export function isRevokedAsLeaked({ leaked_at, deleted_at, expires_at }: Token): boolean {
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return leaked_at !== null && leaked_at === deleted_at && !isExpired
}

/** Returns the tokens of a state whose description or id contains a text; successors directly follow the token that they replace. */
export function selectTokens(tokens: readonly Token[], state: State, text: string, nowMs: number): Token[] {
  const wanted = text.trim().toLowerCase()
  const selected = tokens.filter(
    (token) =>
      isInState(token, state, nowMs) &&
      (wanted === '' || token.description.toLowerCase().includes(wanted) || token.id.startsWith(wanted)),
  )
  const shown = new Set(selected.map(({ id }) => id))
  const isPaired = (token: Token) => token.replaces !== null && shown.has(token.replaces)
  return selected.filter((token) => !isPaired(token)).flatMap((token) => chainOf(token, selected))
}

/** A token and, in order, those that have replaced it. */
function chainOf(token: Token, tokens: readonly Token[]): Token[] {
  const next = tokens.find(({ id }) => id === token.replaced_by)
  return next ? [token, ...chainOf(next, tokens)] : [token]
}

function isInState(token: Token, state: State, nowMs: number): boolean {
  const isActive = token.state === 'active'
  switch (state) {
    case 'active':
      return isActive
    case 'unused':
      return isActive && nowMs - Date.parse(token.last_used?.at ?? token.created_at) > UNUSED_DAYS * DAY_MS
    case 'ending':
      return (
        isActive && token.expires_at !== null && Date.parse(token.expires_at) - nowMs < ENDING_DAYS * DAY_MS
      )
    case 'leaked':
      return token.leaked_at !== null
    case 'ended':
      return !isActive
    case 'all':
      return true
  }
}
