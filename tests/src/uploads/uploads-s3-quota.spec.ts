import { connectTo } from '@bearing/testing/connect-to'
import { randomBytes } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { startS3 } from '../tools/s3-server.js'
import { commit, md5, prepare, put, type UploadTarget } from '../tools/uploading.js'

describe('the quota of an organization with files in S3', () => {
  const s3 = forSuite(() => startS3())
  const stack = forSuite(() =>
    startStack({
      oneProcess: true,
      environment: { management: { ...s3.environment, ORGANIZATION_FILES_MAX_BYTES: '1500' } },
    }),
  )
  const database = forSuite(() => connectTo(stack.databaseUrls.management))

  it('is never exceeded by commits in several projects at the same moment', async () => {
    const gateway = stack.gatewayUrls[0] ?? ''
    const { slug: organization, admin, project: first } = await newOrganization(stack)
    const { slug } = await admin.client.call('createProject', { organization, name: 'Second' })
    const { api_key } = await admin.client.call('showProjectKey', { organization, project: slug })
    const uploads = await Promise.all(
      [first.key, api_key].map(async (key) => {
        const target: UploadTarget = { gateway, project: '', credential: { kind: 'project_key', key } }
        const bytes = randomBytes(1_000)
        const prepared = await prepare(target)
        await put(prepared, bytes)
        const of = (sum: string) =>
          commit(target, '/api/v0/upload/coredump', { file: { token: prepared.token, md5: sum } })
        // Refused, but from then on a commit reads nothing from S3.
        expect((await of('0'.repeat(32))).status).toBe(400)
        return () => of(md5(bytes))
      }),
    )
    // Both commits have checked the quota before either counts, unless one waits for the other.
    await database.query('BEGIN')
    await database.query(
      'SELECT FROM projects WHERE organization_id = (SELECT id FROM organizations WHERE slug = $1) FOR NO KEY UPDATE',
      [organization],
    )
    const replies = Promise.all(uploads.map((commitIt) => commitIt()))
    await eventually(
      async () => {
        const { rowCount } = await database.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        expect(rowCount).toBe(2)
      },
      { everyMs: 20 },
    )
    await database.query('COMMIT')
    expect((await replies).map(({ status }) => status).sort()).toEqual([202, 507])
  })
})
