import { randomUUID } from 'node:crypto'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { ROUTES } from '@bearing/contracts/routes'
import { newProject } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { expectProblem, gatewayUrl, Matrix } from './authorization-matrix.js'
import { CLOSED, EXPECTED, IN_PROJECTS, NAMES, OPEN } from './authorization-table.js'
import { CODES } from './expected-codes.js'
import { send } from '../tools/http.js'

describe('authorization matrix', () => {
  const matrix = forSuite(() => Matrix.create())

  it('has a line for every route, and a cell for every principal', () => {
    expect([...EXPECTED.keys()].sort()).toEqual([...NAMES].sort())
    for (const cells of EXPECTED.values()) expect([...cells.values()]).not.toContain(undefined)
  })

  it.each(OPEN)(
    '%s without a credential, or with a wrong one: the same answer as with a good one',
    async (route) => {
      const expected = EXPECTED.get(route)?.get('admin') ?? ''
      const wrong: PresentedCredential = { kind: 'user', email: 'nobody@example.com', secret: 'wrong' }
      for (const credential of [undefined, wrong]) {
        const reply = await matrix.ask(route, credential, matrix.own.slug)
        if (expected === 'ok') expect(reply).toMatchObject({ status: ROUTES[route].status })
        else expectProblem(reply, CODES[expected])
      }
    },
  )

  it.each(CLOSED)('%s without a credential: 401 with a challenge per scheme', async (route) => {
    const reply = await matrix.ask(route, undefined, matrix.own.slug)
    expectProblem(reply, 'credential_missing')
    expect(reply.headers.get('www-authenticate')).toBe(
      'Bearer realm="bearing", Basic realm="bearing", charset="UTF-8"',
    )
  })

  describe('a token that is bound to one project', () => {
    const sibling = forSuite(() => newProject(matrix.own))

    it.each(IN_PROJECTS)(
      'is refused by %s on every other project of its organization, and on one that does not exist, in the same way',
      async (route) => {
        const [other, missing] = await Promise.all(
          [sibling.slug, 'there-is-no-such-project'].map((project) =>
            matrix.ask(route, matrix.credentials['bound'], matrix.own.slug, randomUUID(), project),
          ),
        )
        for (const reply of [other, missing]) if (reply) expectProblem(reply, 'project_not_found')
        const { request_id: _, ...body } = other?.json ?? {}
        expect(missing?.json).toMatchObject(body)
      },
    )

    it('lists no other project', async () => {
      const path = `/api/v0/organizations/${matrix.own.slug}/projects`
      const { json } = await send(gatewayUrl(), 'GET', path, { credential: matrix.credentials['bound'] })
      expect(json).toMatchObject({ data: [{ id: matrix.own.project.id }], paging: { total_count: 1 } })
    })
  })

  it.each(['admin', 'manager', 'token'])(
    "a sibling project is out of reach of a project's key, although other callers reach it: %s",
    async (principal) => {
      const sibling = await newProject(matrix.own)
      const path = `/api/v0/organizations/${matrix.own.slug}/projects/${sibling.slug}`
      const reply = await send(gatewayUrl(), 'GET', path, {
        credential: await matrix.credentialFor(principal),
      })
      expect(reply.status).toBe(principal === 'manager' ? 404 : 200)
      expectProblem(
        await send(gatewayUrl(), 'GET', path, { credential: await matrix.credentialFor('key') }),
        'project_not_found',
      )
    },
  )
})
