import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { namedStack } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { prepare, put, type UploadTarget } from '../tools/uploading.js'

const MIB = 1_048_576
const GZIP = { 'content-encoding': 'gzip' }

describe('compressed uploads', () => {
  const stack = namedStack('small-limits')

  function targetOf(own: TestOrganization): UploadTarget {
    return {
      gateway: stack.gatewayUrls[0] ?? '',
      project: `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`,
      credential: { kind: 'project_key', key: own.project.key },
    }
  }

  it('of more than 100 to one are refused, and charged so that repeating them ends within the daily limit', async () => {
    const byKey = targetOf(await newOrganization(stack))
    const bomb = gzipSync(Buffer.alloc(300 * MIB))
    const statuses: number[] = []
    for (let time = 0; time < 10; time++) {
      const reply = await put(await prepare(byKey), bomb, GZIP)
      statuses.push(reply.status)
      if (reply.status === 400) expect(reply.text).toContain('upload_too_large')
      else expect(reply.text).toContain('rate_limited')
      if (reply.status === 503) expect(Number(reply.retryAfter)).toBeGreaterThan(0)
    }
    expect(statuses[0]).toBe(400)
    expect(statuses.at(-1)).toBe(503)
    expect(new Set(statuses)).toEqual(new Set([400, 503]))
    // Bodies without compression are still accepted, and so are those of other organizations.
    expect((await put(await prepare(byKey), randomBytes(100))).status).toBe(200)
    const other = targetOf(await newOrganization(stack))
    expect((await put(await prepare(other), gzipSync(randomBytes(100)), GZIP)).status).toBe(200)
  })

  it('and others are refused if they become larger than announced, unless that is the size of the compressed body', async () => {
    const byKey = targetOf(await newOrganization(stack))
    const content = Buffer.from(randomBytes(50_000).toString('hex'))
    const body = gzipSync(content)
    const withSize = async (size: number, bytes: Buffer, headers = {}) =>
      put(await prepare(byKey, { size }), bytes, headers)
    for (const size of [content.length, body.length])
      expect((await withSize(size, body, GZIP)).status).toBe(200)
    for (const reply of [
      await withSize(content.length - 1, body, GZIP),
      await withSize(content.length - 1, content),
    ]) {
      expect(reply.status).toBe(400)
      expect(reply.text).toContain('upload_mismatch')
    }
  })
})
