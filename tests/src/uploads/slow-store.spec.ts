import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { startS3 } from '../tools/s3-server.js'
import { prepare, put, type UploadTarget } from '../tools/uploading.js'

/** Time for which a client may send nothing, in milliseconds. */
const IDLE_MS = 1_000
/** Time for which the store stands still, in milliseconds. */
const SLOW_MS = 3 * IDLE_MS
const TIMES = { constants: { gateway: { REQUEST_TIMEOUT_MS: IDLE_MS } } }

/** Sends the beginning of a body and nothing more. Returns after how many milliseconds the connection was closed. */
async function closedAfter(url: string, method: string, headers: Record<string, string>): Promise<number> {
  const sending = request(url, {
    method,
    headers: { ...headers, 'content-length': 1_000_000 },
    agent: false,
  })
  sending.on('error', () => undefined)
  const closed = new Promise((resolve) => sending.once('close', resolve))
  await new Promise<void>((resolve) => sending.write(randomBytes(300_000), () => resolve()))
  const since = performance.now()
  await closed
  return performance.now() - since
}

describe('an upload to a store that stands still for longer than a client may', () => {
  describe('in JetStream', () => {
    const stack = stackForSuite({ gateways: 1, services: ['identity', 'management'], ...TIMES })
    let byKey: UploadTarget

    beforeAll(async () => {
      byKey = targetOf(stack, await newOrganization(stack))
    })

    // The smaller one is read from its socket completely, the larger one is not.
    it.each([200_000, 3_000_000])(
      'is stored and answered 200 if all of its %d bytes have been sent',
      async (size) => {
        const prepared = await prepare(byKey)
        const { pid } = stack.part('nats')
        const answered = put(prepared, randomBytes(size))
        await delay(20)
        process.kill(pid, 'SIGSTOP')
        try {
          await delay(SLOW_MS)
        } finally {
          process.kill(pid, 'SIGCONT')
        }
        expect(await answered).toMatchObject({ status: 200 })
      },
    )

    it('is closed in time if its client sends nothing more', async () => {
      const { upload_url: url } = await prepare(byKey)
      const ms = await closedAfter(url, 'PUT', {})
      expect(ms).toBeGreaterThan(IDLE_MS / 2)
      expect(ms).toBeLessThan(10 * IDLE_MS)
    })
  })

  describe('in S3, by a client that sends a coredump itself', () => {
    const s3 = forSuite(() => startS3())
    const stack = forSuite(() =>
      startStack({
        gateways: 1,
        services: ['identity', 'management'],
        environment: { management: s3.environment },
        ...TIMES,
      }),
    )
    const own = forSuite(() => newOrganization(stack))

    const headers = () => ({
      'content-type': 'application/octet-stream',
      'service-project-key': own.project.key,
    })
    const url = () => `${stack.gatewayUrls[0] ?? ''}/api/v0/upload/coredump`

    it.each([200_000, 3_000_000])(
      'is stored and answered if all of its %d bytes have been sent',
      async (size) => {
        s3.fault = async ({ method }) => {
          if (method === 'PUT') await delay(SLOW_MS)
          return false
        }
        try {
          const reply = await fetch(url(), { method: 'POST', headers: headers(), body: randomBytes(size) })
          expect(reply.status).toBe(202)
        } finally {
          s3.fault = undefined
        }
      },
    )

    it('is closed in time if its client sends nothing more', async () => {
      const ms = await closedAfter(url(), 'POST', headers())
      expect(ms).toBeGreaterThan(IDLE_MS / 2)
      expect(ms).toBeLessThan(10 * IDLE_MS)
    })
  })
})

function targetOf(stack: Stack, own: TestOrganization): UploadTarget {
  return {
    gateway: stack.gatewayUrls[0] ?? '',
    project: `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`,
    credential: { kind: 'project_key', key: own.project.key },
  }
}
