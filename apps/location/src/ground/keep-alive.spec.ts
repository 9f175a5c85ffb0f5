import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { testStack } from '@bearing/testing/stack'
import { describe, expect, it } from '@jest/globals'
import { openCommitPool, openLearningPool, openPool } from './database.js'

/** As the system shows them. */
const ESTABLISHED = '01'
const ASKS_WHEN_SILENT = '02'
const TICKS_PER_SECOND = 100

/** Returns the seconds until the system asks whether the other side of this process's connection from a local port is there. */
function secondsUntilAsked(localPort: number): number {
  const [line] = readFileSync('/proc/self/net/tcp', 'latin1')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .filter(([, local = '', , state]) => state === ESTABLISHED && parseInt(local.slice(-4), 16) === localPort)
    .filter((fields) => isOwn(`socket:[${String(fields[9])}]`))
  const [kind, when = ''] = line?.[5]?.split(':') ?? []
  return kind === ASKS_WHEN_SILENT ? parseInt(when, 16) / TICKS_PER_SECOND : Infinity
}

/** Returns whether a socket is of this process, and not the server's side of the same connection. */
function isOwn(socket: string): boolean {
  return readdirSync('/proc/self/fd').some((fd) => linkOf(`/proc/self/fd/${fd}`) === socket)
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed meanwhile
  }
}

describe('a Postgres whose host is gone without a word', () => {
  it.each([
    ['operations', (url: string) => openPool(url, 1)],
    ['commits and relearning', openCommitPool],
    ['learning', openLearningPool],
  ])('is noticed within seconds by connections for %s', async (_of, open) => {
    const pool = open(testStack().databaseUrls.location)
    const client = await pool.connect()
    try {
      const { rows } = await client.query<{ port: number }>('SELECT inet_client_port() AS port')
      const [{ port } = { port: 0 }] = rows
      // With nothing under way, the timer is the one of silence.
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(secondsUntilAsked(port)).toBeLessThanOrEqual(10)
    } finally {
      client.release()
      await pool.end()
    }
  })
})
