import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** Below the range from which systems take ports for outgoing connections and for servers that ask for any port. */
const FIRST = 15_000
const LAST = 32_000
const ATTEMPTS = 200

/**
 * Finds a TCP port of 127.0.0.1 that is free, and that nobody else finds here until this process ends: in this process or in
 * any other, such as a run of tests beside this one. It may take seconds until its server listens.
 *
 * A socket on the UDP port of the same number is the sign for "taken". The kernel removes it, whatever ends the process.
 *
 * @param count how many ports in a row are free, beginning with the one that is returned
 * @throws where there is none
 */
export async function freePort(count = 1): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = FIRST + Math.floor(Math.random() * (LAST - FIRST - count))
    if (await areTaken(first, count)) return first
  }
  throw new Error(`There is no free port between ${FIRST} and ${LAST}.`)
}

async function areTaken(first: number, count: number): Promise<boolean> {
  for (let port = first; port < first + count; port++)
    if (!((await markTaken(port)) && (await isPortFree(port, '127.0.0.1')))) return false
  return true
}

/**
 * Returns true if a process can listen on a TCP port.
 *
 * @param host the address to listen on, for example `127.0.0.1`
 */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => {
      resolve(false)
    })
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => {
        resolve(true)
      })
    })
  })
}

function markTaken(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close()
      resolve(false)
    })
    socket.bind({ address: '127.0.0.1', port, exclusive: true }, () => {
      // It must not keep the process from ending.
      socket.unref()
      resolve(true)
    })
  })
}
