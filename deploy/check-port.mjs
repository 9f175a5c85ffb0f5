// Runs before the build of `pnpm start`, which takes minutes in a new checkout: says immediately that the port is taken.
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

const { BEARING_PORT = '8080', BEARING_STATE = join(import.meta.dirname, '..', '.bearing') } = process.env
const port = Number(BEARING_PORT)
const isPort = Number.isInteger(port) && port > 0 && port < 65_536
// Where a start runs or was killed, `start` says so, and waits for the port of a killed one.
const wasStarted = existsSync(join(BEARING_STATE, 'start.sock'))

if (!isPort) fail('BEARING_PORT must be a port number, 1 to 65535.')
else if (!wasStarted && !(await isFree(port)))
  fail(
    `Port ${port} is taken by another program. Stop it, or choose another port: BEARING_PORT=${await freeAfter(port)} npx pnpm start`,
  )

/** The gateway listens on this address; all other ports are chosen at the start. */
function isFree(candidate) {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen({ port: candidate, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(true)),
    )
  })
}

async function freeAfter(taken) {
  for (let candidate = taken + 1; candidate < 65_536; candidate++)
    if (await isFree(candidate)) return candidate
  return 8080
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}
