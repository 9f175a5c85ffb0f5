import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newToken, type TestOrganization } from '@bearing/testing/factories'
import { PostgresProxy, type Cut } from '@bearing/testing/postgres-proxy'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { send, type Sent } from '../tools/http.js'

/** More statements than any operation has: it must come to its end before. */
const MAX_STATEMENTS = 40

describe('identity, dead between any two statements of an operation', () => {
  let stack: Stack
  let proxy: PostgresProxy
  let own: TestOrganization
  let database: pg.Client

  beforeAll(async () => {
    stack = await startStack({ services: ['identity', 'management'], gateways: 1 })
    own = await newOrganization(stack)
    proxy = await PostgresProxy.start(stack.databaseUrls.identity)
    // One connection: what counts is the statements of the one operation that is under way.
    await stack.replace('identity', { IDENTITY_DATABASE_URL: proxy.url, DATABASE_POOL: '1' })
    database = new pg.Client(stack.databaseUrls.identity)
    await database.connect()
  })

  afterAll(async () => {
    await database.end()
    await stack.stop()
    await proxy.stop()
  })

  const ask = (method: string, path: string, sent: Sent = {}) =>
    send(stack.gatewayUrls[0] ?? '', method, path, { credential: own.admin.credential, ...sent })
  const count = async (sql: string, value: string) => {
    const { rows } = await database.query<{ count: number }>(`SELECT count(*)::int AS count ${sql}`, [value])
    return rows[0]?.count
  }

  /**
   * Does something again and again, and cuts identity off from the database at its first, second, third … statement,
   * until it gets through.
   *
   * @param prepare makes what is to be changed, and gives the request and the parts that belong together: how often each
   *   is there
   */
  async function cutAll(
    prepare: () => Promise<{ request: () => ReturnType<typeof ask>; parts: () => Promise<unknown[]> }>,
    cut: Cut,
  ): Promise<number> {
    for (let statement = 1; statement <= MAX_STATEMENTS; statement++) {
      // A transaction that was cut may still be rolling back.
      const { request, parts } = await eventually(prepare)
      // Now it is, and the gateway's questions are answered from memory.
      await eventually(async () => {
        expect((await ask('GET', '/auth/me')).status).toBe(200)
      })
      proxy.cutAt(statement, cut)
      const { status } = await request()
      const wasCut = proxy.disarm()
      if (!wasCut) expect(status).toBeLessThan(300)
      // All of it or nothing; a moment later, where the database has not seen the end yet.
      await eventually(async () => {
        expect(new Set(await parts()).size).toBe(1)
      })
      if (!wasCut) return statement
    }
    throw new Error(`the operation has more than ${String(MAX_STATEMENTS)} statements`)
  }

  it.each<Cut>(['before', 'after'])(
    'a token is there with its row in the audit log, or not at all (%s)',
    async (cut) => {
      let round = 0
      const statements = await cutAll(async () => {
        const description = `cut ${cut} ${String(++round)}`
        return Promise.resolve({
          request: () =>
            ask('POST', `/api/v0/organizations/${own.slug}/auth_tokens`, { body: { description } }),
          parts: () =>
            Promise.all([
              count('FROM organization_tokens WHERE description = $1', description),
              count(
                `FROM audit_log JOIN organization_tokens ON target = 'organization_token:' || organization_tokens.id
               WHERE action = 'organization_token.created' AND description = $1`,
                description,
              ),
            ]),
        })
      }, cut)
      expect(statements).toBeGreaterThan(3)
    },
  )

  it.each<Cut>(['before', 'after'])(
    'a rotated token has its successor, and each names the other, or neither (%s)',
    async (cut) => {
      const statements = await cutAll(async () => {
        const { id } = await newToken(own, stack)
        return {
          request: () =>
            ask('POST', `/api/v0/organizations/${own.slug}/auth_tokens/${id}/rotate`, { body: {} }),
          parts: () =>
            Promise.all([
              count('FROM organization_tokens WHERE replaces = $1', id),
              count('FROM organization_tokens WHERE id = $1 AND replaced_by IS NOT NULL', id),
              count(
                `FROM audit_log WHERE action = 'organization_token.rotated' AND target = 'organization_token:' || $1`,
                id,
              ),
            ]),
        }
      }, cut)
      expect(statements).toBeGreaterThan(3)
    },
  )

  it.each<Cut>(['before', 'after'])(
    'a removed member has lost every role, with an audit entry, or none (%s)',
    async (cut) => {
      const statements = await cutAll(async () => {
        const member = await newMember(own, 'member', [{ project: own.project, role: 'reader' }], stack)
        return {
          request: () => ask('DELETE', `/api/v0/organizations/${own.slug}/members/${member.id}`),
          parts: async () => {
            const place = await count('FROM memberships WHERE user_id = $1', member.id)
            const role = await count('FROM project_members WHERE user_id = $1', member.id)
            const recorded = await count(
              `FROM audit_log WHERE action = 'membership.removed' AND target = 'user:' || $1`,
              member.id,
            )
            return [place, role, 1 - Number(recorded)]
          },
        }
      }, cut)
      expect(statements).toBeGreaterThan(3)
    },
  )

  it.each<Cut>(['before', 'after'])(
    'of a user API key there is one, the old one or the new one (%s)',
    async (cut) => {
      const statements = await cutAll(async () => {
        const member = await newMember(own, 'member', [], stack)
        const credential = { kind: 'user', email: member.email, secret: member.password } as const
        // The question whether the password is right has been asked before it is counted.
        await ask('GET', '/auth/me', { credential })
        return {
          request: () => ask('POST', '/auth/api_key', { credential }),
          parts: async () => {
            const keys = await count('FROM user_keys WHERE user_id = $1', member.id)
            // The first one was made when the user was.
            const cycled = await count(
              `FROM audit_log JOIN user_keys ON target = 'user_key:' || user_keys.id
             WHERE action = 'user_key.cycled' AND user_keys.user_id = $1`,
              member.id,
            )
            return [keys, cycled, 1]
          },
        }
      }, cut)
      expect(statements).toBeGreaterThan(3)
    },
  )
})
