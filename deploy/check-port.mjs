// Runs before the build of `pnpm start`, which takes minutes in a new checkout: says immediately that it already runs, or that the
// port is taken.
import { existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, relative } from 'node:path'

const { BEARING_PORT = '8080', BEARING_STATE = join(import.meta.dirname, '..', '.bearing') } = process.env
const port = Number(BEARING_PORT)
const isPort = Number.isInteger(port) && port > 0 && port < 65_536
// A start that runs answers at its socket. Of one that was killed the file is left: `start` waits for its port.
const socket = join(BEARING_STATE, 'start.sock')
const wasStarted = existsSync(socket)

if (!isPort) fail('BEARING_PORT must be a port number, 1 to 65535.')
else if (wasStarted && (await answers(socket)))
  fail(`Bearing already runs with the data in ${BEARING_STATE}. Stop it there with Ctrl-C.`)
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

/** As `single-start.ts` asks; relative, because the kernel allows a socket's path 100 characters or so. */
function answers(path) {
  return new Promise((resolve) => {
    const connection = connect(relative(process.cwd(), path))
    connection.once('connect', () => {
      connection.destroy()
      resolve(true)
    })
    connection.once('error', () => resolve(false))
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
