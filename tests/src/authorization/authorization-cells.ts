import { randomUUID } from 'node:crypto'
import { ROUTES, type RouteName } from '@bearing/contracts/routes'
import type { ServiceName } from '@bearing/testing/addresses'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { rowsOfRequest } from '../tools/audited.js'
import { byPassword } from './authorization-callers.js'
import { expectProblem, Matrix } from './authorization-matrix.js'
import { CELLS, SCOPED } from './authorization-table.js'
import { CODES } from './expected-codes.js'

/** Routes that are not in an audit log where the table has `ok`, though they are no GET: they change nothing, or nobody's. */
const UNRECORDED: readonly RouteName[] = [
  // Nothing is there to be ended or changed, or the secret is nobody's.
  ...(['endOtherSessions', 'changeProjectSettings', 'endKeyGraces', 'cancelKeyImport'] as const),
  ...(['deleteDevicePositions', 'reportLeak'] as const),
  // Only a question.
  ...(['listSignInOptions', 'challengePasskey'] as const),
  // The decision about it is.
  'requestLogin',
  // Known by the mail that follows.
  'requestPasswordReset',
  // Data, and questions.
  ...(['prepareUpload', 'sendChunks', 'readDeviceConfig', 'previewDeviceDeletion'] as const),
  'prepareDeviceUpload',
  ...(['submitObservations', 'findObservations', 'resolveWifiBatch', 'explainLocation'] as const),
  // The import is in it, when it is begun and when it is committed.
  'appendToImport',
]

/** Declares the tests of each cell of the matrix whose route a service handles. Each service has a spec, so that they run at the same time. */
export function describeCells(service: ServiceName): void {
  const isOfService = ({ route }: { readonly route: RouteName }) =>
    ROUTES[route].operation.subject.startsWith(`${service}.`)

  describe(`authorization matrix of ${service}`, () => {
    let matrix: Matrix

    beforeAll(async () => {
      matrix = await Matrix.create()
    })

    it.each(CELLS.filter(isOfService))(
      '$route by $principal in its own organization: $expected, and in an audit log where it changes something',
      async ({ route, principal, expected }) => {
        const { own } = matrix
        // Deleted, so other cells cannot use it.
        const deleted =
          route === 'deleteOrganization' && expected === 'ok' ? await newOrganization() : undefined
        const isKeyRoute = route === 'showUserKey' || route === 'deleteUserKey'
        const credential =
          route === 'deleteOwnAccount' && expected === 'ok'
            ? byPassword(await newMember(own, principal === 'admin' ? 'admin' : 'member'))
            : (deleted?.admin.credential ?? (await matrix.credentialFor(principal)))
        if (isKeyRoute && expected === 'ok') await matrix.ask('cycleUserKey', credential, own.slug)
        const requestId = randomUUID()
        const reply = await matrix.ask(route, credential, deleted?.slug ?? own.slug, requestId)
        if (expected === 'ok') expect(reply).toMatchObject({ status: ROUTES[route].status })
        else expectProblem(reply, CODES[expected])
        if (expected === 'ok' && ROUTES[route].method !== 'GET')
          expect([route, (await rowsOfRequest(requestId)) > 0]).toEqual([route, !UNRECORDED.includes(route)])
      },
    )

    it.each(SCOPED.filter(isOfService))(
      "$route by $principal in somebody else's organization: not found",
      async ({ route, principal }) => {
        const reply = await matrix.ask(route, await matrix.credentialFor(principal), matrix.other.slug)
        expectProblem(reply, 'organization_not_found')
      },
    )

    it.each(SCOPED.filter(isOfService))(
      '$route by $principal in no organization: the same answer',
      async ({ route, principal }) => {
        const slug = 'there-is-no-such-organization'
        const reply = await matrix.ask(route, await matrix.credentialFor(principal), slug)
        expectProblem(reply, 'organization_not_found')
      },
    )
  })
}
