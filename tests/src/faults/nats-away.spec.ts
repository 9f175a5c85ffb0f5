import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { passwordUser, startNats } from '@bearing/local/nats-server'
import { freePort } from '@bearing/local/ports'
import { startProcess } from '@bearing/local/process'
import { eventually } from '@bearing/testing/eventually'
import { folderForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'
import { ROOT } from '../tools/root.js'

const PASSWORD = 'a-password-that-no-log-may-have'

const directory = folderForSuite()

/** Starts a gateway beside a port at which there is no NATS. */
async function startGateway() {
  const [port, healthPort, natsPort] = [await freePort(), await freePort(), await freePort()]
  const lines: string[] = []
  const child = await startProcess({
    name: 'gateway',
    script: join(ROOT, 'apps', 'gateway', 'dist', 'main.js'),
    env: {
      NATS_URL: `nats://gateway:${PASSWORD}@127.0.0.1:${String(natsPort)}`,
      HOST: '127.0.0.1',
      PORT: String(port),
      HEALTH_PORT: String(healthPort),
    },
    log: (line) => lines.push(line),
  })
  const readiness = async () => {
    const reply = await fetch(`http://127.0.0.1:${String(healthPort)}/readyz`)
    return { status: reply.status, body: await reply.json() }
  }
  return { child, url: `http://127.0.0.1:${String(port)}`, natsPort, lines, readiness }
}

describe('a process that cannot reach NATS when it starts', () => {
  it('says what it misses, answers 503 with Retry-After, works as soon as NATS is there, and stays ready for 15 s without it', async () => {
    const { child, url, natsPort, lines, readiness } = await startGateway()
    try {
      await eventually(async () => {
        expect(await readiness()).toEqual({ status: 503, body: { phase: 'starting', nats: 'unavailable' } })
      })
      for (const body of [undefined, 'x'.repeat(1_000_000)]) {
        const refused = await send(url, 'POST', '/api/v0/chunks/D1', { body })
        expect(refused.status).toBe(503)
        expect(refused.headers.get('retry-after')).toBe('1')
        expect(refused.json).toMatchObject({ code: 'service_unavailable', error: { http_code: 503 } })
      }
      await sleep(1_500)
      // Once, however often it is tried.
      const warnings = lines.filter((line) => line.includes('NATS cannot be reached: look at NATS_URL'))
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toContain('"level":40')
      const cache = join(ROOT, '.bearing', 'nats-server')
      const users = [passwordUser('gateway', PASSWORD)]
      const nats = await startNats({ directory, cache, users, port: natsPort })
      try {
        await eventually(async () => {
          expect(await readiness()).toEqual({ status: 200, body: { phase: 'running', nats: 'ok' } })
        })
        expect((await send(url, 'GET', '/auth/me')).status).toBe(401)
        // The log says who is missing.
        const credential = { kind: 'project_key', key: '0123456789abcdef0123456789abcdef' } as const
        expect((await send(url, 'POST', '/api/v0/chunks/D1', { credential, body: 'x' })).status).toBe(503)
        await eventually(() => {
          expect(lines.join('\n')).toContain('nobody answers identity.v1.credential.introspect')
        })
        await nats.kill()
        await eventually(() => {
          expect(lines.join('\n')).toContain('the connection to NATS is lost')
        })
        // For 15 s: longer than it takes to change to another server.
        expect((await readiness()).status).toBe(200)
        await eventually(
          async () => {
            expect(await readiness()).toEqual({
              status: 503,
              body: { phase: 'running', nats: 'unavailable' },
            })
          },
          { withinMs: 30_000, everyMs: 500 },
        )
      } finally {
        await child.stop()
        await nats.stop()
      }
      expect(lines.join('\n')).not.toContain(PASSWORD)
    } finally {
      await child.kill()
    }
  })

  it('exits immediately on SIGTERM', async () => {
    const { child, lines } = await startGateway()
    await eventually(() => {
      expect(lines.join('\n')).toContain('connecting to NATS')
    })
    process.kill(child.pid, 'SIGTERM')
    expect(await child.exited).toEqual({ code: 0, signal: null })
    expect(lines.join('\n')).toContain('stopped while starting')
  })
})
