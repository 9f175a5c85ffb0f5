import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { relative } from 'node:path'

/**
 * Makes sure that one program at a time starts the Bearing of a checkout. A Unix socket says whether another one runs: it
 * cannot be left behind in a state that looks alive.
 *
 * @param path of the socket
 * @returns whether the program before ended without cleaning up; undefined where another one runs
 */
export async function claimStart(path: string): Promise<{ readonly afterCrash: boolean } | undefined> {
  // Relative, because the kernel allows a socket's path 100 characters or so.
  const address = relative(process.cwd(), path)
  if (await listen(address)) return { afterCrash: false }
  if (await answers(address)) return undefined
  rmSync(path, { force: true })
  return (await listen(address)) ? { afterCrash: true } : undefined
}

function listen(address: string): Promise<boolean> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(address, () => {
      // Node removes the socket's file when the process ends in good order.
      process.once('exit', () => server.close())
      server.unref()
      resolve(true)
    })
  })
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => {
      resolve(false)
    })
  })
}
