import type { listSessions } from '@bearing/contracts/identity/people/session'
import type { Output } from '@bearing/contracts/operation'
import { SESSION_METHODS } from '@bearing/contracts/principal'
import { sessionEnd } from '../../ground/rules/session-end.js'

/** The columns to return: neither hash nor pepper. */
export const SHOWN = {
  id: true,
  methods: true,
  address: true,
  userAgent: true,
  host: true,
  createdAt: true,
  lastSeenAt: true,
  endsAt: true,
} as const

interface Row {
  readonly id: string
  readonly methods: readonly string[]
  readonly address: string | null
  readonly userAgent: string | null
  readonly host: string | null
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly endsAt: Date
}

/** Returns a session as the contract has it. */
export function toSession(
  row: Row,
  idleMs: number,
  currentId: string | undefined,
): Output<typeof listSessions>['data'][number] {
  return {
    id: row.id,
    methods: SESSION_METHODS.filter((method) => row.methods.includes(method)),
    address: row.address,
    user_agent: row.userAgent,
    host: row.host,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    expires_at: sessionEnd(row, idleMs).toISOString(),
    current: row.id === currentId,
  }
}
