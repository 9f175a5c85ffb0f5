import { createSocket } from 'node:dgram'
import { isPortFree } from '@bearing/local/ports'

/** Below the range from which systems take ports for outgoing connections and for servers that ask for any port. */
const FIRST = 15_000
const LAST = 32_000
const ATTEMPTS = 200

/**
 * Finds a TCP port of 127.0.0.1 that is free, and stays free of other stacks until this process ends: of this one, of
 * other workers, and of other runs.
 *
 * A socket on the UDP port of the same number is the sign for "taken". The kernel removes it, whatever ends the process.
 */
export async function reservePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if ((await markTaken(port)) && (await isPortFree(port, '127.0.0.1'))) return port
  }
  throw new Error(`There is no free port between ${FIRST} and ${LAST}.`)
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
